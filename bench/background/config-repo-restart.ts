// A restart with very many config repos, until their definitions are served, beside the same pipelines in the main configuration.
import { ConfigRepo } from '../support/datasets/config-repos.ts';
import { historyCaughtUp } from '../support/datasets/document.ts';
import { PIPELINES_PATH } from '../support/datasets/pipelines.ts';
import type { Lab } from '../support/lab.ts';
import type { Measurement } from '../support/measurement.ts';
import type { Program } from '../support/process.ts';
import { median } from '../support/statistics.ts';

const REPOS = 1000;
const FILES = 5;
const MAX_RATIO = 1.2;
const SAMPLES = 100;
/** A client that asks all the time would make the server read the repos one after the other. */
const CHECK_EVERY_MS = 3000;

export const configRepoRestart: Measurement = {
  name: 'config-repo-restart',
  what: `restart with ${REPOS.toLocaleString('en')} config repos of ${FILES} pipelines, to all definitions served`,
  beside: 'the same pipelines in the main configuration',
  goal: `≤ ${MAX_RATIO} ×`,
  run: async (lab) => {
    const count = Math.min(REPOS, lab.scale.environments);
    const names = Array.from({ length: count }, (_, repo) => Array.from({ length: FILES }, (_, file) => `r${repo}-${file}`)).flat();
    const [remote, own] = [lab.newPath(), lab.newPath()];
    await seed(lab, remote, (server) => addRepos(server, lab, count));
    await seed(lab, own, (server) => copyPipelines(server, lab, names, remote));
    const times = { remote: [] as number[], own: [] as number[] };
    for (let round = 0; round < lab.scale.starts; round++) {
      times.remote.push(await timeToServed(lab, remote, names));
      times.own.push(await timeToServed(lab, own, names));
    }
    const [remoteMs, ownMs] = [median(times.remote), median(times.own)];
    const ratio = remoteMs / ownMs;
    return {
      figure: `${ratio.toFixed(2)} ×`,
      isMet: ratio <= MAX_RATIO,
      numbers: { ratio, remoteMs, ownMs, repos: count },
      notes: [
        `${remoteMs.toFixed(0)} ms beside ${ownMs.toFixed(0)} ms, with ${SAMPLES} of ${names.length} pipelines asked for after each start`,
      ],
    };
  },
};

async function seed(lab: Lab, dataDir: string, fill: (server: Program) => Promise<void>): Promise<void> {
  const server = await lab.startServer(dataDir, ['--material-interval', '0']);
  await fill(server);
  await historyCaughtUp(server.url, lab.basic);
  await server.stop();
}

async function addRepos(server: Program, lab: Lab, count: number): Promise<void> {
  const repos = Array.from({ length: count }, (_, number) => new ConfigRepo(`r${number}`, lab.newPath(), FILES));
  for (const repo of repos) await repo.add(server, lab);
  for (const repo of repos) await repo.ended(server, lab, CHECK_EVERY_MS);
  for (const repo of repos) await repo.lastMs(server, lab);
}

/** As the server with the config repos has them. */
async function copyPipelines(server: Program, lab: Lab, names: readonly string[], remote: string): Promise<void> {
  const source = await lab.startServer(remote, ['--material-interval', '0']);
  const headers = { Accept: 'application/vnd.svc+json', Authorization: lab.basic, 'Content-Type': 'application/json' };
  for (const name of names) {
    const { _links, origin, ...pipeline } = (await (await fetch(`${source.url}${PIPELINES_PATH}/${name}`, { headers })).json()) as {
      readonly _links: unknown;
      readonly origin: unknown;
      readonly group: string;
    };
    const body = JSON.stringify({ group: pipeline.group, pipeline });
    const answer = await fetch(server.url + PIPELINES_PATH, { method: 'POST', headers, body });
    if (!answer.ok) throw new Error(`${name}: ${answer.status} ${await answer.text()}`);
    await answer.arrayBuffer();
  }
  await source.stop();
}

async function timeToServed(lab: Lab, dataDir: string, names: readonly string[]): Promise<number> {
  const server = await lab.startServer(dataDir, ['--material-interval', '0']);
  const startedAt = performance.now();
  for (let sample = 0; sample < SAMPLES; sample++) {
    const name = names[Math.floor((sample * names.length) / SAMPLES)]!;
    const headers = { Accept: 'application/vnd.svc+json', Authorization: lab.basic };
    const answer = await fetch(`${server.url}${PIPELINES_PATH}/${name}`, { headers });
    if (!answer.ok) throw new Error(`${name} is not served: ${answer.status}.`);
    await answer.arrayBuffer();
  }
  const servedMs = performance.now() - startedAt;
  await server.stop();
  return server.startMs + servedMs;
}
