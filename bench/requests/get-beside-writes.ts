// GET on eight connections while one client writes and another process keeps the disk busy, beside the same without the writer, and
// beside bare node:http. A server that waits for the disk on its event loop shows here.
import { createEnvironments, environmentName, getEnvironment, putEnvironment } from '../support/datasets/environments.ts';
import { during, LATENCY_CONNECTIONS, latencies } from '../support/latency.ts';
import { startWatchedServer } from '../support/loop-delay.ts';
import type { Measurement } from '../support/measurement.ts';
import { record } from '../support/recording.ts';
import { percentile } from '../support/statistics.ts';

const GOAL = 2;
const MAX_STALL_MS = 50;
const MIN_ROUND_MS = 3000;

export const getBesideWrites: Measurement = {
  name: 'get-beside-writes',
  what: `GET on ${LATENCY_CONNECTIONS} connections with one writer and a busy disk, p99`,
  beside: 'the same without the writer; bare node:http',
  goal: `≤ ${GOAL} ×, no stall over ${MAX_STALL_MS} ms`,
  run: async (lab) => {
    const server = await startWatchedServer(lab, lab.newPath());
    const bearer = await lab.newBearer(server.url);
    await createEnvironments(server.url, 2, bearer);
    const request = getEnvironment(environmentName(0), bearer);
    const bare = await lab.startBareServer(await record(server.url, request, 200));
    const noise = await lab.startDiskNoise();
    const roundMs = Math.max(MIN_ROUND_MS, 1000 * lab.scale.pace.roundSeconds);
    const [alone, beside, raw]: [number[], number[], number[]] = [[], [], []];
    const writes: number[] = [];
    const stalls = { alone: 0, beside: 0 };
    let turn = 0;
    const put = () => putEnvironment(environmentName(1), ++turn, bearer);
    for (let round = 0; round < lab.scale.pace.rounds; round++) {
      raw.push(...(await latencies(bare.url, () => request, during(roundMs))));
      await server.longestDelay();
      alone.push(...(await latencies(server.url, () => request, during(roundMs))));
      stalls.alone = Math.max(stalls.alone, await server.longestDelay());
      const writing = latencies(server.url, put, during(roundMs), 1);
      beside.push(...(await latencies(server.url, () => request, during(roundMs))));
      writes.push(...(await writing));
      stalls.beside = Math.max(stalls.beside, await server.longestDelay());
    }
    await Promise.all([server.stop(), bare.stop(), noise.stop()]);
    const p99 = { raw: percentile(raw, 0.99), alone: percentile(alone, 0.99), beside: percentile(beside, 0.99) };
    const ratio = p99.beside / p99.alone;
    const longestWrite = Math.max(...writes);
    return {
      figure: `${ratio.toFixed(2)} ×, ${stalls.beside.toFixed(0)} ms`,
      isMet: ratio <= GOAL && stalls.beside <= MAX_STALL_MS,
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
        `p99 ${formatMs(p99.beside)} beside ${formatMs(p99.alone)} without the writer and ${formatMs(p99.raw)} of bare node:http`,
        `longest GET ${formatMs(Math.max(...beside))} beside ${formatMs(Math.max(...alone))} and ${formatMs(Math.max(...raw))}; longest stall without the writer ${formatMs(stalls.alone)}`,
        `${writes.length} writes meanwhile, p50 ${formatMs(percentile(writes, 0.5))}, longest ${formatMs(longestWrite)}`,
      ],
    };
  },
};

function formatMs(milliseconds: number): string {
  return `${milliseconds.toFixed(2)} ms`;
}
