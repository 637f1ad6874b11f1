// Servers on one PostgreSQL: writes beside the bare driver with the same rows, reads beside the embedded database.
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { type Postgres, startPostgres } from '../test/support/database/postgres.ts';
import { BarePostgres } from './support/bare/bare-postgres.ts';
import { Connection } from './support/connection.ts';
import { createEnvironments, environmentName, getEnvironment, putEnvironment } from './support/datasets/environments.ts';
import type { Lab } from './support/lab.ts';
import { loadWith } from './support/load.ts';
import type { Measurement } from './support/measurement.ts';
import type { Outcome } from './support/outcome.ts';
import type { Program } from './support/process.ts';
import { compareRates, longWarmUp, type Side } from './support/side-by-side.ts';
import { percentile } from './support/statistics.ts';

const REPLICAS = 3;
const WRITERS_EACH = 17;
const GOAL_ONE = 0.8;
const GOAL_MANY = 1.5;
const GOAL_READ_MS = 0.3;

export const replicaWriteOne: Measurement = {
  name: 'replica-write-one',
  what: 'PUT one environment on PostgreSQL, one writer',
  beside: 'the same rows by the bare driver, one connection',
  goal: `≥ ${GOAL_ONE.toFixed(1)}`,
  run: (lab) => onPostgres((postgres) => compareWrites(lab, postgres, 1, 1, GOAL_ONE)),
};

export const replicaWriteMany: Measurement = {
  name: 'replica-write-many',
  what: `the same on ${REPLICAS} servers with ${WRITERS_EACH} writers each`,
  beside: 'the bare driver, the better of 1 and 51 connections',
  goal: `≥ ${GOAL_MANY.toFixed(1)}`,
  run: (lab) => onPostgres((postgres) => compareWrites(lab, postgres, REPLICAS, WRITERS_EACH, GOAL_MANY)),
};

export const replicaRead: Measurement = {
  name: 'replica-read',
  what: 'GET one environment on PostgreSQL, one after the other',
  beside: 'the same on the embedded database',
  goal: `p50 ≤ ${GOAL_READ_MS} ms more`,
  run: (lab) => onPostgres((postgres) => compareReads(lab, postgres)),
};

async function onPostgres(measure: (postgres: Postgres) => Promise<Outcome>): Promise<Outcome> {
  const postgres = await startPostgres({ fsync: true });
  try {
    return await measure(postgres);
  } finally {
    await postgres.stop();
  }
}

/** With one key, on one database. */
async function startReplicas(lab: Lab, url: string, count: number): Promise<Program[]> {
  const key = lab.newPath();
  writeFileSync(key, randomBytes(32).toString('hex'));
  const environment = { SLIPWAY_DATABASE_URL: url, SLIPWAY_CIPHER_KEY_FILE: key };
  const replicas: Program[] = [];
  for (let index = 0; index < count; index++) replicas.push(await lab.startServer(lab.newPath(), [], { environment }));
  return replicas;
}

async function compareWrites(lab: Lab, postgres: Postgres, count: number, writers: number, goal: number): Promise<Outcome> {
  const replicas = await startReplicas(lab, await postgres.createDatabase(), count);
  const bearer = await lab.newBearer(replicas[0]!.url);
  await createEnvironments(replicas[0]!.url, count * writers, bearer);
  const bare = await fastestBare(await postgres.createDatabase(), count * writers);
  const ours: Side = { pid: replicas[0]!.pid, load: (seconds) => loadAll(replicas, writers, bearer, seconds) };
  const beside: Side = { pid: process.pid, load: (seconds) => bare.write(seconds) };
  const outcome = await compareRates(ours, beside, longWarmUp(lab.scale.pace), { goal, isProcessorBound: false });
  await bare.close();
  await Promise.all(replicas.map((replica) => replica.stop()));
  return outcome;
}

async function fastestBare(url: string, connections: number): Promise<BarePostgres> {
  const counts = [...new Set([1, connections])];
  const tried: { readonly bare: BarePostgres; readonly rate: number }[] = [];
  for (const count of counts) {
    const bare = await BarePostgres.open(url, count);
    tried.push({ bare, rate: await bare.write(1) });
  }
  const [best, ...others] = tried.toSorted((one, other) => other.rate - one.rate);
  for (const { bare } of others) await bare.close();
  return best!.bare;
}

let turn = 0;

async function loadAll(replicas: readonly Program[], writers: number, authorization: string, seconds: number): Promise<number> {
  const rates = replicas.map(({ url }, replica) =>
    loadWith(
      url,
      200,
      seconds,
      (connection, index) => () => connection.compose(putEnvironment(environmentName(replica * writers + index), ++turn, authorization)),
      writers,
    ),
  );
  return (await Promise.all(rates)).reduce((sum, rate) => sum + rate, 0);
}

async function compareReads(lab: Lab, postgres: Postgres): Promise<Outcome> {
  const [shared] = await startReplicas(lab, await postgres.createDatabase(), 1);
  const embedded = await lab.startServer(lab.newPath());
  const times = new Map<Program, number[]>();
  const reads = await Promise.all(
    [shared!, embedded].map(async (program) => {
      const bearer = await lab.newBearer(program.url);
      await createEnvironments(program.url, 1, bearer);
      const connection = await Connection.open(program.url);
      const text = connection.compose(getEnvironment(environmentName(0), bearer));
      const own: number[] = [];
      times.set(program, own);
      return async () => {
        const startedAt = performance.now();
        await connection.send(text);
        own.push(performance.now() - startedAt);
      };
    }),
  );
  for (let count = 0; count < lab.scale.requests; count++) for (const read of reads) await read();
  const [ours, beside] = [shared!, embedded].map((program) => percentile(times.get(program)!, 0.5)) as [number, number];
  await Promise.all([shared!.stop(), embedded.stop()]);
  return {
    figure: `+ ${(ours - beside).toFixed(2)} ms`,
    isMet: ours - beside <= GOAL_READ_MS,
    numbers: { ours, beside },
    notes: [`p50 ${ours.toFixed(2)} ms beside ${beside.toFixed(2)} ms`],
  };
}
