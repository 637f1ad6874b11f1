// GET on eight connections while one client writes and another process keeps the disk busy, beside the same without the writer, and
// beside bare node:http. A server that waits for the disk on its event loop shows here.
import { setTimeout as delay } from 'node:timers/promises';
import { Connection, openConnections, type RequestLine } from './support/connection.ts';
import { createEnvironments, ENVIRONMENTS_PATH, environmentName, putEnvironment } from './support/environments.ts';
import { startWatchedServer } from './support/loop-delay.ts';
import type { Measurement } from './support/measurement.ts';
import { record } from './support/recording.ts';
import { percentile } from './support/statistics.ts';

const GOAL = 2;
const LONGEST_STALL_MS = 50;
const CONNECTIONS = 8;
const PAUSE_MS = 2;
const SHORTEST_ROUND_MS = 3000;

export const getBesideWrites: Measurement = {
  name: 'get-beside-writes',
  what: `GET on ${CONNECTIONS} connections with one writer and a busy disk, p99`,
  beside: 'the same without the writer; bare node:http',
  goal: `≤ ${GOAL} ×, no stall over ${LONGEST_STALL_MS} ms`,
  run: async (lab) => {
    const server = await startWatchedServer(lab, lab.newPath());
    const bearer = await lab.newBearer(server.url);
    await createEnvironments(server.url, CONNECTIONS, bearer);
    const request = getEnvironment(environmentName(0), bearer);
    const bare = await lab.startBareServer(await record(server.url, request, 200));
    const noise = await lab.startDiskNoise();
    const roundMs = Math.max(SHORTEST_ROUND_MS, 1000 * lab.scale.pace.roundSeconds);
    const [alone, beside, raw]: [number[], number[], number[]] = [[], [], []];
    const writes: number[] = [];
    const stalls = { alone: 0, beside: 0 };
    for (let round = 0; round < lab.scale.pace.rounds; round++) {
      raw.push(...(await gets(bare.url, request, roundMs)));
      await server.longestDelay();
      alone.push(...(await gets(server.url, request, roundMs)));
      stalls.alone = Math.max(stalls.alone, await server.longestDelay());
      const writing = puts(server.url, bearer, roundMs);
      beside.push(...(await gets(server.url, request, roundMs)));
      writes.push(...(await writing));
      stalls.beside = Math.max(stalls.beside, await server.longestDelay());
    }
    await Promise.all([server.stop(), bare.stop(), noise.stop()]);
    const p99 = { raw: percentile(raw, 0.99), alone: percentile(alone, 0.99), beside: percentile(beside, 0.99) };
    const ratio = p99.beside / p99.alone;
    const longestWrite = Math.max(...writes);
    return {
      figure: `${ratio.toFixed(2)} ×, ${stalls.beside.toFixed(0)} ms`,
      isMet: ratio <= GOAL && stalls.beside <= LONGEST_STALL_MS,
      numbers: {
        ratio,
        bareRatio: p99.beside / p99.raw,
        rawP99: p99.raw,
        aloneP99: p99.alone,
        besideP99: p99.beside,
        longestStall: stalls.beside,
        longestStallAlone: stalls.alone,
        longestGet: Math.max(...beside),
        longestGetAlone: Math.max(...alone),
        longestGetRaw: Math.max(...raw),
        writes: writes.length,
        writeP50: percentile(writes, 0.5),
        longestWrite,
      },
      notes: [
        `p99 ${inWords(p99.beside)} beside ${inWords(p99.alone)} without the writer and ${inWords(p99.raw)} of bare node:http`,
        `longest GET ${inWords(Math.max(...beside))} beside ${inWords(Math.max(...alone))} and ${inWords(Math.max(...raw))}; longest stall without the writer ${inWords(stalls.alone)}`,
        `${writes.length} writes meanwhile, p50 ${inWords(percentile(writes, 0.5))}, longest ${inWords(longestWrite)}`,
      ],
    };
  },
};

function getEnvironment(name: string, authorization: string): RequestLine {
  const headers = { Accept: 'application/vnd.svc.v3+json', Authorization: authorization };
  return { method: 'GET', path: `${ENVIRONMENTS_PATH}/${name}`, headers };
}

async function gets(url: string, request: RequestLine, milliseconds: number): Promise<number[]> {
  const connections = await openConnections(url, CONNECTIONS);
  const times = await Promise.all(
    connections.map((connection) => {
      const text = connection.compose(request);
      return timesOf(connection, () => text, milliseconds);
    }),
  );
  for (const connection of connections) connection.close();
  return times.flat();
}

async function puts(url: string, bearer: string, milliseconds: number): Promise<number[]> {
  const connection = await Connection.open(url);
  let turn = 0;
  // Every round begins with another text than the one before has ended with.
  const start = Math.round(performance.now());
  const times = await timesOf(
    connection,
    () => connection.compose(putEnvironment(environmentName(1), start + ++turn, bearer)),
    milliseconds,
  );
  connection.close();
  return times;
}

async function timesOf(connection: Connection, next: () => string, milliseconds: number): Promise<number[]> {
  const times: number[] = [];
  for (const end = performance.now() + milliseconds; performance.now() < end; await delay(PAUSE_MS)) {
    const text = next();
    const began = performance.now();
    const status = await connection.send(text);
    if (status !== 200) throw new Error(`A request was answered with status ${status}.`);
    times.push(performance.now() - began);
  }
  return times;
}

function inWords(milliseconds: number): string {
  return `${milliseconds.toFixed(2)} ms`;
}
