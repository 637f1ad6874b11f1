// How many bytes a browser loads before a page is there, compressed as the server sends them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Budget } from './budget.ts';

const pages = join(import.meta.dirname, '..', '..', '..', 'build', 'pages');
const KB = 1000;
const MAX_SCRIPT = 60;
const MAX_STYLE = 15;
const MAX_PAGE = 90;

const gzipKb = (name: string): number => gzipSync(readFileSync(join(pages, 'assets', name)), { level: 9 }).length / KB;

export function sizeBudgets(): Budget[] {
  const index = readFileSync(join(pages, 'index.html'), 'utf8');
  const first = [...new Set([...index.matchAll(/assets\/[\w-]+\.(?:js|css)/g)].map(([address]) => address.slice('assets/'.length)))];
  const scripts = closureOf(first.filter((name) => name.endsWith('.js')));
  const style = sum(first.filter((name) => name.endsWith('.css')));
  const main = first.find((name) => name.startsWith('main-'))!;
  const largest = Math.max(...lazyPages(main).map((page) => sum([...closureOf([...scripts, page])])));
  return [
    { name: 'first load, scripts', value: sum([...scripts]), unit: 'kB', max: MAX_SCRIPT },
    { name: 'first load, styles', value: style, unit: 'kB', max: MAX_STYLE },
    { name: 'largest page, scripts and styles', value: largest + style, unit: 'kB', max: MAX_PAGE },
  ];
}

function sum(names: readonly string[]): number {
  return names.reduce((total, name) => total + gzipKb(name), 0);
}

/** With all that they import at once. */
function closureOf(names: readonly string[]): ReadonlySet<string> {
  const all = new Set(names);
  for (const name of all)
    for (const [, imported] of textOf(name).matchAll(/(?:from|import)\s?"\.\/([\w-]+\.js)"/g))
      if (imported !== undefined) all.add(imported);
  return all;
}

function lazyPages(main: string): string[] {
  return [...closureOf([main])].flatMap((name) => [...textOf(name).matchAll(/import\("\.\/([\w-]+\.js)"\)/g)].map(([, page]) => page!));
}

function textOf(name: string): string {
  return readFileSync(join(pages, 'assets', name), 'utf8');
}
