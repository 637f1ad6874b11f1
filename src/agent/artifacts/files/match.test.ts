// Searches that must end: trees that links make endless, too many matches, and a job that is over.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { matchesOf } from './match.ts';
import { Search } from './search.ts';
import { sourceOf } from './source.ts';
import { filesOf } from './walk.ts';

function folderOf(context: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-match-'));
  context.after(() => rmSync(folder, { recursive: true }));
  return folder;
}

const search = (folder: string, more: Partial<Parameters<typeof Search.in>[1]> = {}) =>
  Search.in(folder, { source: 'x', signal: new AbortController().signal, print: () => {}, ...more });

/** Each folder has two links to the next: the ways through them double with each. */
function maze(folder: string, depth: number): void {
  for (let level = 0; level < depth; level++) mkdirSync(join(folder, `l${level}`));
  for (let level = 0; level < depth - 1; level++)
    for (const name of ['a', 'b']) symlinkSync(`../l${level + 1}`, join(folder, `l${level}`, name));
}

for (const source of ['l0', '**/none.txt'])
  test(`links that multiply the ways end the search: ${source}`, async (context) => {
    const folder = folderOf(context);
    maze(folder, 40);
    const looking = await search(folder, { source, maxEntries: 500 });
    const all = async () => {
      for await (const _ of filesOf(await matchesOf(sourceOf(source), looking), '', looking));
    };
    await assert.rejects(all, { message: `The source "${source}" makes the agent look at more than 500 files and folders.` });
  });

test('too many matches are refused with advice', async (context) => {
  const folder = folderOf(context);
  for (let index = 0; index < 20; index++) writeFileSync(join(folder, `${index}.txt`), '');
  await assert.rejects(matchesOf(sourceOf('*.txt'), await search(folder), 10), {
    message: 'The source "*.txt" matches more than 10 files: name a folder that holds them.',
  });
  assert.equal((await matchesOf(sourceOf('*.txt'), await search(folder), 20)).length, 20);
});

test('a search stops when its job is over', async (context) => {
  const folder = folderOf(context);
  for (let index = 0; index < 1000; index++) writeFileSync(join(folder, `${index}.txt`), '');
  const over = new AbortController();
  const looking = await search(folder, { signal: over.signal });
  const matches = await matchesOf(sourceOf('.'), looking);
  let seen = 0;
  await assert.rejects(
    async () => {
      for await (const _ of filesOf(matches, '', looking)) if (++seen === 10) over.abort();
    },
    { name: 'AbortError' },
  );
  assert.equal(seen, 10);
});

test('the first hundred skipped paths are named', async (context) => {
  const folder = folderOf(context);
  for (let index = 0; index < 130; index++) symlinkSync('gone', join(folder, `${index}`));
  const lines: string[] = [];
  const looking = await search(folder, { print: (line) => lines.push(line) });
  assert.deepEqual(await matchesOf(sourceOf('*'), looking), []);
  looking.end();
  assert.equal(lines.length, 101);
  assert.equal(lines.at(-1), 'Skipped 30 more.');
});

test('a pattern of many stars is no work', async (context) => {
  const folder = folderOf(context);
  const deep = join(folder, ...Array.from({ length: 30 }, () => 'a'));
  mkdirSync(deep, { recursive: true });
  writeFileSync(join(deep, `${'a'.repeat(200)}.txt`), '');
  const source = `${'**/a*a*a*/'.repeat(10)}**/${'a*'.repeat(60)}b`;
  const began = performance.now();
  assert.deepEqual(await matchesOf(sourceOf(source), await search(folder)), []);
  assert.ok(performance.now() - began < 2000);
});

test('the whole folder comes under the name of the pipeline', async (context) => {
  const folder = folderOf(context);
  const [match] = await matchesOf(sourceOf('./'), await search(folder));
  assert.deepEqual([match!.kind, match!.name, match!.path], ['folder', '.', folder.split('/').at(-1)]);
});
