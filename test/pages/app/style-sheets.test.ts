// The style sheets of the pages, which a browser gets as one: no page may change the looks of another.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';

const PAGES = join(import.meta.dirname, '..', '..', '..', 'pages');
const COMMENT = /\/\*.*?\*\//gs;
const SELECTORS = /([^{};]+)\{/g;
/** All elements of a class. */
const OF_CLASS = /^\.([\w-]+)$/;

it('a class is styled by one part of the pages alone', () => {
  const partsOf = new Map<string, Set<string>>();
  for (const file of globSync('*/**/*.css', { cwd: PAGES })) {
    const [part = ''] = file.split('/');
    for (const name of classesIn(readFileSync(join(PAGES, file), 'utf8'))) partsOf.set(name, (partsOf.get(name) ?? new Set()).add(part));
  }
  assert.deepEqual(
    [...partsOf].filter(([, parts]) => parts.size > 1).map(([name, parts]) => `.${name}: ${[...parts].join(', ')}`),
    [],
  );
});

function classesIn(sheet: string): Set<string> {
  const selectors = [...sheet.replaceAll(COMMENT, '').matchAll(SELECTORS)].flatMap(([, list = '']) => list.split(','));
  return new Set(selectors.map((selector) => OF_CLASS.exec(selector.trim())?.[1]).filter((name) => name !== undefined));
}
