// GET while many git materials are polled without a break, beside the same while none is.
import { setTimeout as delay } from 'node:timers/promises';
import { createEnvironments, environmentName, getEnvironment } from '../support/datasets/environments.ts';
import { makeRepositories, onlyForGit } from '../support/datasets/git-repositories.ts';
import type { Lab } from '../support/lab.ts';
import { during, latencies } from '../support/latency.ts';
import { startWatchedServer } from '../support/loop-delay.ts';
import type { Measurement } from '../support/measurement.ts';
import type { Program } from '../support/process.ts';
import { percentile } from '../support/statistics.ts';

const GOAL = 2;
const MAX_STALL_MS = 50;
const MATERIALS = 200;
const ENVIRONMENTS = 100;
const FIRST_POLLS_MS = 120_000;
const MAINTENANCE = '/api/admin/maintenance_mode';

export const pollingLatency: Measurement = {
  name: 'polling-latency',
  what: `GET while ${MATERIALS} local git materials are polled without a break, p99`,
  beside: 'the same while none is',
  goal: `≤ ${GOAL} ×, no stall over ${MAX_STALL_MS} ms`,
  run: async (lab) => {
    const repositories = makeRepositories(lab.newPath(), MATERIALS);
    const local = await measured(lab, repositories);
    // The files of a local one say whether it has changed; for others programs are started, and requests wait for these.
    const elsewhere = await measured(lab, repositories.map(onlyForGit));
    return {
      figure: `${local.ratio.toFixed(2)} ×, ${local.longestStall.toFixed(0)} ms`,
      isMet: local.ratio <= GOAL && local.longestStall <= MAX_STALL_MS,
      isReliable: elsewhere.polls > 0,
      numbers: { ...local, elsewhere: elsewhere.ratio, elsewhereIdleP99: elsewhere.idleP99, elsewhereBusyP99: elsewhere.busyP99 },
      notes: [
        describeLatencies(local),
        `where git has to be asked, as for repositories elsewhere: ${elsewhere.ratio.toFixed(2)} ×, ${describeLatencies(elsewhere)}, longest stall ${elsewhere.longestStall.toFixed(0)} ms, ${elsewhere.polls.toFixed(1)} polls under way at a time`,
      ],
    };
  },
};

interface Latencies {
  readonly ratio: number;
  readonly idleP99: number;
  readonly busyP99: number;
  readonly idleP50: number;
  readonly busyP50: number;
  /** The number of polls that were under way whenever polling was stopped. */
  readonly polls: number;
  /** Of the event loop, while there was polling. */
  readonly longestStall: number;
}

async function measured(lab: Lab, addresses: readonly string[]): Promise<Latencies> {
  const { rounds, roundSeconds } = lab.scale.pace;
  const server = await startWatchedServer(lab, lab.newPath(), ['--material-interval', '1']);
  const bearer = await lab.newBearer(server.url);
  await createEnvironments(server.url, ENVIRONMENTS, bearer);
  await createPipelines(server, lab, addresses);
  await firstPolls(server, lab);
  const [idle, busy]: [number[], number[]] = [[], []];
  const get = (turn: number) => getEnvironment(environmentName(turn % ENVIRONMENTS), bearer);
  let [running, longestStall] = [0, 0];
  for (let round = 0; round < rounds; round++) {
    await send(server, lab, 'POST', `${MAINTENANCE}/enable`);
    running += await untilNothingRuns(server, lab);
    idle.push(...(await latencies(server.url, get, during(2000 * roundSeconds))));
    await send(server, lab, 'POST', `${MAINTENANCE}/disable`);
    await delay(500);
    await server.longestDelay();
    busy.push(...(await latencies(server.url, get, during(2000 * roundSeconds))));
    longestStall = Math.max(longestStall, await server.longestDelay());
  }
  await server.stop();
  const [idleP99, busyP99] = [percentile(idle, 0.99), percentile(busy, 0.99)];
  const [idleP50, busyP50] = [percentile(idle, 0.5), percentile(busy, 0.5)];
  return { ratio: busyP99 / idleP99, idleP99, busyP99, idleP50, busyP50, polls: running / rounds, longestStall };
}

function describeLatencies({ idleP99, busyP99, idleP50, busyP50 }: Latencies): string {
  return `p99 ${busyP99.toFixed(2)} ms beside ${idleP99.toFixed(2)} ms, p50 ${busyP50.toFixed(2)} ms beside ${idleP50.toFixed(2)} ms`;
}

async function createPipelines(server: Program, lab: Lab, repositories: readonly string[]): Promise<void> {
  const stages = [{ name: 'build', jobs: [{ name: 'compile', tasks: [{ type: 'exec', attributes: { command: 'make' } }] }] }];
  for (const [index, url] of repositories.entries()) {
    const materials = [{ type: 'git', attributes: { url, branch: 'main' } }];
    const body = { group: 'polled', pipeline: { name: `polled-${index}`, materials, stages } };
    await send(server, lab, 'POST', '/api/admin/pipelines', body);
  }
}

/** Until every material has been polled once. */
async function firstPolls(server: Program, lab: Lab): Promise<void> {
  const end = performance.now() + FIRST_POLLS_MS;
  const { _embedded } = (await send(server, lab, 'GET', '/api/config/materials')) as {
    _embedded: { materials: readonly { fingerprint: string }[] };
  };
  for (const { fingerprint } of _embedded.materials) {
    for (;;) {
      const page = (await send(server, lab, 'GET', `/api/materials/${fingerprint}/modifications`)) as {
        _embedded: { pagination: { total: number } };
      };
      if (page._embedded.pagination.total > 0) break;
      if (performance.now() > end) throw new Error('The first polls take too long.');
      await delay(100);
    }
  }
}

/** Gives how many polls were under way at the beginning. */
async function untilNothingRuns(server: Program, lab: Lab): Promise<number> {
  let first: number | undefined;
  for (;;) {
    const { attributes } = (await send(server, lab, 'GET', `${MAINTENANCE}/info`)) as {
      attributes: { running_systems: { material_update_in_progress: readonly unknown[] } };
    };
    const { material_update_in_progress: running } = attributes.running_systems;
    first ??= running.length;
    if (running.length === 0) return first;
    await delay(50);
  }
}

async function send(server: Program, lab: Lab, method: string, path: string, body?: object): Promise<unknown> {
  const reply = await fetch(`${server.url}${path}`, {
    method,
    headers: {
      Accept: 'application/vnd.svc+json',
      Authorization: lab.basic,
      'X-Svc-Confirm': 'true',
      ...(body && { 'Content-Type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!reply.ok) throw new Error(`${method} ${path} was answered with status ${reply.status}: ${await reply.text()}`);
  return reply.status === 204 ? undefined : reply.json();
}
