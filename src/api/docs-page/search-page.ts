// The results of a search of the documentation.
import { address, escaped, prose } from './html.ts';
import { pageHtml, type Site } from './layout.ts';
import type { FoundKind, SearchHit } from './search.ts';

const MAX_SHOWN = 100;
const KINDS: Readonly<Record<FoundKind, string>> = { chapter: 'Chapters', route: 'Routes', field: 'Fields' };

export function searchPage(site: Site, searched: string, found: readonly SearchHit[]): string {
  const shown = found.slice(0, MAX_SHOWN);
  const groups = [...Map.groupBy(shown, ({ kind }) => kind)].map(
    ([kind, members]) => `<h2>${KINDS[kind]}</h2><ul class="found">${members.map(foundHtml).join('')}</ul>`,
  );
  const more = found.length > shown.length ? `<p>${found.length - shown.length} more are not shown. Add a word to find fewer.</p>` : '';
  const none = found.length === 0 ? '<p>Nothing has all of these words. Try fewer, or parts of them.</p>' : '';
  const content = `<h1>Search: ${escaped(searched)}</h1>${none}${groups.join('')}${more}`;
  return pageHtml(site, { title: `${searched} · Slipway API`, searched, content });
}

function foundHtml({ kind, title, about, href }: SearchHit): string {
  const name = kind === 'chapter' ? escaped(title) : `<code>${address(title)}</code>`;
  return `<li><a href="${href}">${name}</a> <span>${prose(about)}</span></li>`;
}
