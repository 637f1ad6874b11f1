// Tests that damage of packs is found, and nothing else.
import assert from 'node:assert/strict';
import { chmodSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { ChangingDocument } from '../../../test/support/configuration/changing-document.ts';
import { damageIn } from './damaged-packs.ts';
import { packDirectory } from './pack-files.ts';
import { HistoryRepository } from './repository.ts';

const directories: string[] = [];
after(() => {
  for (const directory of directories) rmSync(directory, { recursive: true });
});

function newDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'slipway-damage-'));
  directories.push(directory);
  return directory;
}

/** A copy: to write that many revisions takes long. */
function newHistory(): string {
  written ??= writtenHistory();
  const directory = newDirectory();
  cpSync(written, directory, { recursive: true });
  return directory;
}

let written: string | undefined;

/** Three series, the last one with packs of single batches. */
function writtenHistory(): string {
  const directory = newDirectory();
  const repository = new HistoryRepository(directory);
  repository.recover(undefined);
  const document = new ChangingDocument(5, 5);
  for (const size of [600, 1, 1]) repository.prepare(document.many(size)).publish();
  return directory;
}

function filesOf(history: string, ending: string): string[] {
  const files = readdirSync(packDirectory(history)).filter((file) => file.endsWith(ending));
  return files.map((file) => join(packDirectory(history), file)).toSorted();
}

function change(path: string, edit: (content: Buffer) => Buffer): void {
  chmodSync(path, 0o644);
  writeFileSync(path, edit(readFileSync(path)));
}

test('a sound history has no damage, and neither has a missing one', () => {
  assert.deepEqual(damageIn(newHistory()), []);
  assert.deepEqual(damageIn(join(tmpdir(), 'slipway-no-such-history')), []);
});

test('a flipped bit is found anywhere', () => {
  for (const ending of ['.pack', '.idx']) {
    for (const fraction of [0, 0.5, 0.999]) {
      const history = newHistory();
      const path = filesOf(history, ending).at(1)!;
      change(path, (content) => {
        content[Math.floor(content.length * fraction)]! ^= 1;
        return content;
      });
      const [damage, ...more] = damageIn(history);
      assert.match(damage!, /^pack-00000001[0-9a-f]{32} is not as it was written$/);
      assert.deepEqual(more, []);
    }
  }
});

test('a broken pack that another one has replaced is only removed', () => {
  const directory = newDirectory();
  const repository = new HistoryRepository(directory);
  repository.recover(undefined);
  const document = new ChangingDocument(5, 5);
  for (const size of [1, 1, 2]) repository.prepare(document.many(size)).publish();
  const [first, ...others] = filesOf(directory, '.pack');
  change(first!, (content) => content.fill(0, 20));
  assert.deepEqual(damageIn(directory), []);
  assert.deepEqual(filesOf(directory, '.pack'), others);
});

test('a pack that is cut off, empty, missing, or of another index is found', () => {
  const [cut, empty, gone, other] = [newHistory(), newHistory(), newHistory(), newHistory()];
  change(filesOf(cut, '.pack')[0]!, (content) => content.subarray(0, -1));
  change(filesOf(empty, '.pack')[0]!, () => Buffer.alloc(0));
  rmSync(filesOf(gone, '.pack')[0]!);
  const [first, second] = filesOf(other, '.pack');
  change(second!, () => readFileSync(first!));
  for (const history of [cut, empty, gone, other]) assert.equal(damageIn(history).length, 1);
});

test('a missing series is found, unless another program has combined packs', () => {
  const history = newHistory();
  for (const ending of ['.pack', '.idx']) rmSync(filesOf(history, ending)[1]!);
  assert.deepEqual(damageIn(history), ['the packs of series 1 are missing']);
  for (const ending of ['.pack', '.idx']) {
    const [first] = filesOf(history, ending);
    writeFileSync(join(packDirectory(history), `pack-${'f'.repeat(40)}${ending}`), readFileSync(first!));
  }
  assert.deepEqual(damageIn(history), []);
});
