// How long the thread that answers requests is kept busy while a config repo with very many files is read and published.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigRepo } from '../support/datasets/config-repos.ts';
import type { Measurement } from '../support/measurement.ts';

const FILES = 1000;
const MAX_MS = 50;
const WATCHER = join(import.meta.dirname, '..', 'support', 'watch-thread.mjs');

export const configRepoBlock: Measurement = {
  name: 'config-repo-block',
  what: `longest time without a turn for others while a config repo of ${FILES.toLocaleString('en')} files is read`,
  beside: '–',
  goal: `≤ ${MAX_MS} ms`,
  run: async (lab) => {
    const blocks = lab.newPath();
    const repo = new ConfigRepo('many', lab.newPath(), FILES);
    const server = await lab.startServer(lab.newPath(), ['--material-interval', '0'], {
      flags: ['--import', WATCHER],
      environment: { BENCH_BLOCKS: blocks },
    });
    const from = Date.now();
    await repo.add(server, lab);
    await repo.ended(server, lab);
    const wholeMs = Date.now() - from;
    await repo.lastMs(server, lab);
    await server.stop();
    const lines = existsSync(blocks) ? readFileSync(blocks, 'utf8').trim().split('\n') : [];
    const long = lines.map((line) => line.split(' ').map(Number)).flatMap(([at, busyMs]) => (at! >= from ? [busyMs!] : []));
    const longest = Math.max(0, ...long);
    return {
      figure: `${longest.toFixed(0)} ms`,
      isMet: longest <= MAX_MS,
      numbers: { longest, wholeMs, over10: long.length },
      notes: [`${(wholeMs / 1000).toFixed(1)} s from the repo to all its pipelines, ${long.length} times more than 10 ms`],
    };
  },
};
