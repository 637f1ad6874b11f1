// Files are read in threads: a file that hangs or ends its thread never keeps the others from being read.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { fromOutline, packed, unpacked } from '../../src/config-repos/parsing/packed.ts';
import { ParseFailure, ParserPool } from '../../src/config-repos/parsing/pool.ts';
import type { ParsedFile } from '../../src/contracts/plugins/config-repo.ts';
import { PATIENCE_MS, withGrowingLimits } from '../support/patience.ts';

const THREAD = new URL('./support/hostile-parser-thread.ts', import.meta.url);

let started: Worker[];
let pool: ParserPool;
beforeEach(() => {
  started = [];
  pool = poolWith(PATIENCE_MS);
});
afterEach(() => pool.close());

function poolWith(limitMs: number): ParserPool {
  return new ParserPool({
    startThread: () => {
      const worker = new Worker(THREAD, { resourceLimits: { maxOldGenerationSizeMb: 64 } });
      started.push(worker);
      return worker;
    },
    maxThreads: 2,
    limitMs,
    idleMs: 200,
  });
}

const parse = (plugin: string, text = 'web') => pool.parse(plugin, { path: 'a.yaml', as: 'definitions' }, Buffer.from(text));
const refused = (message: RegExp) => (failure: unknown) => failure instanceof ParseFailure && message.test(failure.message);

test('a few threads parse many files, each with its own result', async () => {
  const names = Array.from({ length: 50 }, (_, count) => `p${count}`);
  const answers = await Promise.all(names.map((name) => parse('plain', name)));
  assert.deepEqual(
    answers.map((answer) => unpacked('a.yaml', answer).pipelines[0]!.name),
    names,
  );
  assert.equal(started.length, 2);
});

for (const [plugin, message] of [
  ['greedy', /^Reading the file takes more memory than a file may\.$/],
  ['ending', /^The thread that reads files has ended\./],
  ['failing', /^The plugin failed to read this file\.$/],
] as const) {
  test(`a file that is ${plugin} is reported, and the next ones are read`, () => assertOthersAreRead(plugin, message));
}

test('a file that is endless is reported, and the next ones are read', () =>
  withGrowingLimits(async (factor) => {
    await pool.close();
    pool = poolWith(1000 * factor);
    await assertOthersAreRead('endless', /^Reading the file takes longer than \d+ seconds?\.$/);
  }));

async function assertOthersAreRead(plugin: string, message: RegExp): Promise<void> {
  const bad = assert.rejects(parse(plugin), refused(message));
  const others = Array.from({ length: 5 }, () => parse('plain'));
  await bad;
  assert.equal((await Promise.all(others)).length, 5);
  assert.equal(unpacked('a.yaml', await parse('plain', 'again')).pipelines[0]!.name, 'again');
}

test('a thread that has nothing to do ends, and another one is started when there is', async () => {
  await parse('plain');
  const [worker] = started;
  await new Promise((resolve) => worker!.once('exit', resolve));
  await parse('plain');
  assert.equal(started.length, 2);
});

test('parses that wait when the pool is closed are rejected', async () => {
  const waiting = [parse('endless'), parse('endless'), parse('plain')].map((one) => assert.rejects(one, ParseFailure));
  await pool.close();
  await Promise.all(waiting);
});

test('a parsed file is the same after it was stored', () => {
  const at = { file: 'a.yaml', line: 2, column: 3 };
  const positions = new Uint32Array([1, 2, 70_000, 9]);
  const parsed: ParsedFile = {
    path: 'a.yaml',
    version: undefined,
    pipelines: [{ ...at, name: 'web', group: 'g', body: { name: 'web', stages: [{ ü: 1 }] }, positions, displayOrder: -1 }],
    environments: [{ ...at, name: 'qa', body: { name: 'qa' }, positions: new Uint32Array(), agents: ['uuid'] }],
    problems: [],
    warnings: [{ ...at, entity: undefined, location: 'a.yaml', message: 'm', hint: 'h' }],
  };
  const kept = JSON.parse(JSON.stringify(packed(parsed))) as ReturnType<typeof packed>;
  const again = unpacked('a.yaml', kept);
  assert.deepEqual(JSON.parse(JSON.stringify(again)), JSON.parse(JSON.stringify(parsed)));
  assert.deepEqual(again.pipelines[0]!.positions, positions);
  const { pipelines, environments } = fromOutline('a.yaml', kept.outline);
  assert.deepEqual([pipelines[0]!.name, pipelines[0]!.group, pipelines[0]!.body, environments[0]!.agents], ['web', 'g', {}, []]);
});
