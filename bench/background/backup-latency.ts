// GET and PUT while a backup of a large database is made and verified, beside the same while nothing is; with a quiet disk and with a busy one.
import { ENVIRONMENTS, largeDataDir, makeBackup, removeBackup } from '../support/backup-lab.ts';
import { environmentName, getEnvironment, putEnvironment } from '../support/datasets/environments.ts';
import type { Lab } from '../support/lab.ts';
import { during, LATENCY_CONNECTIONS, latencies } from '../support/latency.ts';
import { startWatchedServer } from '../support/loop-delay.ts';
import type { Measurement } from '../support/measurement.ts';
import type { Outcome } from '../support/outcome.ts';
import { percentile } from '../support/statistics.ts';

const GOAL = 2;
const MAX_STALL_MS = 50;
const ROUNDS = 3;
const IDLE_MS = 5000;
/** Seldom enough that fewer than one request in a hundred meets a look at the backup. */
const CHECK_EVERY_MS = 200;

interface Times {
  readonly get: number[];
  readonly put: number[];
}

export const backupLatency: Measurement = {
  name: 'backup-latency',
  what: `GET and PUT on ${LATENCY_CONNECTIONS} connections while a database of 1 GB is backed up and verified, p99`,
  beside: 'the same while idle',
  goal: `≤ ${GOAL} ×, no stall over ${MAX_STALL_MS} ms`,
  run: (lab) => measure(lab),
};

export const backupLatencyBusyDisk: Measurement = {
  name: 'backup-latency-busy-disk',
  what: 'the same while another process keeps the disk busy',
  beside: 'the same while idle, with the disk as busy',
  goal: `≤ ${GOAL} ×, no stall over ${MAX_STALL_MS} ms`,
  run: async (lab) => {
    const noise = await lab.startDiskNoise();
    const outcome = await measure(lab);
    await noise.stop();
    return outcome;
  },
};

async function measure(lab: Lab): Promise<Outcome> {
  const server = await startWatchedServer(lab, await largeDataDir(lab));
  const bearer = await lab.newBearer(server.url);
  const idle: Times = { get: [], put: [] };
  const busy: Times = { get: [], put: [] };
  const load = async ({ get, put }: Times, isOver: () => boolean) => {
    const nameOf = (turn: number) => environmentName(turn % ENVIRONMENTS);
    const connections = LATENCY_CONNECTIONS / 2;
    const [gets, puts] = await Promise.all([
      latencies(server.url, (turn) => getEnvironment(nameOf(turn), bearer), isOver, connections),
      latencies(server.url, (turn) => putEnvironment(nameOf(turn), turn + put.length, bearer), isOver, connections),
    ]);
    get.push(...gets);
    put.push(...puts);
  };
  let longestStall = 0;
  for (let round = 0; round < ROUNDS; round++) {
    await load(idle, during(IDLE_MS));
    await server.longestDelay();
    let isDone = false;
    const making = makeBackup(server, lab.basic, CHECK_EVERY_MS).finally(() => {
      isDone = true;
    });
    await load(busy, () => isDone);
    longestStall = Math.max(longestStall, await server.longestDelay());
    removeBackup(await making);
  }
  await server.stop();
  const p99 = (times: readonly number[]) => percentile(times, 0.99);
  const numbers = { idleGetP99: p99(idle.get), busyGetP99: p99(busy.get), idlePutP99: p99(idle.put), busyPutP99: p99(busy.put) };
  const [get, put] = [numbers.busyGetP99 / numbers.idleGetP99, numbers.busyPutP99 / numbers.idlePutP99];
  return {
    figure: `GET ${get.toFixed(2)} ×, PUT ${put.toFixed(2)} ×, ${longestStall.toFixed(0)} ms`,
    isMet: get <= GOAL && put <= GOAL && longestStall <= MAX_STALL_MS,
    numbers: { get, put, longestStall, ...numbers },
    notes: [
      `GET ${numbers.busyGetP99.toFixed(2)} ms beside ${numbers.idleGetP99.toFixed(2)} ms; PUT ${numbers.busyPutP99.toFixed(2)} ms beside ${numbers.idlePutP99.toFixed(2)} ms`,
    ],
  };
}
