// The first page of the documentation: the conventions of all routes, and all chapters with their routes.

import type { Route } from '../engine/route.ts';
import type { Chapter } from '../openapi/chapters.ts';
import { CONVENTIONS } from './conventions.ts';
import { address, escaped, prose } from './html.ts';
import { pageHtml, type Site } from './layout.ts';
import { inOrder, routeAnchor } from './route-html.ts';

export function startPage(site: Site, routes: readonly Route[], contextPath: string): string {
  const byChapter = Map.groupBy(routes, (route) => route.description.chapter);
  const content = `<h1>Administration of a Slipway server</h1>
${contextPath === '' ? '' : `<p>Every address starts with <code>${escaped(contextPath)}</code>.</p>`}
${CONVENTIONS}
<h2>Chapters</h2>
${site.chapters.map((chapter) => entryHtml(chapter, byChapter.get(chapter.anchor) ?? [])).join('\n')}
<section id="api-changelog"><h2>Changes of the API</h2>${changesHtml(routes)}</section>`;
  return pageHtml(site, { title: 'Slipway API', content });
}

/** Links in answers of the API lead to its id. */
function entryHtml({ anchor, title, about }: Chapter, routes: readonly Route[]): string {
  const lines = routes
    .toSorted(inOrder)
    .map(
      (route) =>
        `<li><a href="docs/${anchor}#${routeAnchor(route)}"><code class="method ${route.method.toLowerCase()}">${route.method}</code> <code>${address(route.path)}</code></a> <span>${prose(route.description.summary)}</span></li>`,
    );
  return `<section id="${anchor}" class="entry"><h3><a href="docs/${anchor}">${escaped(title)}</a></h3><p>${prose(about)}</p><ul>${lines.join('')}</ul></section>`;
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
