// Transactions that share a commit: each is whole or not there, and none suffers from another.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, beforeEach, test } from 'node:test';
import { GroupCommit } from './group-commit.ts';
import type { Transaction } from './writer-messages.ts';

const directory = mkdtempSync(join(tmpdir(), 'slipway-group-'));
const opened: { close(): void }[] = [];
let commits: GroupCommit;
let reader: DatabaseSync;

beforeEach(() => {
  const path = join(directory, `${opened.length}.db`);
  reader = new DatabaseSync(path);
  reader.exec('PRAGMA journal_mode = WAL; CREATE TABLE numbers (number INTEGER PRIMARY KEY, text TEXT)');
  commits = new GroupCommit(path);
  opened.push(commits, reader);
});

after(() => {
  for (const one of opened) one.close();
  rmSync(directory, { recursive: true });
});

const numbers = () =>
  reader
    .prepare('SELECT number FROM numbers ORDER BY number')
    .all()
    .map(({ number }) => number);
const framesInLog = () => Number(reader.prepare('PRAGMA wal_checkpoint(NOOP)').get()!.log);
const adding = (id: number, added: readonly number[], more: Partial<Transaction> = {}): Transaction => ({
  id,
  statements: added.map((number) => ({ sql: 'INSERT INTO numbers (number) VALUES (?) RETURNING number', parameters: [number] })),
  isDurable: true,
  wantsResults: false,
  ...more,
});

test('all transactions of a group are in one commit', () => {
  const before = framesInLog();
  const answers = commits.commit([adding(1, [1]), adding(2, [2], { isDurable: false }), adding(3, [3])]);
  assert.deepEqual(
    answers,
    [1, 2, 3].map((id) => ({ id, results: [] })),
  );
  assert.deepEqual([numbers(), framesInLog() - before], [[1, 2, 3], 1], 'the one page that has changed was written once');
});

test('transactions that want their results get them', () => {
  const change = { sql: 'UPDATE numbers SET text = ? WHERE number > ?', parameters: ['new', 1] };
  const [, second, third] = commits.commit([
    adding(1, [1, 2, 3]),
    adding(2, [4, 5], { wantsResults: true }),
    { id: 3, statements: [change], isDurable: true, wantsResults: true },
  ]);
  assert.ok(second && 'results' in second && third && 'results' in third);
  assert.deepEqual(
    second.results.map(({ rows }) => rows.map((row) => ({ ...row }))),
    [[{ number: 4 }], [{ number: 5 }]],
  );
  assert.equal(third.results[0]!.changes, 4);
});

test('a failed transaction leaves nothing, and the others are committed', () => {
  const answers = commits.commit([adding(1, [1]), adding(2, [2, 1]), adding(3, [3])]);
  assert.deepEqual(
    answers.map((answer) => ('failure' in answer ? [answer.id, answer.failure] : answer.id)),
    [1, [2, { message: 'UNIQUE constraint failed: numbers.number', code: 'ERR_SQLITE_ERROR', errcode: 1555 }], 3],
  );
  assert.deepEqual(numbers(), [1, 3]);
  assert.deepEqual(commits.commit([adding(4, [4])]), [{ id: 4, results: [] }]);
});

test('a long log is moved into the file, a short one is not', () => {
  const left = () => {
    const { log, checkpointed } = reader.prepare('PRAGMA wal_checkpoint(NOOP)').get() as { log: number; checkpointed: number };
    return log - checkpointed;
  };
  const long = {
    sql: "INSERT INTO numbers (text) SELECT hex(zeroblob(2000)) FROM json_each('[' || substr(replace(hex(zeroblob(?)), '00', ',1'), 2) || ']')",
  };
  const adds = (rows: number) => ({ ...adding(1, []), statements: [{ ...long, parameters: [rows] }] });
  commits.commit([adds(1000)]);
  commits.checkpoint();
  assert.ok(left() > 0, 'it stays where it is');
  commits.commit([adds(4000)]);
  commits.checkpoint();
  assert.equal(left(), 0);
  assert.equal(numbers().length, 5000);
});
