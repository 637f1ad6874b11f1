// The cost of one changed file in a config repo with many files beside one with few, and the delay of writes while repos are being read.
import { ConfigRepo } from '../support/datasets/config-repos.ts';
import { createEnvironments, ENVIRONMENTS_PATH, environmentName } from '../support/datasets/environments.ts';
import type { Lab } from '../support/lab.ts';
import type { Measurement } from '../support/measurement.ts';
import type { Program } from '../support/process.ts';
import { median, percentile } from '../support/statistics.ts';

const FEW = 10;
const MANY = 1000;
const TURNS_IN_A_ROUND = 10;
const DEAREST = 1.2;

export const configRepoChange: Measurement = {
  name: 'config-repo-change',
  what: `one changed file in a config repo of ${MANY.toLocaleString('en')} files`,
  beside: `the same in one of ${FEW}`,
  goal: `≤ ${DEAREST} ×`,
  run: async (lab) => {
    const server = await lab.startServer(lab.newPath(), ['--material-interval', '0']);
    const [few, many] = [FEW, MANY].map((files) => ({ repo: new ConfigRepo(`r${files}`, lab.newPath(), files), times: [] as number[] }));
    for (const { repo } of [few!, many!]) {
      await repo.add(server, lab);
      await repo.ended(server, lab);
    }
    for (let turn = 0; turn < lab.scale.pace.rounds * TURNS_IN_A_ROUND; turn++) {
      for (const { repo, times } of [few!, many!]) {
        repo.change(turn % FEW, `make-${turn}`);
        await repo.trigger(server, lab);
        await repo.ended(server, lab);
        times.push(await repo.lastMs(server, lab));
      }
    }
    await server.stop();
    const [fewMs, manyMs] = [median(few!.times), median(many!.times)];
    const ratio = manyMs / fewMs;
    return {
      figure: `${ratio.toFixed(2)} ×`,
      isMet: ratio <= DEAREST,
      numbers: { ratio, few: fewMs, many: manyMs },
      notes: [`${manyMs.toFixed(0)} ms beside ${fewMs.toFixed(0)} ms, after the fetch`],
    };
  },
};

const REPOS = 100;
const FILES = 50;
const SLOWEST = 2;

export const configRepoLatency: Measurement = {
  name: 'config-repo-latency',
  what: `PUT while ${REPOS} config repos with ${FILES} files each are read for the first time, p99`,
  beside: 'the same while none is',
  goal: `≤ ${SLOWEST} ×`,
  run: async (lab) => {
    const server = await lab.startServer(lab.newPath(), ['--material-interval', '0']);
    const bearer = await lab.newBearer(server.url);
    await createEnvironments(server.url, 1, bearer);
    const repos = Array.from({ length: REPOS }, (_, number) => new ConfigRepo(`r${number}`, lab.newPath(), FILES));
    const put = puts(server, bearer);
    const idle: number[] = [];
    for (let count = 0; count < lab.scale.requests; count++) idle.push(await put());
    for (const repo of repos) await repo.add(server, lab);
    let isDone = false;
    const done = allEnded(repos, server, lab).finally(() => {
      isDone = true;
    });
    const busy: number[] = [];
    const startedAt = performance.now();
    while (!isDone) busy.push(await put());
    await done;
    const seconds = (performance.now() - startedAt) / 1000;
    await server.stop();
    const [idleP99, busyP99] = [percentile(idle, 0.99), percentile(busy, 0.99)];
    const ratio = busyP99 / idleP99;
    return {
      figure: `${ratio.toFixed(2)} ×`,
      isMet: ratio <= SLOWEST,
      numbers: { ratio, idleP99, busyP99, idleP50: median(idle), busyP50: median(busy), seconds },
      notes: [
        `p99 ${busyP99.toFixed(1)} ms beside ${idleP99.toFixed(1)} ms; p50 ${median(busy).toFixed(1)} ms beside ${median(idle).toFixed(1)} ms`,
        `all were read after ${seconds.toFixed(0)} s`,
      ],
    };
  },
};

async function allEnded(repos: readonly ConfigRepo[], server: Program, lab: Lab): Promise<void> {
  for (const repo of repos) await repo.ended(server, lab);
}

/** Each sends one, and gives how long it took. */
function puts(server: Program, bearer: string): () => Promise<number> {
  let count = 0;
  const name = environmentName(0);
  const headers = { Accept: 'application/vnd.svc.v3+json', Authorization: bearer, 'Content-Type': 'application/json', 'If-Match': '*' };
  return async () => {
    const body = JSON.stringify({ name, environment_variables: [{ name: 'COUNT', value: String(++count), secure: false }] });
    const startedAt = performance.now();
    const answer = await fetch(`${server.url}${ENVIRONMENTS_PATH}/${name}`, { method: 'PUT', headers, body });
    await answer.arrayBuffer();
    if (!answer.ok) throw new Error(`PUT: ${answer.status}.`);
    return performance.now() - startedAt;
  };
}
