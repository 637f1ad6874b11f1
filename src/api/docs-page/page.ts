// The documentation as one page of HTML that needs nothing from elsewhere.
import type { JsonSchema } from '../../shape/json.ts';
import type { Chapter } from '../chapters.ts';
import type { Route } from '../route.ts';
import { CONVENTIONS } from './conventions.ts';
import { escaped, fold, prose } from './html.ts';
import { routeHtml } from './route-html.ts';
import { anchorOf, membersHtml, namedIn } from './schema-html.ts';
import { STYLE } from './style.ts';

export function docsPage(routes: readonly Route[], chapters: readonly Chapter[], version: string, contextPath: string): string {
  const byChapter = Map.groupBy(routes, (route) => route.description.chapter);
  const written = chapters.filter(({ anchor }) => byChapter.has(anchor));
  const shown = new Set<string>();
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Slipway API</title>
<style>${STYLE}</style>
</head>
<body>
<nav aria-label="Chapters"><strong>Slipway API</strong><small>${escaped(version)}</small>
<ol><li><a href="#conventions">Conventions</a></li>${written.map(({ anchor, title }) => `<li><a href="#${anchor}">${escaped(title)}</a></li>`).join('')}</ol>
<p><a href="openapi.json">OpenAPI description</a></p></nav>
<main>
<h1>Administration of a Slipway server</h1>
${contextPath === '' ? '' : `<p>Every address below starts with <code>${escaped(contextPath)}</code>.</p>`}
${CONVENTIONS}
${written.map((chapter) => chapterHtml(chapter, byChapter.get(chapter.anchor)!, shown)).join('\n')}
<section id="api-changelog"><h2>Changes of the API</h2>${changesHtml(routes)}</section>
</main>
</body>
</html>
`;
}

/** `shown` are the names of the schemas that an earlier chapter has shown. */
function chapterHtml({ anchor, title, about }: Chapter, routes: readonly Route[], shown: Set<string>): string {
  const answered = routes.flatMap(({ description: { response } }) => (response ? namedIn(response) : []));
  const sent = routes.flatMap(({ description: { request } }) => (request ? namedIn(request.schema) : []));
  const answers = new Set<string>();
  const schemas = [...answered.map((schema) => schemaHtml(schema, shown, false)), ...sent.map((schema) => schemaHtml(schema, shown, true))];
  return `<section id="${anchor}"><h2>${escaped(title)}</h2><p>${prose(about)}</p>
${schemas.join('')}
${routes
  .toSorted(inOrder)
  .map((route) => routeHtml(route, answers))
  .join('\n')}
</section>`;
}

/** Shows it, unless it was shown. The anchor is inside what is folded: browsers unfold what a link leads into. */
function schemaHtml(schema: JsonSchema, shown: Set<string>, isSent: boolean): string {
  const title = String(schema.title);
  if (shown.has(title)) return '';
  shown.add(title);
  return fold(`Fields: <strong>${escaped(title)}</strong>`, `<div id="${anchorOf(title)}">${membersHtml(schema, isSent)}</div>`);
}

const METHODS: readonly string[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

function inOrder(one: Route, other: Route): number {
  if (one.path !== other.path) return one.path < other.path ? -1 : 1;
  return METHODS.indexOf(one.method) - METHODS.indexOf(other.method);
}

function changesHtml(routes: readonly Route[]): string {
  const leaving = routes.flatMap(({ method, path, version, deprecation }) =>
    deprecation
      ? [
          `<li><code>${method} ${escaped(path)}</code>${version === null ? '' : ` version ${version}`}: deprecated in ${escaped(deprecation.deprecatedIn)}, removed in ${escaped(deprecation.removedIn)}.</li>`,
        ]
      : [],
  );
  return leaving.length === 0 ? '<p>No version of an API is deprecated in this release.</p>' : `<ul>${leaving.join('')}</ul>`;
}
