// The documentation as pages of HTML that need nothing from elsewhere: each is made when it is first asked for.

import type { Route } from '../engine/route.ts';
import type { Chapter } from '../openapi/chapters.ts';
import { chapterPage } from './chapter-page.ts';
import type { Site } from './layout.ts';
import { schemaChapters } from './schema-chapters.ts';
import { searchIndex } from './search.ts';
import { searchPage } from './search-page.ts';
import { startPage } from './start-page.ts';

export interface DocsSite {
  start(): string;
  /** Undefined: there is no such chapter. */
  chapter(anchor: string): string | undefined;
  search(text: string): string;
}

export function docsSite(routes: readonly Route[], all: readonly Chapter[], version: string, contextPath: string): DocsSite {
  const byChapter = Map.groupBy(routes, (route) => route.description.chapter);
  const site: Site = { version, chapters: all.filter(({ anchor }) => byChapter.has(anchor)) };
  const schemas = schemaChapters(routes, site.chapters);
  const index = searchIndex(routes, site.chapters, schemas);
  const pages = new Map<string, string>();
  return {
    start: () => pages.getOrInsertComputed('', () => startPage(site, routes, contextPath)),
    chapter: (anchor) => {
      const chapter = site.chapters.find((one) => one.anchor === anchor);
      return chapter && pages.getOrInsertComputed(anchor, () => chapterPage(site, chapter, byChapter.get(anchor)!, schemas));
    },
    search: (text) => searchPage(site, text, index.find(text)),
  };
}
