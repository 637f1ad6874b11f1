// A snapshot: also during writes and moves, the copy of its files opens to exactly the state that its reader saw.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, mkdirSync, mkdtempSync, openSync, readSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { openSnapshot, type SnapshotFile } from '../../src/store/sqlite/snapshot.ts';

const ROUNDS = 40;
const PIECE = 64 * 1024;
const writeLoad = join(import.meta.dirname, '..', 'support', 'database', 'write-load.ts');

test('a copy made while another process writes, moves the log and starts it anew is exactly the snapshot', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'slipway-snapshot-'));
  const path = join(directory, 'live.db');
  const writer = spawn(process.execPath, [writeLoad, path], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    await once(writer.stdout, 'data');
    const seen = new Set<string>();
    for (let round = 0; round < ROUNDS; round++) {
      await delay(20 * Math.random());
      const snapshot = openSnapshot(path);
      const copies = join(directory, String(round));
      mkdirSync(copies);
      const handles: number[] = [];
      for (const file of snapshot.files) handles.push(await copySlowly(file, join(copies, file.name)));
      const wanted = contentOf(snapshot.reader);
      snapshot.close();
      for (const handle of handles) closeSync(handle);
      const copy = new DatabaseSync(join(copies, 'live.db'));
      assert.deepEqual(copy.prepare('PRAGMA integrity_check').all().map(Object.values), [['ok']], `round ${round}`);
      assert.equal(contentOf(copy), wanted, `round ${round}`);
      copy.close();
      seen.add(wanted);
    }
    assert.ok(seen.size > ROUNDS / 2, `the database changed only ${seen.size} times: that tests nothing`);
  } finally {
    writer.kill('SIGKILL');
    await once(writer, 'exit');
    rmSync(directory, { recursive: true, force: true });
  }
});

/** Piece by piece, with time in between for the writer; returns the handle, which must not be closed yet. */
async function copySlowly({ path, bytes }: SnapshotFile, to: string): Promise<number> {
  const handle = openSync(path, 'r');
  const piece = Buffer.alloc(PIECE);
  for (let at = 0; at < bytes; ) {
    const read = readSync(handle, piece, 0, Math.min(PIECE, bytes - at), at);
    if (read === 0) break;
    writeFileSync(to, piece.subarray(0, read), { flag: 'a' });
    at += read;
    if (Math.random() < 0.1) await delay(1);
  }
  return handle;
}

function contentOf(database: DatabaseSync): string {
  const hash = createHash('sha256');
  for (const row of database.prepare('select id, batch, text from rows order by id').iterate()) hash.update(JSON.stringify(row));
  hash.update(JSON.stringify(database.prepare('select * from sums').all()));
  const sums = database.prepare('select count(*) as rows, coalesce(sum(length(text)), 0) as bytes from rows').get();
  const { rows, bytes } = database.prepare('select rows, bytes from sums').get()!;
  assert.deepEqual({ ...sums }, { rows, bytes }, 'a transaction is there whole or not at all');
  return hash.digest('hex');
}
