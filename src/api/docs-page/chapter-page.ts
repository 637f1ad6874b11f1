// One chapter of the documentation: its routes, and the schemas that are first used here.

import type { Route } from '../engine/route.ts';
import type { Chapter } from '../openapi/chapters.ts';
import { address, escaped, fold, prose } from './html.ts';
import { pageHtml, type Site } from './layout.ts';
import { inOrder, routeAnchor, routeHtml } from './route-html.ts';
import type { SchemaChapters, ShownSchema } from './schema-chapters.ts';
import { anchorOf, type LinkOf, membersHtml } from './schema-html.ts';

export function chapterPage(site: Site, { anchor, title, about }: Chapter, routes: readonly Route[], schemas: SchemaChapters): string {
  const linkOf: LinkOf = (name) => {
    const chapter = schemas.chapterOf(name);
    return `${chapter === undefined || chapter === anchor ? '' : chapter}#${anchorOf(name)}`;
  };
  const sorted = routes.toSorted(inOrder);
  const answers = new Set<string>();
  const content = `<h1>${escaped(title)}</h1><p>${prose(about)}</p>
<ul class="routes">${sorted.map(tocHtml).join('')}</ul>
${sorted.map((route) => routeHtml(route, answers, linkOf)).join('\n')}
${fieldsHtml(schemas.shownIn(anchor), linkOf)}`;
  return pageHtml(site, { title: `${title} · Slipway API`, chapter: anchor, content });
}

function tocHtml(route: Route): string {
  const { method, path, description } = route;
  return `<li><a href="#${routeAnchor(route)}"><code class="method ${method.toLowerCase()}">${method}</code> <code>${address(path)}</code></a> <span>${prose(description.summary)}</span></li>`;
}

/** The anchor is inside the folded part: browsers unfold the part that a link leads into. */
function fieldsHtml(schemas: readonly ShownSchema[], linkOf: LinkOf): string {
  if (schemas.length === 0) return '';
  const folded = schemas.map(({ schema, isSent }) => {
    const title = String(schema.title);
    return fold(`<strong>${escaped(title)}</strong>`, `<div id="${anchorOf(title)}">${membersHtml(schema, isSent, linkOf)}</div>`);
  });
  return `<h2>Fields</h2>${folded.join('')}`;
}
