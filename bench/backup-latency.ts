// GET and PUT while a backup of a large database is made and verified, beside the same while nothing is.
import { setTimeout as delay } from 'node:timers/promises';
import { ENVIRONMENTS, largeDataDir, makeBackup, removeBackup } from './support/backup-lab.ts';
import { Connection } from './support/connection.ts';
import { ENVIRONMENTS_PATH, environmentName, putEnvironment } from './support/environments.ts';
import type { Measurement } from './support/measurement.ts';
import { percentile } from './support/statistics.ts';

const GOAL = 2;
const ROUNDS = 4;
const IDLE_MS = 5000;
const PAUSE_MS = 2;
/** Seldom enough that fewer than one request in a hundred meets a look at the backup. */
const LOOK_EVERY_MS = 200;

interface Times {
  readonly get: number[];
  readonly put: number[];
}

export const backupLatency: Measurement = {
  name: 'backup-latency',
  what: 'GET and PUT while a database of 1 GB is backed up and verified, p99',
  beside: 'the same while idle',
  goal: `≤ ${GOAL} ×`,
  run: async (lab) => {
    const server = await lab.startServer(await largeDataDir(lab));
    const bearer = await lab.newBearer(server.url);
    const [idle, busy]: [Times, Times] = [
      { get: [], put: [] },
      { get: [], put: [] },
    ];
    let turn = 0;
    const load = async (times: Times, isOver: () => boolean) => {
      const connection = await Connection.open(server.url);
      const headers = { Accept: 'application/vnd.svc.v3+json', Authorization: bearer };
      for (; !isOver(); turn++) {
        const name = environmentName(turn % ENVIRONMENTS);
        times.get.push(await timed(connection, connection.compose({ method: 'GET', path: `${ENVIRONMENTS_PATH}/${name}`, headers })));
        times.put.push(await timed(connection, connection.compose(putEnvironment(name, turn, bearer))));
        await delay(PAUSE_MS);
      }
      connection.close();
    };
    for (let round = 0; round < ROUNDS; round++) {
      const end = performance.now() + IDLE_MS;
      await load(idle, () => performance.now() > end);
      let isDone = false;
      const making = makeBackup(server, lab.basic, LOOK_EVERY_MS).finally(() => {
        isDone = true;
      });
      await load(busy, () => isDone);
      removeBackup(await making);
    }
    await server.stop();
    const p99 = (times: readonly number[]) => percentile(times, 0.99);
    const numbers = { idleGetP99: p99(idle.get), busyGetP99: p99(busy.get), idlePutP99: p99(idle.put), busyPutP99: p99(busy.put) };
    const [get, put] = [numbers.busyGetP99 / numbers.idleGetP99, numbers.busyPutP99 / numbers.idlePutP99];
    return {
      figure: `GET ${get.toFixed(2)} ×, PUT ${put.toFixed(2)} ×`,
      isMet: get <= GOAL && put <= GOAL,
      numbers: { get, put, ...numbers },
      notes: [
        `GET ${numbers.busyGetP99.toFixed(2)} ms beside ${numbers.idleGetP99.toFixed(2)} ms; PUT ${numbers.busyPutP99.toFixed(2)} ms beside ${numbers.idlePutP99.toFixed(2)} ms`,
      ],
    };
  },
};

async function timed(connection: Connection, request: string): Promise<number> {
  const began = performance.now();
  const status = await connection.send(request);
  if (status !== 200) throw new Error(`A request was answered with status ${status}.`);
  return performance.now() - began;
}
