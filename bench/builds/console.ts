// The console of a job: 100 MB in chunks, each on disk before the next, beside a bare upload to a file; and from print to reader.
import { mkdirSync } from 'node:fs';
import { Agent, get, type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import type { Measurement } from '../support/measurement.ts';
import { startProgram } from '../support/process.ts';
import { median, percentile } from '../support/statistics.ts';

const GOAL = 0.5;
const GOAL_MS = 300;
const TOTAL_BYTES = 100 * 1024 * 1024;
const CHUNK_BYTES = 1024 * 1024;
const ROUNDS = 5;
const PRINTED = 400;
const PRINT_EVERY_MS = 10;
const LINE = `&1|12:34:56.789 ${'a line of a console '.repeat(4)}\n`;
const program = join(import.meta.dirname, '..', 'support', 'console-server.ts');
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

export const consoleStream: Measurement = {
  name: 'console',
  what: 'the console of a job, 100 MB in chunks of 1 MB, each on disk before the next',
  beside: 'a bare HTTP upload to a file',
  goal: `≥ ${GOAL}, print → reader p99 ≤ ${GOAL_MS} ms`,
  run: async (lab) => {
    const root = lab.newPath();
    mkdirSync(root);
    const server = await startProgram([program, root], lab.newPath());
    const chunk = Buffer.from(LINE.repeat(Math.floor(CHUNK_BYTES / LINE.length)));
    const [ours, beside]: [number[], number[]] = [[], []];
    for (let round = 0; round <= ROUNDS; round++) {
      const sides = [() => inChunks(server.url, `job-${round}`, chunk), () => atOnce(server.url, `bare-${round}`, chunk)] as const;
      const [first, second] = round % 2 === 0 ? [await sides[0](), await sides[1]()] : swap(await sides[1](), await sides[0]());
      if (round === 0) continue; // to warm up
      ours.push(first);
      beside.push(second);
    }
    const latencies = await printToReader(server.url);
    await server.stop();
    agent.destroy();
    const ratio = median(beside) / median(ours);
    const p99 = percentile(latencies, 0.99);
    return {
      figure: `${ratio.toFixed(2)}, p99 ${p99.toFixed(1)} ms`,
      isMet: ratio >= GOAL && p99 <= GOAL_MS,
      numbers: { ratio, oursMs: median(ours), besideMs: median(beside), latencyP50: median(latencies), latencyP99: p99 },
      notes: [
        `${median(ours).toFixed(0)} ms beside ${median(beside).toFixed(0)} ms; print → reader p50 ${median(latencies).toFixed(1)} ms`,
      ],
    };
  },
};

const swap = (one: number, other: number): [number, number] => [other, one];

async function inChunks(url: string, job: string, chunk: Buffer): Promise<number> {
  const began = performance.now();
  for (let offset = 0; offset < TOTAL_BYTES; offset += chunk.length) await put(`${url}/console?job=${job}&offset=${offset}`, [chunk]);
  return performance.now() - began;
}

async function atOnce(url: string, job: string, chunk: Buffer): Promise<number> {
  const began = performance.now();
  await put(
    `${url}/bare?job=${job}`,
    Array.from({ length: Math.ceil(TOTAL_BYTES / chunk.length) }, () => chunk),
  );
  return performance.now() - began;
}

/** Milliseconds from sending each line to reading it. */
async function printToReader(url: string): Promise<number[]> {
  const sent: number[] = [];
  const latencies: number[] = [];
  const stream = await new Promise<IncomingMessage>((resolve, reject) => get(`${url}/follow?job=printed`, resolve).on('error', reject));
  let rest = '';
  stream.setEncoding('utf8').on('data', (piece: string) => {
    const events = (rest + piece).split('\n\n');
    rest = events.pop()!;
    for (const event of events) {
      const id = /^id: (\d+)$/m.exec(event)?.[1];
      if (id !== undefined) latencies.push(performance.now() - sent[Number(id)]!);
    }
  });
  for (let index = 0; index < PRINTED; index++) {
    sent.push(performance.now());
    await put(`${url}/console?job=printed&offset=${index * LINE.length}`, [Buffer.from(LINE)]);
    await delay(PRINT_EVERY_MS);
  }
  while (latencies.length < PRINTED) await delay(PRINT_EVERY_MS);
  stream.destroy();
  return latencies;
}

function put(url: string, chunks: readonly Buffer[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const sending = request(url, { method: 'PUT', agent }, (answer) => {
      text(answer).then((message) => (answer.statusCode === 200 ? resolve() : reject(new Error(message))), reject);
    });
    sending.on('error', reject);
    void (async () => {
      for (const chunk of chunks) if (!sending.write(chunk)) await new Promise((drained) => sending.once('drain', drained));
      sending.end();
    })();
  });
}
