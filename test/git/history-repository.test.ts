// The history as git sees it: every revision is there, nothing is wrong with it at any time, and it comes out the same each time.
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type CommittedFile, type FileRevision, HistoryReader, HistoryRepository } from '../../src/kit/git/history.ts';
import { ChangingDocument } from '../support/configuration/changing-document.ts';
import { fsck, git, showAll, tryGit } from '../support/git.ts';
import { ensureDebianPackages } from '../support/services/debian.ts';

const directory = mkdtempSync(join(tmpdir(), 'slipway-history-'));
let count = 0;

before(() => ensureDebianPackages(['git']));
after(() => rmSync(directory, { recursive: true, force: true }));

const newPath = () => join(directory, String(++count));

/** Replaced packs are removed at once, without waiting for readers. */
const AT_ONCE = { stayMs: 0 };

function newRepository(path = newPath(), options = {}): HistoryRepository {
  return reopened(path, undefined, options);
}

function reopened(path: string, commit: string | undefined, options = {}): HistoryRepository {
  const repository = new HistoryRepository(path, options);
  assert.ok(repository.recover(commit));
  return repository;
}

function write(repository: HistoryRepository, revisions: readonly FileRevision[]): readonly CommittedFile[] {
  const prepared = repository.prepare(revisions);
  prepared.publish();
  return prepared.results;
}

const packsOf = (path: string) => readdirSync(join(path, 'objects', 'pack')).filter((file) => file.endsWith('.pack'));
const contentAt = (path: string, commit: string) => git(path, 'show', `${commit}:document.xml`);
/** The contents at many commits, asked for together. */
const contentsAt = (path: string, commits: readonly string[]) =>
  showAll(
    path,
    commits.map((commit) => `${commit}:document.xml`),
  );

describe('one commit for each revision', () => {
  test('git finds nothing wrong after any batch, and shows each revision as it was', async () => {
    const repository = newRepository();
    const document = new ChangingDocument(30, 20);
    const expected: { commit: string; blob: string; text: string }[] = [];
    for (const size of [1, 1, 2, 1, 30, 7, 1, 100]) {
      const texts: string[] = [];
      const batch = Array.from({ length: size }, () => {
        const revision = document.next();
        texts.push(String(document.text));
        return revision;
      });
      for (const [index, result] of write(repository, batch).entries()) expected.push({ ...result, text: texts[index]! });
      assert.equal(await fsck(repository.directory), '');
    }
    const log = (await git(repository.directory, 'log', '--reverse', '--format=%H|%an|%ae|%at|%ct|%s')).trim().split('\n');
    assert.deepEqual(
      log,
      expected.map(({ commit }, index) => {
        const [revision, time] = [index + 1, 1_700_000_001 + index];
        return `${commit}|user-${revision % 7}|user-${revision % 7}|${time}|${time}|Revision ${revision}`;
      }),
    );
    const shown = contentsAt(
      repository.directory,
      expected.map(({ commit }) => commit),
    );
    for (const [index, { blob, text }] of expected.entries()) {
      assert.equal(shown[index], text);
      assert.equal(String(Buffer.concat((await new HistoryReader(repository.directory).readBlob(blob))!)), text);
    }
  });

  test('a revision that changed nothing, and one that takes back the last, store nothing twice', async () => {
    const repository = newRepository();
    const document = new ChangingDocument(3, 5);
    const [first, other] = [document.next(), document.next()];
    const same = { ...other, chunks: other.chunks.map((chunk) => Buffer.from(chunk)) };
    const results = write(repository, [first, first, document.unchanged(), other, same, first, other]);
    assert.deepEqual(
      results.map(({ blob }) => results.findIndex((one) => one.blob === blob)),
      [0, 0, 2, 2, 2, 0, 2],
    );
    assert.equal(new Set(results.map(({ commit }) => commit)).size, 7);
    assert.equal(await fsck(repository.directory), '');
    const counted = await git(repository.directory, 'count-objects', '-v');
    assert.match(counted, /^in-pack: 11$/m, 'seven commits, two trees, two blobs');
    const again = reopened(repository.directory, results.at(-1)!.commit);
    assert.equal(write(again, [other])[0]!.blob, results.at(-1)!.blob);
    assert.match(await git(repository.directory, 'rev-list', '--count', 'master'), /^8$/m);
  });

  test('names, messages and documents of every kind are stored', async () => {
    const repository = newRepository();
    const facts = { fileName: 'document.xml', time: new Date(0), message: 'm', author: 'a' };
    const chunks = [Buffer.from('x')];
    const strange: FileRevision[] = [
      { ...facts, chunks: [] },
      { ...facts, chunks: [Buffer.alloc(0), Buffer.from('now something'), Buffer.alloc(0)] },
      { ...facts, chunks, author: 'Eve <eve@example.org>\nauthor Bob <b> 1 +0000' },
      { ...facts, chunks, author: '' },
      { ...facts, chunks, author: '<>\u0000' },
      { ...facts, chunks, author: 'Zoë 🚀 \ud800' },
      { ...facts, chunks, message: '' },
      { ...facts, chunks, message: 'a\u0000b\u001b[31mred\r\nnext\tline' },
      { ...facts, chunks, time: new Date(-5) },
      { ...facts, chunks, time: new Date('2125-01-01') },
    ];
    write(repository, strange);
    assert.equal(await fsck(repository.directory), '');
    const log = (await git(repository.directory, 'log', '--reverse', '--format=%an|%B|%at%x00')).split('\0\n');
    assert.equal(log[2], 'Eve  eve@example.org author Bob  b  1 +0000|m\n|0');
    assert.equal(log[3], 'unknown|m\n|0');
    assert.equal(log[5], 'Zoë 🚀 \ufffd|m\n|0');
    assert.equal(log[7], 'a|a b [31mred\nnext\tline\n|0');
    assert.equal(await contentAt(repository.directory, 'master~9'), '');
    assert.equal(await contentAt(repository.directory, 'master~8'), 'now something');
  });

  test('the same revisions give the same commits, in any batches and with any restarts', async () => {
    const results = [[300], [1, 2, 3, 294], [150, 150]].map((batches) => {
      const document = new ChangingDocument(20, 10);
      const path = newPath();
      let last: string | undefined;
      return batches.flatMap((size) => {
        const written = write(reopened(path, last), document.many(size));
        last = written.at(-1)!.commit;
        return written;
      });
    });
    assert.deepEqual(results[1], results[0]);
    assert.deepEqual(results[2], results[0]);
  });
});

describe('the commit that is noted elsewhere decides', () => {
  test('a batch that was never noted is forgotten, and comes out the same again', async () => {
    const document = new ChangingDocument(20, 10);
    const repository = newRepository();
    const { directory: path } = repository;
    const noted = write(repository, document.many(5)).at(-1)!.commit;
    const forgotten = repository.prepare(document.many(3));
    assert.throws(() => repository.prepare([]), /must be recovered first/);
    assert.match(await git(path, 'rev-parse', 'master'), new RegExp(noted), 'nobody sees what is not published');
    const again = reopened(path, noted);
    assert.equal(await fsck(path), '', 'nothing dangles');
    const repeated = new ChangingDocument(20, 10);
    repeated.many(5);
    assert.deepEqual(write(again, repeated.many(3)), forgotten.results);
    assert.equal(await fsck(path), '');
  });

  test('a batch that was never noted is forgotten, also when it was written together with one that was', async () => {
    const document = new ChangingDocument(20, 10);
    const repository = newRepository();
    const { directory: path } = repository;
    // After these the next one is a pack of its own, and the one after it has everything in it.
    for (const size of [3, 1, 1]) write(repository, document.many(size));
    const noted = write(repository, document.many(2)).at(-1)!.commit;
    repository.prepare(document.many(10));
    const again = reopened(path, noted);
    assert.equal(await fsck(path), '', 'nothing dangles');
    assert.match(await git(path, 'rev-list', '--count', 'master'), /^7$/m);
    write(again, document.many(1));
    assert.equal(await fsck(path), '');
  });

  test('a batch that was noted but not published is published', async () => {
    const document = new ChangingDocument(20, 10);
    const repository = newRepository();
    const { directory: path } = repository;
    for (const size of [4, 1, 1]) write(repository, document.many(size));
    const { results } = repository.prepare(document.many(600));
    assert.match(await git(path, 'rev-list', '--count', 'master'), /^6$/m);
    assert.equal(await fsck(path), '', 'nobody sees what is not published');
    const again = reopened(path, results.at(-1)!.commit, AT_ONCE);
    assert.match(await git(path, 'rev-list', '--count', 'master'), /^606$/m);
    assert.equal(packsOf(path).length, 3, 'replaced packs are gone');
    write(again, document.many(1));
    assert.equal(await fsck(path), '');
  });

  test('a crash in the middle of publishing is made up for', async () => {
    const document = new ChangingDocument(20, 10);
    const repository = newRepository();
    const { directory: path } = repository;
    write(repository, document.many(3));
    const { results } = repository.prepare(document.many(300));
    const packs = join(path, 'objects', 'pack');
    const [hidden] = readdirSync(packs).filter((file) => file.startsWith('tmp_pack_'));
    renameSync(join(packs, hidden!), join(packs, `${hidden!.slice('tmp_pack_'.length)}.pack`));
    reopened(path, results.at(-1)!.commit);
    assert.match(await git(path, 'rev-list', '--count', 'master'), /^303$/m);
    assert.equal(await fsck(path), '');
    assert.deepEqual(
      readdirSync(packs).filter((file) => file.startsWith('tmp_')),
      [],
    );
  });

  test('an older note takes the history back, over the bounds of packs', async () => {
    const document = new ChangingDocument(5, 5);
    const repository = newRepository();
    const { directory: path } = repository;
    const written = write(repository, document.many(700));
    reopened(path, written[499]!.commit);
    assert.match(await git(path, 'rev-list', '--count', 'master'), /^500$/m);
    assert.equal(packsOf(path).length, 2);
    assert.doesNotMatch(await fsck(path), /error|missing|broken/);
  });

  test('if the noted commit is missing, the history begins anew', async () => {
    for (const damage of ['unknown commit', 'broken pack', 'no packs']) {
      const path = newPath();
      const repository = newRepository(path);
      const last = write(repository, new ChangingDocument(5, 5).many(3)).at(-1)!.commit;
      const pack = join(path, 'objects', 'pack', packsOf(path)[0]!);
      if (damage === 'broken pack') {
        rmSync(pack);
        writeFileSync(pack, 'PACK');
      }
      if (damage === 'no packs') rmSync(join(path, 'objects'), { recursive: true });
      assert.equal(new HistoryRepository(path).recover(damage === 'unknown commit' ? 'e'.repeat(40) : last), false, damage);
      assert.equal((await tryGit(path, 'rev-parse', '--verify', '--quiet', 'master')).code, 1, damage);
      write(newRepository(path), new ChangingDocument(5, 5).many(3));
      assert.match(await git(path, 'rev-parse', 'master'), new RegExp(last), damage);
      assert.equal(await fsck(path), '', damage);
    }
  });

  test('unfinished files of a crash are removed', () => {
    const path = newPath();
    const repository = newRepository(path);
    const last = write(repository, new ChangingDocument(5, 5).many(3)).at(-1)!.commit;
    const packs = join(path, 'objects', 'pack');
    const files = readdirSync(packs).toSorted();
    for (const name of ['tmp_pack_1', 'tmp_idx_1', `pack-${'0'.repeat(40)}.pack`]) writeFileSync(join(packs, name), 'PACK');
    writeFileSync(join(path, 'refs', 'heads', 'master.lock'), 'half');
    write(reopened(path, last), []);
    assert.deepEqual(readdirSync(packs).toSorted(), files);
  });
});

describe('many revisions', () => {
  const BATCH = 20;
  const BATCHES = process.env.TEST_ROUNDS === undefined ? 50 : 100;
  const REVISIONS = BATCHES * BATCH;
  const path = newPath();
  const texts = new Map<number, Buffer>();
  let results: readonly CommittedFile[] = [];

  before(() => {
    const repository = newRepository(path, AT_ONCE);
    const document = new ChangingDocument(100, 75);
    assert.ok(document.text.length > 200_000);
    results = Array.from({ length: BATCHES }, (_, batch) => {
      const written = write(repository, document.many(BATCH));
      texts.set((batch + 1) * BATCH - 1, document.text);
      return written;
    }).flat();
    repository.putTogether();
  });

  test('many revisions of a document of 200 KB stay small, and git finds nothing wrong', async () => {
    reopened(path, results.at(-1)!.commit);
    assert.equal(await fsck(path), '');
    assert.equal(Number(await git(path, 'rev-list', '--count', 'master')), REVISIONS);
    const counted = await git(path, 'count-objects', '-v');
    assert.match(counted, new RegExp(`^packs: ${REVISIONS / 250}$`, 'm'));
    const [, kilobytes] = /^size-pack: (\d+)$/m.exec(counted)!;
    assert.ok(Number(kilobytes) < 2 * REVISIONS, `${kilobytes} KB`);
    for (const [index, text] of texts) {
      assert.ok(Buffer.concat((await new HistoryReader(path).readBlob(results[index]!.blob))!).equals(text), `revision ${index + 1}`);
    }
  });

  test('no delta is deeper than git itself makes them', async () => {
    for (const pack of packsOf(path)) {
      const depths = [...(await git(path, 'verify-pack', '-s', join('objects', 'pack', pack))).matchAll(/^chain length = (\d+)/gm)];
      assert.ok(depths.length > 5);
      for (const [, depth] of depths) assert.ok(Number(depth) <= 20, `${depth} deep`);
    }
  });

  test('a clone has all revisions', async () => {
    const copy = newPath();
    await git(directory, 'clone', '--quiet', '--bare', '--no-local', path, copy);
    assert.equal(Number(await git(copy, 'rev-list', '--count', 'master')), REVISIONS);
    assert.equal(await fsck(copy), '');
    const indexes = [...texts.keys()].filter((_, index) => index % 10 === 0);
    const shown = contentsAt(
      copy,
      indexes.map((index) => results[index]!.commit),
    );
    for (const [shownIndex, index] of indexes.entries()) assert.equal(shown[shownIndex], String(texts.get(index)));
  });

  test('restarts after each revision make neither many packs nor deep deltas', async () => {
    const document = new ChangingDocument(50, 50);
    const restarted = newPath();
    let last: string | undefined;
    for (let revision = 0; revision < 60; revision++) {
      const repository = reopened(restarted, last, AT_ONCE);
      last = write(repository, [document.next()])[0]!.commit;
      repository.putTogether();
    }
    assert.equal(await fsck(restarted), '');
    assert.equal(await contentAt(restarted, last!), String(document.text));
    assert.ok(packsOf(restarted).length <= 5, `${packsOf(restarted).length} packs`);
    const [, kilobytes] = /^size-pack: (\d+)$/m.exec(await git(restarted, 'count-objects', '-v'))!;
    assert.ok(Number(kilobytes) < 200, `${kilobytes} KB`);
  });

  test('crashes make neither many packs nor deep deltas, although more is left for the next start', async () => {
    const document = new ChangingDocument(20, 20);
    const crashed = newPath();
    let last: string | undefined;
    let maxPacks = 0;
    for (let revision = 0; revision < 300; revision++) {
      last = write(reopened(crashed, last, AT_ONCE), [document.next()])[0]!.commit;
      maxPacks = Math.max(maxPacks, packsOf(crashed).length);
    }
    assert.ok(maxPacks <= 40, `${maxPacks} packs`);
    assert.equal(await fsck(crashed), '');
    assert.match(await git(crashed, 'rev-list', '--count', 'master'), /^300$/m);
    const again = reopened(crashed, last, AT_ONCE);
    again.putTogether();
    again.putTogether();
    assert.ok(packsOf(crashed).length <= 10, `${packsOf(crashed).length} packs`);
    assert.equal(await fsck(crashed), '');
    assert.equal(await contentAt(crashed, last!), String(document.text));
  });
});

describe('packs that were replaced', () => {
  test('stay for their readers, also over restarts, until their time is over', async () => {
    const path = newPath();
    const repository = newRepository(path);
    const document = new ChangingDocument(10, 10);
    const batches = [1, 1, 2, 4, 8].map((size) => write(repository, document.many(size)));
    const last = batches.at(-1)!.at(-1)!.commit;
    const written = packsOf(path).toSorted();
    assert.equal(written.length, batches.length, 'each time all of it in one pack, as long as it is small');
    reopened(path, last);
    assert.deepEqual(packsOf(path).toSorted(), written);
    assert.equal(await fsck(path), '');
    reopened(path, last, { stayMs: 60_000 });
    assert.equal(packsOf(path).length, written.length);
    const old = new Date(Date.now() - 61_000);
    for (const pack of written.slice(0, 2)) utimesSync(join(path, 'objects', 'pack', pack.replace('.pack', '.idx')), old, old);
    const again = reopened(path, last, { stayMs: 60_000 });
    assert.deepEqual(packsOf(path).toSorted(), written.slice(2));
    write(again, document.many(1));
    assert.equal(await fsck(path), '');
  });

  test('a small batch after many is a small pack, and the time comes when it is put together with the others', () => {
    const path = newPath();
    const repository = newRepository(path, AT_ONCE);
    const document = new ChangingDocument(10, 10);
    write(repository, document.many(100));
    const counts = Array.from({ length: 40 }, () => {
      write(repository, document.many(1));
      return packsOf(path).length;
    });
    assert.deepEqual(counts.slice(0, 33), [...Array.from({ length: 31 }, (_, at) => at + 2), 1, 2]);
  });
});
