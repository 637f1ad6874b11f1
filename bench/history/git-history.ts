// The history in git: how fast revisions get into it, and how long a clone over HTTP takes beside one by path.
import { spawn } from 'node:child_process';
import { pino } from 'pino';
import { configGitRoutes } from '../../src/api/endpoints/config-git/routes.ts';
import { HistoryRepository } from '../../src/kit/git/history.ts';
import { startServer } from '../../src/server/server.ts';
import { readSettings } from '../../src/server/settings.ts';
import { GrowingHistory } from '../support/datasets/growing-history.ts';
import type { Lab } from '../support/lab.ts';
import type { Measurement } from '../support/measurement.ts';
import { median } from '../support/statistics.ts';

const MEGABYTE = 1_000_000;
const MIN_PER_SECOND = 50;
const MAX_CLONE_RATIO = 1.3;
const BATCH = 10;
const CLONED_REVISIONS = 1000;
const CLONED_BYTES = 200_000;
const PATH = '/api/bench-repository.git';

export const gitWrite: Measurement = {
  name: 'git-write',
  what: 'revisions/s into the git history, document of 2 MB / of 50 MB, one part of 5 KB changed',
  beside: '–',
  goal: `≥ ${MIN_PER_SECOND} at 2 MB`,
  run: async (lab) => {
    const rateOf = (bytes: number, revisions: number, batch: number) => {
      const history = new GrowingHistory(newRepository(lab), bytes);
      history.write(1); // the first one is written as a whole
      const startedAt = performance.now();
      for (let written = 0; written < revisions; written += batch) history.write(batch);
      return revisions / ((performance.now() - startedAt) / 1000);
    };
    const small = rateOf(2 * MEGABYTE, lab.scale.requests / 4, BATCH);
    const single = rateOf(2 * MEGABYTE, lab.scale.requests / 10, 1);
    const large = rateOf(50 * MEGABYTE, 100, BATCH);
    return {
      figure: `${small.toFixed(0)} / ${large.toFixed(0)}`,
      isMet: small >= MIN_PER_SECOND,
      numbers: { small, single, large },
      notes: [`in batches of ${BATCH}, each durable; one at a time at 2 MB: ${single.toFixed(0)}`],
    };
  },
};

export const gitClone: Measurement = {
  name: 'git-clone',
  what: 'clone of 1,000 revisions over HTTP',
  beside: 'git clone --no-local by path (and by path, which only links the files)',
  goal: `≤ ${MAX_CLONE_RATIO} ×`,
  run: async (lab) => {
    const repository = newRepository(lab);
    const history = new GrowingHistory(repository, CLONED_BYTES);
    for (let written = 0; written < CLONED_REVISIONS; written += BATCH) history.write(BATCH);
    const server = await serve(lab, repository.directory);
    const times = { http: [] as number[], transport: [] as number[], links: [] as number[] };
    for (let round = 0; round < lab.scale.starts; round++) {
      times.http.push(await timeClone(lab, [server.address]));
      times.transport.push(await timeClone(lab, ['--no-local', repository.directory]));
      times.links.push(await timeClone(lab, [repository.directory]));
    }
    await server.stop();
    const [http, transport, links] = [median(times.http), median(times.transport), median(times.links)];
    return {
      figure: `${(http / transport).toFixed(2)} × (${(http / links).toFixed(2)} ×)`,
      isMet: http / transport <= MAX_CLONE_RATIO,
      numbers: { httpMs: http, transportMs: transport, linksMs: links },
      notes: [
        `over HTTP ${http.toFixed(0)} ms, by path without links ${transport.toFixed(0)} ms, by path with links ${links.toFixed(0)} ms`,
        'only the first two do the same work: whoever links files neither packs nor checks what is in them',
      ],
    };
  },
};

function newRepository(lab: Lab): HistoryRepository {
  const repository = new HistoryRepository(lab.newPath());
  repository.recover(undefined);
  return repository;
}

async function serve(lab: Lab, directory: string) {
  const result = readSettings(['--data-dir', lab.newPath(), '--port', '0', '--admin-password', 'bench', '--local-agents', '0'], {});
  if (!('settings' in result)) throw new Error(JSON.stringify(result));
  const routes = configGitRoutes({ directory, upToDate: async () => {} }, { path: PATH });
  const server = await startServer(result.settings, pino({ level: 'silent' }), { routes });
  return { address: `${server.addresses[0]!.replace('://', '://admin:bench@')}${PATH}`, stop: () => server.stop() };
}

async function timeClone(lab: Lab, from: readonly string[]): Promise<number> {
  const startedAt = performance.now();
  const { promise, resolve } = Promise.withResolvers<number | null>();
  spawn('git', ['clone', '--quiet', ...from, lab.newPath()], { stdio: 'inherit' }).once('exit', resolve);
  if ((await promise) !== 0) throw new Error('git clone failed.');
  return performance.now() - startedAt;
}
