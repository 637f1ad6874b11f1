// GET while 20,000 new modifications of a git material are recorded, beside the same while nothing is.
import { setTimeout as delay } from 'node:timers/promises';
import { createEnvironments, environmentName, getEnvironment } from '../support/datasets/environments.ts';
import { addManyCommits, makeRepositories } from '../support/datasets/git-repositories.ts';
import type { Lab } from '../support/lab.ts';
import { during, latencies } from '../support/latency.ts';
import { startWatchedServer } from '../support/loop-delay.ts';
import type { Measurement } from '../support/measurement.ts';
import type { Program } from '../support/process.ts';
import { percentile } from '../support/statistics.ts';

const GOAL = 2;
const MAX_STALL_MS = 50;
const MODIFICATIONS = 20_000;
const IDLE_MS = 5000;
const CHECK_EVERY_MS = 200;
const MAX_WAIT_MS = 180_000;

export const recordingLatency: Measurement = {
  name: 'recording-latency',
  what: `GET while ${MODIFICATIONS.toLocaleString('en')} modifications are recorded, p99`,
  beside: 'the same while idle',
  goal: `≤ ${GOAL} ×, no stall over ${MAX_STALL_MS} ms`,
  run: async (lab) => {
    const [repository = ''] = makeRepositories(lab.newPath(), 1);
    const server = await startWatchedServer(lab, lab.newPath(), ['--material-interval', '1']);
    const bearer = await lab.newBearer(server.url);
    await createEnvironments(server.url, 1, bearer);
    const fingerprint = await createMaterial(server, lab, repository);
    const before = await untilRecorded(server, lab, fingerprint, 1);
    const get = () => getEnvironment(environmentName(0), bearer);
    await latencies(server.url, get, during(lab.scale.pace.warmUpSeconds * 1000));
    const idle = await latencies(server.url, get, during(IDLE_MS));
    addManyCommits(repository, MODIFICATIONS);
    await server.longestDelay();
    let isRecorded = false;
    const startedAt = performance.now();
    const recorded = untilRecorded(server, lab, fingerprint, before + MODIFICATIONS).finally(() => {
      isRecorded = true;
    });
    const busy = await latencies(server.url, get, () => isRecorded);
    await recorded;
    const seconds = (performance.now() - startedAt) / 1000;
    const longestStall = await server.longestDelay();
    await server.stop();
    const [idleP99, busyP99] = [percentile(idle, 0.99), percentile(busy, 0.99)];
    const ratio = busyP99 / idleP99;
    return {
      figure: `${ratio.toFixed(2)} ×, ${longestStall.toFixed(0)} ms`,
      isMet: ratio <= GOAL && longestStall <= MAX_STALL_MS,
      numbers: { ratio, idleP99, busyP99, longestStall, longestGet: Math.max(...busy), seconds },
      notes: [
        `p99 ${busyP99.toFixed(2)} ms beside ${idleP99.toFixed(2)} ms; longest ${Math.max(...busy).toFixed(1)} ms beside ${Math.max(...idle).toFixed(1)} ms`,
        `recorded within ${seconds.toFixed(1)} s, with the poll of the repository`,
      ],
    };
  },
};

async function createMaterial(server: Program, lab: Lab, url: string): Promise<string> {
  const stages = [{ name: 'build', jobs: [{ name: 'compile', tasks: [{ type: 'exec', attributes: { command: 'make' } }] }] }];
  const materials = [{ type: 'git', attributes: { url, branch: 'main' } }];
  await send(server, lab, '/api/admin/pipelines', { group: 'recorded', pipeline: { name: 'recorded', materials, stages } });
  const { _embedded } = (await send(server, lab, '/api/config/materials')) as {
    _embedded: { materials: readonly { fingerprint: string }[] };
  };
  return _embedded.materials[0]!.fingerprint;
}

/** Gives how many there are. */
async function untilRecorded(server: Program, lab: Lab, fingerprint: string, count: number): Promise<number> {
  const isOver = during(MAX_WAIT_MS);
  for (;;) {
    const page = (await send(server, lab, `/api/materials/${fingerprint}/modifications`)) as {
      _embedded: { pagination: { total: number } };
    };
    const { total } = page._embedded.pagination;
    if (total >= count) return total;
    if (isOver()) throw new Error(`Only ${total} modifications were recorded.`);
    await delay(CHECK_EVERY_MS);
  }
}

async function send(server: Program, lab: Lab, path: string, body?: object): Promise<unknown> {
  const reply = await fetch(server.url + path, {
    method: body ? 'POST' : 'GET',
    headers: { Accept: 'application/vnd.svc+json', Authorization: lab.basic, ...(body && { 'Content-Type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!reply.ok) throw new Error(`${path} was answered with status ${reply.status}: ${await reply.text()}`);
  return reply.json();
}
