// The documentation as one page of HTML that needs nothing from elsewhere.
import type { JsonSchema } from '../shape/json.ts';
import type { Chapter } from './openapi.ts';
import type { Route } from './route.ts';
import { mediaType, OWN_WORD } from './vendor.ts';

export function docsPage(routes: readonly Route[], chapters: readonly Chapter[], version: string, contextPath: string): string {
  const byChapter = Map.groupBy(routes, (route) => route.description.chapter);
  const written = chapters.filter(({ anchor }) => byChapter.has(anchor));
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
${written.map((chapter) => chapterHtml(chapter, byChapter.get(chapter.anchor)!)).join('\n')}
<section id="api-changelog"><h2>Changes of the API</h2><p>No version of an API is deprecated in this release.</p></section>
</main>
</body>
</html>
`;
}

function chapterHtml({ anchor, title, about }: Chapter, routes: readonly Route[]): string {
  return `<section id="${anchor}"><h2>${escaped(title)}</h2><p>${escaped(about)}</p>${routes.map(routeHtml).join('')}</section>`;
}

function routeHtml({ method, path, version, permission, description }: Route): string {
  const accept = version === null ? 'any Accept' : mediaType(OWN_WORD, version);
  const { request, response } = description;
  return `<article>
<h3><code class="${method.toLowerCase()}">${method}</code> <code>${escaped(path)}</code></h3>
<p>${escaped(description.summary)}.</p>
<dl><dt>Accept</dt><dd><code>${escaped(accept)}</code></dd><dt>Who</dt><dd>${WHO[permission]}</dd>${description.needsIfMatch ? '<dt>If-Match</dt><dd>required</dd>' : ''}</dl>
${request ? `<h4>Body</h4>${membersHtml(request.schema)}<pre><code>${escaped(JSON.stringify(request.example, undefined, 2))}</code></pre>` : ''}
${response ? `<details><summary>Answer</summary>${membersHtml(response)}</details>` : ''}
</article>`;
}

function membersHtml(schema: JsonSchema): string {
  const members = schema.properties as Readonly<Record<string, JsonSchema>> | undefined;
  if (!members) return `<p><code>${escaped(typeOf(schema))}</code></p>`;
  const required = new Set((schema.required ?? []) as string[]);
  const rows = Object.entries(members).map(
    ([name, member]) =>
      `<tr><td><code>${escaped(name)}</code>${required.has(name) ? ' <em>required</em>' : ''}</td><td>${escaped(typeOf(member))}</td><td>${escaped(String(member.description ?? ''))}</td></tr>`,
  );
  return `<table><thead><tr><th scope="col">Field</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead><tbody>${rows.join('')}</tbody></table>`;
}

function typeOf(schema: JsonSchema): string {
  if (schema.type === 'array') return `array of ${typeOf((schema.items ?? {}) as JsonSchema)}`;
  if (Array.isArray(schema.enum)) return schema.enum.join(' | ');
  return Array.isArray(schema.type) ? schema.type.join(' or ') : String(schema.type ?? 'any');
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

const WHO: Readonly<Record<Route['permission'], string>> = {
  anyone: 'anyone, without a login',
  user: 'every user',
  anyAdmin: 'administrators of anything: the server, a pipeline group, a template',
  groupAdmin: 'administrators and administrators of a pipeline group',
  admin: 'administrators',
};

const CONVENTIONS = `<section id="conventions"><h2>Conventions</h2>
<p>Every request needs a login: <code>Authorization: Basic …</code>, or <code>Authorization: bearer …</code> with an access token.</p>
<p>Ask for a version with <code>Accept: application/vnd.svc.vN+json</code>; <code>application/vnd.svc+json</code> or no header takes the newest.</p>
<p>Bodies are JSON. A write without a body needs the header <code>X-Svc-Confirm: true</code>. Fields the server does not know are ignored.</p>
<p>An <code>ETag</code> names a version of an object. Send it as <code>If-None-Match</code> to hear only of changes, and as <code>If-Match</code> with a PUT, so that nobody's change is lost: a stale one is answered with 412.</p>
<p>What is wrong with a body is answered with 422, all at once: <code>message</code> says it in words, <code>data</code> is the object with <code>errors</code> beside the fields.</p>
<p>Add <code>?dry_run=true</code> to any write to get the verdict and the answer without the change. The header <code>X-Svc-Reason</code> says why, and is kept in the change log.</p></section>`;

const STYLE = `
:root { color-scheme: light dark; --line: light-dark(#d5dae0, #3a4048); --soft: light-dark(#f5f7f9, #1d2126); --accent: light-dark(#0b5cad, #6db3f8); }
* { box-sizing: border-box; }
body { margin: 0; font: 16px/1.55 system-ui, sans-serif; display: grid; grid-template-columns: 17rem minmax(0, 1fr); }
nav { position: sticky; top: 0; height: 100vh; overflow: auto; padding: 1.5rem; border-right: 1px solid var(--line); background: var(--soft); }
nav strong { display: block; font-size: 1.1rem; } nav ol { list-style: none; padding: 0; } nav li { margin: .3rem 0; }
main { padding: 2rem clamp(1rem, 4vw, 4rem); max-width: 62rem; }
a { color: var(--accent); text-decoration: none; } a:hover { text-decoration: underline; }
h1 { margin-top: 0; } h2 { margin-top: 3rem; padding-bottom: .3rem; border-bottom: 1px solid var(--line); }
article { border: 1px solid var(--line); border-radius: .5rem; padding: 0 1.2rem 1rem; margin: 1.2rem 0; }
h3 { font-weight: 500; } h3, td { overflow-wrap: anywhere; } h3 code:first-child { font-weight: 700; color: var(--accent); } .delete { color: light-dark(#b3261e, #ff8a80) !important; }
code, pre { font-family: ui-monospace, monospace; font-size: .9em; } pre { background: var(--soft); padding: 1rem; border-radius: .4rem; overflow: auto; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1rem; } dt { opacity: .75; } dd { margin: 0; overflow-wrap: anywhere; }
table { display: block; overflow: auto; border-collapse: collapse; width: 100%; margin: .6rem 0; } th, td { text-align: left; padding: .35rem .6rem; border-bottom: 1px solid var(--line); vertical-align: top; }
summary { cursor: pointer; }
@media (max-width: 50rem) { body { display: block; } nav { position: static; height: auto; } }
`;
