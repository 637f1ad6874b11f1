// The history while it is being written: readers never fail, and a writer that is killed at any moment loses nothing.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { HistoryReader, HistoryRepository } from '../../src/kit/git/history.ts';
import { documentAt, lastNote, openNotes } from '../support/database/append-forever.ts';
import { fsck, git, tryGit } from '../support/git.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { ensureDebianPackages } from '../support/services/debian.ts';

const ROUNDS = Number(process.env.TEST_ROUNDS ?? 3);
const MAX_LOAD_MS = 150;
const MIN_BATCHES = 3;
const SHORTEST_READING_MS = 1_000;
const program = join(import.meta.dirname, '..', 'support', 'database', 'append-forever.ts');
const directories: string[] = [];
let writer: ChildProcess | undefined;

before(() => ensureDebianPackages(['git']));
after(() => {
  writer?.kill('SIGKILL');
  for (const directory of directories) rmSync(directory, { recursive: true, force: true });
});

function newDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'slipway-history-'));
  directories.push(directory);
  return directory;
}

async function startWriter(directory: string, maxBatch: number, pauseMs = 0): Promise<ChildProcess> {
  const child = spawn(process.execPath, [program, directory, String(maxBatch), String(pauseMs)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  writer = child;
  await once(child.stdout!, 'data');
  child.stdout!.resume();
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  const [, signal] = await gone;
  assert.equal(signal, 'SIGKILL', 'it ran until it was killed');
}

/** Whether to go on: for a while, and until there was enough, but not for ever. */
function during(isEnough: () => boolean): () => boolean {
  const startedAt = performance.now();
  return () => {
    const ms = performance.now() - startedAt;
    return ms < SHORTEST_READING_MS || (!isEnough() && ms < PATIENCE_MS);
  };
}

test(`the history loses and doubles nothing when its writer is killed, ${ROUNDS} times`, async () => {
  const directory = newDirectory();
  const repository = join(directory, 'history.git');
  let before = 0;
  for (let round = 1; round <= ROUNDS; round++) {
    const child = await startWriter(directory, 10);
    for (let batch = 0; batch < MIN_BATCHES; batch++) await once(child.stdout!, 'data');
    await pause(randomInt(MAX_LOAD_MS));
    await kill(child);
    const asLeft = await fsck(repository);
    assert.doesNotMatch(asLeft, /code|error|missing|broken/, `round ${round}, as it was left: ${asLeft}`);

    const notes = openNotes(directory);
    const last = lastNote(notes);
    assert.ok(new HistoryRepository(repository).recover(last?.commit_id), `round ${round}`);
    const recovered = await fsck(repository);
    const noted = notes.prepare('select commit_id from notes order by revision').all() as { commit_id: string }[];
    notes.close();
    if (!last) continue; // killed before anything was noted
    assert.equal(recovered, '', `round ${round}: recovered`);
    assert.deepEqual(
      (await git(repository, 'log', '--reverse', '--format=%H|%s')).trim().split('\n'),
      noted.map(({ commit_id }, index) => `${commit_id}|Revision ${index + 1}`),
      `round ${round}`,
    );
    assert.equal(await git(repository, 'show', 'master:document.xml'), String(documentAt(last.revision).text), `round ${round}`);
    assert.ok(last.revision >= before, `round ${round}`);
    before = last.revision;
  }
  assert.ok(before > ROUNDS * 5, `only ${before} revisions were written: that tests nothing`);
  const files = readdirSync(join(repository, 'objects', 'pack'));
  assert.equal(files.length, 2 * files.filter((file) => file.endsWith('.idx')).length, 'packs and their indexes, nothing else');
});

test('clones, fetches, looks and reads never fail while packs are replaced', async () => {
  const directory = newDirectory();
  const repository = join(directory, 'history.git');
  const child = await startWriter(directory, 2, 20);
  await pause(500);
  const notes = openNotes(directory);
  const someBlob = notes.prepare('select blob from notes order by random() limit 1');
  const numbers = { clones: 0, fetches: 0, looks: 0, reads: 0 };
  const isEnough = () => numbers.clones > 3 && numbers.fetches > 3 && numbers.looks > 3 && numbers.reads > 20;
  const goesOn = during(isEnough);
  const repeat = async (action: (turn: number) => Promise<void>) => {
    for (let turn = 0; goesOn(); turn++) await action(turn);
  };
  await Promise.all([
    repeat(async (turn) => {
      const copy = join(directory, `copy-${turn}.git`);
      const { code, stderr } = await tryGit(directory, 'clone', '--quiet', '--bare', '--no-local', repository, copy);
      assert.equal(code, 0, stderr);
      assert.equal(await fsck(copy), '');
      numbers.clones++;
    }),
    repeat(async (turn) => {
      const copy = join(directory, 'fetching.git');
      const { code, stderr } = await (turn === 0
        ? tryGit(directory, 'clone', '--quiet', '--mirror', '--no-local', repository, copy)
        : tryGit(copy, 'fetch', '--quiet'));
      assert.equal(code, 0, stderr);
      numbers.fetches++;
    }),
    repeat(async () => {
      const { code, stderr } = await tryGit(repository, 'log', '-p', '--format=%H', '-5', '--stat');
      assert.equal(code, 0, stderr);
      numbers.looks++;
    }),
    repeat(async () => {
      const { blob } = someBlob.get() as { blob: string };
      assert.ok((await new HistoryReader(repository).readBlob(blob))!.length > 0);
      numbers.reads++;
    }),
  ]);
  const written = lastNote(notes)!.revision;
  notes.close();
  await kill(child);
  assert.ok(isEnough(), JSON.stringify({ ...numbers, written }));
});

test('git finds nothing wrong while a history is being written', async () => {
  const directory = newDirectory();
  const child = await startWriter(directory, 10, 200);
  let checks = 0;
  for (const goesOn = during(() => checks > 3); goesOn(); checks++) {
    assert.doesNotMatch(await fsck(join(directory, 'history.git')), /code|error|missing|broken/);
  }
  await kill(child);
  assert.ok(checks > 3, `${checks} checks`);
});
