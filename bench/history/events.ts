// PUT at a steady pace while many clients follow the events, beside the same pace while no client does.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Connection } from '../support/connection.ts';
import { createEnvironments, environmentName, putEnvironment } from '../support/datasets/environments.ts';
import type { Measurement } from '../support/measurement.ts';
import { type Program, processorSeconds, startProgram } from '../support/process.ts';
import { percentile } from '../support/statistics.ts';

const GOAL = 2;
const CLIENTS = 200;
const CHANGES_PER_SECOND = 100;
const CONNECTIONS = 4;
const ROUNDS = 4;
const WARM_UP_SECONDS = 2;
const ROUND_SECONDS = 6;
const SETTLE_MS = 1000;
const program = join(import.meta.dirname, '..', 'support', 'stream-clients.ts');

interface Heard {
  readonly lowest: number;
  readonly highest: number;
  readonly gaps: number;
}

export const eventStream: Measurement = {
  name: 'event-stream',
  what: `PUT at ${CHANGES_PER_SECOND} a second while ${CLIENTS} clients follow the events, p99`,
  beside: 'the same while nobody does',
  goal: `≤ ${GOAL} ×`,
  run: async (lab) => {
    const server = await lab.startServer(lab.newPath());
    const bearer = await lab.newBearer(server.url);
    await createEnvironments(server.url, CONNECTIONS, bearer);
    const writers = await Promise.all(Array.from({ length: CONNECTIONS }, () => Connection.open(server.url)));
    const [alone, followed]: [number[], number[]] = [[], []];
    let turn = 0;
    const write = (times: number[], seconds: number) =>
      atPace(seconds, async (index) => {
        const connection = writers[index % CONNECTIONS]!;
        const bytes = connection.compose(putEnvironment(environmentName(index % CONNECTIONS), ++turn, bearer));
        const began = performance.now();
        const status = await connection.send(bytes);
        if (status !== 200) throw new Error(`A write was answered with status ${status}.`);
        times.push(performance.now() - began);
      });
    await write([], WARM_UP_SECONDS);
    const faults: string[] = [];
    let processor = 0;
    for (let round = 0; round < ROUNDS; round++) {
      await write(alone, ROUND_SECONDS);
      const output = lab.newPath();
      const clients = await follow(server, lab.basic, output);
      const before = processorSeconds(server.pid);
      await write(followed, ROUND_SECONDS);
      processor += processorSeconds(server.pid) - before;
      await delay(SETTLE_MS);
      const newest = await newestEvent(server.url, lab.basic);
      await clients.stop();
      faults.push(...faultsOf(heardIn(output), newest));
    }
    for (const connection of writers) connection.close();
    await server.stop();
    const numbers = { aloneP99: percentile(alone, 0.99), followedP99: percentile(followed, 0.99) };
    const ratio = numbers.followedP99 / numbers.aloneP99;
    return {
      figure: `${ratio.toFixed(2)} ×`,
      isMet: ratio <= GOAL && faults.length === 0,
      numbers: { ratio, ...numbers, aloneP50: percentile(alone, 0.5), followedP50: percentile(followed, 0.5) },
      notes: [
        `p99 ${numbers.followedP99.toFixed(2)} ms beside ${numbers.aloneP99.toFixed(2)} ms`,
        `${Math.round((processor / (ROUNDS * ROUND_SECONDS)) * 100)} % of a processor while followed`,
        ...(faults.length === 0 ? ['every client got every event once, in order'] : faults),
      ],
    };
  },
};

/** Begins one every so often, whether the one before is done or not, as long as its connection is free. */
async function atPace(seconds: number, act: (index: number) => Promise<void>): Promise<void> {
  const began = performance.now();
  const total = seconds * CHANGES_PER_SECOND;
  const lines = Array.from({ length: CONNECTIONS }, async (_, line) => {
    for (let index = line; index < total; index += CONNECTIONS) {
      await delay(Math.max(0, began + (index * 1000) / CHANGES_PER_SECOND - performance.now()));
      await act(index);
    }
  });
  await Promise.all(lines);
}

async function follow({ url }: Program, authorization: string, output: string): Promise<Program> {
  const newest = await newestEvent(url, authorization);
  return startProgram([program, url, authorization, String(CLIENTS), String(newest)], output);
}

async function newestEvent(url: string, authorization: string): Promise<number> {
  const headers = { Accept: 'application/vnd.svc.v1+json', Authorization: authorization };
  const answer = await fetch(`${url}/api/admin/events?page_size=1`, { headers });
  const { _embedded } = (await answer.json()) as { _embedded: { events: { number: number }[] } };
  return _embedded.events[0]!.number;
}

function heardIn(output: string): Heard {
  return JSON.parse(readFileSync(output, 'utf8').trim().split('\n').at(-1)!) as Heard;
}

function faultsOf({ lowest, highest, gaps }: Heard, newest: number): string[] {
  return [
    ...(gaps > 0 ? [`${gaps} events came out of order, twice or not at all`] : []),
    ...(lowest < newest || highest > newest ? [`the last event was ${newest}, and clients had ${lowest} to ${highest}`] : []),
  ];
}
