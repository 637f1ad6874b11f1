// Many writers over all servers, one of which is killed again and again, while the database crashes once: nothing acknowledged is lost,
// nothing refused appears, and the log has no gap. The whole of it: REPLICA_LOAD=full npm test -- test/stories/replicas/concurrent-writers.test.ts
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { type Postgres, startPostgres } from '../../support/database/postgres.ts';
import { PATIENCE_MS } from '../../support/patience.ts';
import type { Replica, ReplicaReply } from '../../support/server/replica.ts';
import { ENVIRONMENTS, Replicas } from '../../support/server/replicas.ts';
import { assertWholeChain } from './whole-chain.ts';

const isFull = process.env.REPLICA_LOAD === 'full';
const LOAD = isFull
  ? { writers: 50, operations: 10_000, killEveryMs: 1000, kills: Number.POSITIVE_INFINITY }
  : { writers: 12, operations: 20, killEveryMs: 500, kills: 2 };
const TARGETS = 5;
const RETRY_MS = 20;
const NO_DATABASE = /Nothing listens at|does not accept connections now|was cut off|has ended the connection|cannot be reached/;

/** The outcome of each write, by its name. */
const acknowledged = new Map<string, { readonly target: string; readonly revision: number }>();
const refused = new Set<string>();
const unanswered = new Set<string>();
let postgres: Postgres;
let replicas: Replicas;
let staleCount = 0;
/** All is written, or something has gone wrong. */
const finished = new AbortController();

before(async () => {
  postgres = await startPostgres({ fsync: true });
  replicas = await Replicas.start(await postgres.createDatabase(), 3);
});
after(async () => {
  await replicas?.stop();
  await postgres?.stop();
});

const bodyOf = (name: string, count: number, last: string) => ({
  name,
  environment_variables: [
    { name: 'COUNT', value: String(count) },
    { name: 'LAST', value: last },
  ],
});
const valueIn = (variables: readonly { readonly name: string; readonly value: string }[], name: string) =>
  variables.find((one) => one.name === name)!.value;

/** The next that runs, in turn. */
async function nextReplica(turn: number): Promise<Replica> {
  for (;;) {
    finished.signal.throwIfAborted();
    const up = replicas.all.filter(({ isUp }) => isUp);
    if (up.length > 0) return up[turn % up.length]!;
    await pause(RETRY_MS);
  }
}

/** Reads on one server, writes on the next. Says whether it was done. */
async function increment(target: string, name: string, turn: number): Promise<boolean> {
  const path = `${ENVIRONMENTS}/${target}`;
  const read = await (await nextReplica(turn)).get(path).catch(() => undefined);
  if (read?.status !== 200) {
    if (read) assert.equal(read.status, 503, read.text);
    return false;
  }
  const body = bodyOf(target, Number(valueIn(read.json.environment_variables, 'COUNT')) + 1, name);
  const written = await (await nextReplica(turn + 1)).put(path, body, read.etag).catch(() => undefined);
  return recordOutcome(target, name, written);
}

function recordOutcome(target: string, name: string, written: ReplicaReply | undefined): boolean {
  if (!written) {
    unanswered.add(name);
    return false;
  }
  if (written.status === 200) {
    acknowledged.set(name, { target, revision: written.revision });
    return true;
  }
  assert.ok([412, 503].includes(written.status), `${written.status} ${written.text}`);
  if (written.status === 503) assert.ok(written.headers['retry-after'], 'a refusal says when to come again');
  else staleCount++;
  refused.add(name);
  return false;
}

async function writeAll(writer: number): Promise<void> {
  for (let operation = 0, turn = writer; operation < LOAD.operations; operation++) {
    for (let attempt = 0; ; attempt++, turn++) {
      if (await increment(`e-${turn % TARGETS}`, `w${writer}-${operation}-${attempt}`, turn)) break;
      await pause(Math.random() * RETRY_MS);
    }
  }
}

/** Kills one after the other, each as soon as it is there again; says how often. */
async function killRepeatedly(): Promise<number> {
  const starting: Promise<void>[] = [];
  let kills = 0;
  while (kills < LOAD.kills && !finished.signal.aborted) {
    await pause(LOAD.killEveryMs);
    const victim = replicas.all[kills % replicas.all.length]!;
    // One stays: without any nothing would be tested.
    if (!victim.isUp || replicas.all.filter(({ isUp }) => isUp).length < 2) continue;
    await victim.kill();
    kills++;
    starting.push(restart(victim));
  }
  await Promise.all(starting);
  return kills;
}

/** Starts a server as a process supervisor does: once more if it ends because it finds no database. */
async function restart(replica: Replica): Promise<void> {
  for (;;) {
    try {
      return await replica.start();
    } catch (failure) {
      assert.match(String(failure), NO_DATABASE);
    }
  }
}

test('writers over all servers lose nothing in kills and a crash of the database', {
  timeout: PATIENCE_MS * (isFull ? 60 : 1),
}, async (context) => {
  for (let target = 0; target < TARGETS; target++)
    assert.equal((await replicas.all[0]!.post(ENVIRONMENTS, bodyOf(`e-${target}`, 0, ''))).status, 200);
  const startedAt = performance.now();
  const write = Promise.all(Array.from({ length: LOAD.writers }, (_, writer) => writeAll(writer)));
  const crash = async () => {
    await pause(LOAD.killEveryMs * 1.5);
    await postgres.restart('immediate');
  };
  const tasks = [write, killRepeatedly(), crash()] as const;
  for (const task of tasks) task.catch((failure) => finished.abort(failure));
  write.then(() => finished.abort(new Error('it is over')));
  await Promise.allSettled(tasks);
  const [, kills] = await Promise.all(tasks);
  const seconds = (performance.now() - startedAt) / 1000;
  context.diagnostic(
    `${acknowledged.size} acknowledged, ${staleCount} stale, ${refused.size - staleCount} refused, ${unanswered.size} without an answer, ${kills} kills, ${seconds.toFixed(1)} s`,
  );

  await assertCounted();
  await assertWholeChain(replicas.databaseUrl);
  for (const replica of replicas.all)
    for (let target = 0; target < TARGETS; target++)
      assert.equal(
        (await replica.get(`${ENVIRONMENTS}/e-${target}`)).etag,
        (await replicas.all[0]!.get(`${ENVIRONMENTS}/e-${target}`)).etag,
      );
});

interface Written {
  readonly revision: number;
  readonly key: string;
  readonly after: string;
}

/** By the change log, each value follows the one before it, and acknowledged writes are in the revisions that the answers named. */
async function assertCounted(): Promise<void> {
  const rows = await replicas.rows.ask<Written>("select revision, key, after from changes where kind = 'environments' order by revision");
  const counts = new Map<string, number>();
  const found = new Map<string, { readonly target: string; readonly revision: number }>();
  for (const { revision, key, after } of rows) {
    const variables = JSON.parse(after).environmentVariables;
    const last = valueIn(variables, 'LAST');
    assert.equal(Number(valueIn(variables, 'COUNT')), (counts.get(key) ?? -1) + 1, `${key} in revision ${revision}: an update is lost`);
    counts.set(key, (counts.get(key) ?? -1) + 1);
    if (last === '') continue;
    assert.ok(!found.has(last), `${last} was written twice`);
    assert.ok(acknowledged.has(last) || unanswered.has(last), `${last} was refused, and is there in revision ${revision}`);
    found.set(last, { target: key, revision });
  }
  for (const [name, expected] of acknowledged) assert.deepEqual(found.get(name), expected, `${name} was acknowledged`);
  assert.equal(acknowledged.size, LOAD.writers * LOAD.operations);
}
