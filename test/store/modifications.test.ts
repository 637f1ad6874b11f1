// Modifications in a real database: recorded once each, oldest first, and read a page at a time from the newest.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import type { Database } from '../../src/store/database.ts';
import { Materials, type StoredMaterial } from '../../src/store/materials/materials.ts';
import { Modifications, type ModificationToRecord, type ModifiedFile } from '../../src/store/materials/modifications.ts';
import { ABOUT_EMBEDDED, openTestDatabase } from '../support/database/database.ts';
import { assertInPieces } from '../support/patience.ts';

let directory: string;
let database: Database;
let materials: Materials;
let modifications: Modifications;
let git: StoredMaterial;
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'slipway-modifications-'));
  await open();
  git = await materials.ensure({ fingerprint: 'aa', type: 'git', description: 'URL: https://scm.example.org/web.git, Branch: master' });
});
afterEach(async () => {
  await database.close();
  rmSync(directory, { recursive: true });
});

async function open(): Promise<void> {
  database = await openTestDatabase(join(directory, 'test.db'));
  materials = new Materials(database);
  modifications = new Modifications(database);
  await modifications.load();
}

const START = Date.parse('2026-01-31T09:30:00Z');

function change(number: number, files: readonly ModifiedFile[] = [{ name: `file-${number}.txt`, action: 'added' }]): ModificationToRecord {
  return {
    revision: `r${number}`,
    userName: `Jez ${number} <jez@example.org>`,
    email: null,
    comment: `Change ${number}\nwith “two” lines`,
    modifiedTime: new Date(START + number * 1000),
    files,
  };
}

const changes = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => change(from + index));
const revisionsOf = (found: readonly { readonly revision: string }[]) => found.map(({ revision }) => revision);

describe('recording', () => {
  test('all facts of a modification are recorded, with its files in their order', async () => {
    const files = [
      { name: 'grün/ß.txt', action: 'added' },
      { name: 'a.txt', action: 'deleted' },
      { name: 'b.txt', action: 'modified' },
      { name: 'c', action: 'unknown' },
    ] as const;
    const run = { ...change(1, files), userName: null, comment: null, email: 'jez@example.org' };
    const more = { additionalData: '{"a":"1"}', pipelineLabel: 'web-7', pipelineId: 42 };
    assert.equal(await modifications.record(git.id, [{ ...run, ...more }]), 1);
    const { files: _, ...rest } = run;
    const found = await modifications.find(git.id, 'r1');
    assert.deepEqual(found, { id: 1, ordinal: 1, ...rest, ...more });
    assert.deepEqual(await modifications.filesOf(found!.id), files);
    assert.equal(await modifications.find(git.id, 'r2'), undefined);
    assert.deepEqual(await modifications.filesOf(99), []);
  });

  test('U+0000 in a text, which not every database keeps, is recorded as U+FFFD', async () => {
    const files = [{ name: 'a\0.txt', action: 'added' }] as const;
    await modifications.record(git.id, [
      { ...change(1, files), userName: 'J\0z', email: '\0', comment: 'one\0two\0', additionalData: '"\0"' },
    ]);
    const found = (await modifications.find(git.id, 'r1'))!;
    assert.deepEqual(
      [found.userName, found.email, found.comment, found.additionalData],
      ['J\uFFFDz', '\uFFFD', 'one\uFFFDtwo\uFFFD', '"\uFFFD"'],
    );
    assert.deepEqual(await modifications.filesOf(found.id), [{ name: 'a\uFFFD.txt', action: 'added' }]);
    materials.polled(git.id, { at: new Date(START), failure: 'it said \0' });
    await materials.writePolls();
    await materials.keepData(git.id, '\0');
    const { failure, data } = (await materials.find('aa'))!;
    assert.deepEqual([failure, data], ['it said \uFFFD', '\uFFFD']);
  });

  test('known modifications and duplicates are not recorded', async () => {
    assert.equal(await modifications.record(git.id, changes(1, 5)), 5);
    assert.equal(await modifications.record(git.id, [change(4), change(6), change(6), change(5), change(7)]), 2);
    const { total, modifications: page } = await modifications.page(git.id, 0, 10);
    assert.equal(total, 7);
    assert.deepEqual(revisionsOf(page), ['r7', 'r6', 'r5', 'r4', 'r3', 'r2', 'r1']);
    assert.deepEqual(
      page.map(({ ordinal }) => ordinal),
      [7, 6, 5, 4, 3, 2, 1],
    );
  });

  test('the start of the next poll is recorded, also when a repository goes back to a known revision', async () => {
    await modifications.record(git.id, changes(1, 3));
    assert.equal((await materials.find('aa'))!.lastRevision, 'r3');
    assert.equal(await modifications.record(git.id, [change(1)]), 0);
    const { lastRevision, modificationCount } = (await materials.find('aa'))!;
    assert.deepEqual([lastRevision, modificationCount], ['r1', 3]);
  });

  test('one revision of two materials is recorded twice, and ids grow over both, and after a restart', async () => {
    const other = await materials.ensure({ fingerprint: 'bb', type: 'hg', description: 'URL: https://scm.example.org/hg' });
    await modifications.record(git.id, changes(1, 2));
    await modifications.record(other.id, changes(1, 2));
    await database.close();
    await open();
    await modifications.record(git.id, [change(3)]);
    const ids = async (id: number) => (await modifications.page(id, 0, 10)).modifications.map((one) => one.id);
    assert.deepEqual(await ids(git.id), [5, 2, 1]);
    assert.deepEqual(await ids(other.id), [4, 3]);
  });

  test('modifications of one material are recorded one after the other', async () => {
    const counts = await Promise.all([
      modifications.record(git.id, changes(1, 150)),
      modifications.record(git.id, changes(100, 250)),
      modifications.record(git.id, changes(1, 250)),
    ]);
    assert.deepEqual(counts, [150, 100, 0]);
    assert.equal((await modifications.page(git.id, 0, 1)).total, 250);
  });

  test('a modification of an unknown material fails, and nothing stays', async () => {
    await assert.rejects(modifications.record(99, changes(1, 1)));
    assert.equal(await modifications.record(git.id, changes(1, 1)), 1);
  });

  test('a long history is recorded in steps, so that others have their turn and the log is moved in time', ABOUT_EMBEDDED, async () => {
    let recorded = 0;
    await assertInPieces('recording', async () => {
      for (const end = recorded + 10_000; recorded < end; recorded += 500)
        await modifications.record(git.id, changes(recorded + 1, recorded + 500));
    });
    assert.equal((await modifications.page(git.id, 0, 1)).total, recorded);
    const log = statSync(join(directory, 'test.db-wal')).size;
    // The log is moved at 4,000 pages; a commit or two may come before that is noticed.
    assert.ok(log < 24 * 1024 * 1024, `${log} bytes`);
  });

  test('a modification with very many files does not stop the server', async () => {
    const files = Array.from({ length: 30_000 }, (_, index) => ({ name: `folder/file-${index}`, action: 'added' as const }));
    let turns = 0;
    const ticking = setInterval(() => turns++, 1);
    await modifications.record(git.id, [change(1), change(2, files), change(3)]);
    clearInterval(ticking);
    const { modifications: page } = await modifications.page(git.id, 0, 10);
    assert.deepEqual(revisionsOf(page), ['r3', 'r2', 'r1']);
    assert.equal((await modifications.filesOf(page[1]!.id)).length, files.length);
    assert.ok(turns > 10, `${turns} turns`);
  });
});

describe('reading', () => {
  beforeEach(async () => {
    await modifications.record(git.id, changes(1, 1234));
  });

  for (const [offset, limit, first, last] of [
    [0, 10, 'r1234', 'r1225'],
    [10, 10, 'r1224', 'r1215'],
    [1000, 3, 'r234', 'r232'],
    [1230, 10, 'r4', 'r1'],
    [1233, 10, 'r1', 'r1'],
  ] as const) {
    test(`a page has ${limit} modifications from offset ${offset}`, async () => {
      const { total, modifications: page } = await modifications.page(git.id, offset, limit);
      assert.deepEqual([total, page[0]!.revision, page.at(-1)!.revision], [1234, first, last]);
      assert.equal(page.length, Math.min(limit, 1234 - offset));
    });
  }

  test('a page after the end is empty, but has the total', async () => {
    assert.deepEqual(await modifications.page(git.id, 1234, 10), { total: 1234, modifications: [] });
    assert.deepEqual(await modifications.page(git.id, Number.MAX_SAFE_INTEGER, 10), { total: 1234, modifications: [] });
  });

  test('a material that was never polled has none', async () => {
    const { id } = await materials.ensure({ fingerprint: 'cc', type: 'git', description: '' });
    assert.deepEqual(await modifications.page(id, 0, 10), { total: 0, modifications: [] });
  });

  test('modifications after another one come oldest first', async () => {
    assert.deepEqual(revisionsOf(await modifications.after(git.id, 1231, 100)), ['r1232', 'r1233', 'r1234']);
    assert.deepEqual(revisionsOf(await modifications.after(git.id, 0, 2)), ['r1', 'r2']);
  });
});

describe('materials', () => {
  test('have one row for each fingerprint, with a directory of its own', async () => {
    const again = await materials.ensure({ fingerprint: 'aa', type: 'git', description: 'URL: moved' });
    const other = await materials.ensure({ fingerprint: 'bb', type: 'git', description: 'URL: other' });
    assert.deepEqual({ ...again, description: git.description }, git);
    assert.notEqual(other.directory, git.directory);
    assert.deepEqual(
      (await materials.all()).map(({ fingerprint, description }) => [fingerprint, description]),
      [
        ['aa', 'URL: moved'],
        ['bb', 'URL: other'],
      ],
    );
    assert.equal(await materials.find('cc'), undefined);
  });

  test('keep the data of a plugin', async () => {
    await materials.keepData(git.id, '{"branches":{}}');
    assert.equal((await materials.find('aa'))!.data, '{"branches":{}}');
  });

  test('know when they were polled, and how often that failed in a row', async () => {
    const at = (second: number) => new Date(START + second * 1000);
    const polls = async () => {
      await materials.writePolls();
      const { pollCount, polledAt, failures, failedAt, failedBeforeAt, failure } = (await materials.find('aa'))!;
      return { pollCount, polledAt, failures, failedAt, failedBeforeAt, failure };
    };
    const well = { failures: 0, failedAt: undefined, failedBeforeAt: undefined, failure: undefined };
    assert.deepEqual(await polls(), { pollCount: 0, polledAt: undefined, ...well });
    materials.polled(git.id, { at: at(1) });
    assert.deepEqual(await polls(), { pollCount: 1, polledAt: at(1), ...well });
    materials.polled(git.id, { at: at(2), failure: 'no' });
    materials.polled(git.id, { at: at(3), failure: 'still no' });
    const failing = { failures: 2, failedAt: at(3), failedBeforeAt: at(2), failure: 'still no' };
    assert.deepEqual(await polls(), { pollCount: 3, polledAt: at(1), ...failing });
    materials.polled(git.id, { at: at(4) });
    assert.deepEqual(await polls(), { pollCount: 4, polledAt: at(4), ...well });
  });
});
