// Polls of many local git materials, the first, an unchanged and one with a new commit, beside the bare git commands with the same parallelism.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { KnownRevision } from '../../src/materials/clients/client.ts';
import { gitClient } from '../../src/materials/types/git/git-client.ts';
import type { GitMaterial } from '../../src/materials/types/git/material.ts';
import { ALLOW_ALL_ADDRESSES } from '../../test/support/server/allow-all-addresses.ts';
import { addCommits, COMMITS, GIT_ENVIRONMENT, makeRepositories, onlyForGit } from '../support/datasets/git-repositories.ts';
import type { Measurement } from '../support/measurement.ts';
import { median } from '../support/statistics.ts';

const MATERIALS = 200;
const PARALLEL = 10;
const MAX_RATIO = 1.3;
/** Rounds that differ more than this were disturbed by something else on the machine. */
const STEADY_SHARE = 0.75;
const LIMITS = { timeoutMs: 60_000, maxBytes: 1024 ** 3 };

/** The commands a person would type for one material; `{}` stands for its repository. */
const BARE = {
  first: [
    'sh',
    '-c',
    'git clone -q --bare --template= --no-tags --single-branch -b main "$0" "copy-$$" && git --git-dir="copy-$$" log -1 --name-status',
    '{}',
  ],
  unchanged: ['git', 'ls-remote', '{}', 'refs/heads/main'],
  /** Into the copy that the first one made; `{}` stands for that copy. */
  changed: ['sh', '-c', 'git --git-dir="$0" fetch -q --no-tags origin +main:main && git --git-dir="$0" log -1 --name-status main', '{}'],
};

export const gitPolling: Measurement = {
  name: 'git-polling',
  what: `first / unchanged / changed poll of ${MATERIALS} local git materials, ${PARALLEL} at a time`,
  beside: 'git clone and git log / git ls-remote / git fetch and git log, by xargs',
  goal: `≤ ${MAX_RATIO} × each`,
  run: async (lab) => {
    const repositories = makeRepositories(lab.newPath(), MATERIALS);
    const elsewhere = repositories.map(onlyForGit);
    const times = {
      first: [] as number[],
      unchanged: [] as number[],
      changed: [] as number[],
      asked: [] as number[],
      askedChanged: [] as number[],
      bySpawn: [] as number[],
      bareFirst: [] as number[],
      bareUnchanged: [] as number[],
      bareChanged: [] as number[],
    };
    // Nothing is removed before the end: for seconds after it file systems look for room where files were deleted.
    for (let round = 0; round < lab.scale.starts; round++) {
      const ours = async () => {
        const [here, there] = [lab.newPath(), lab.newPath()];
        const known = new Map<string, KnownRevision>();
        times.first.push(await timed(() => pollAll(repositories, here, known, 1)));
        times.unchanged.push(await timed(() => pollAll(repositories, here, known, 0)));
        await pollAll(elsewhere, there, known, 1);
        times.asked.push(await timed(() => pollAll(elsewhere, there, known, 0)));
        addCommits(repositories);
        times.changed.push(await timed(() => pollAll(repositories, here, known, 1)));
        times.askedChanged.push(await timed(() => pollAll(elsewhere, there, known, 1)));
      };
      const bare = async () => {
        const directory = lab.newPath();
        mkdirSync(directory);
        times.bareFirst.push(await timed(() => runBare(BARE.first, directory, repositories)));
        times.bareUnchanged.push(await timed(() => runBare(BARE.unchanged, directory, repositories)));
        times.bySpawn.push(await timed(() => spawnAll(BARE.unchanged, repositories)));
        addCommits(repositories);
        times.bareChanged.push(await timed(() => runBare(BARE.changed, directory, readdirSync(directory))));
      };
      for (const side of round % 2 === 0 ? [ours, bare] : [bare, ours]) await side();
    }
    const numbers = {
      firstMs: median(times.first),
      bareFirstMs: median(times.bareFirst),
      unchangedMs: median(times.unchanged),
      changedMs: median(times.changed),
      askedMs: median(times.asked),
      askedChangedMs: median(times.askedChanged),
      bySpawnMs: median(times.bySpawn),
      bareUnchangedMs: median(times.bareUnchanged),
      bareChangedMs: median(times.bareChanged),
    };
    const [first, unchanged] = [numbers.firstMs / numbers.bareFirstMs, numbers.unchangedMs / numbers.bareUnchangedMs];
    const changed = numbers.changedMs / numbers.bareChangedMs;
    const asked = numbers.askedMs / numbers.bareUnchangedMs;
    const askedChanged = numbers.askedChangedMs / numbers.bareChangedMs;
    const fastest = [
      Math.min(...times.first) / Math.min(...times.bareFirst),
      Math.min(...times.unchanged) / Math.min(...times.bareUnchanged),
    ];
    return {
      figure: `${first.toFixed(2)} × / ${unchanged.toFixed(2)} × / ${changed.toFixed(2)} ×`,
      isMet: first <= MAX_RATIO && unchanged <= MAX_RATIO && changed <= MAX_RATIO,
      isReliable: Object.values(times).every((rounds) => Math.min(...rounds) >= STEADY_SHARE * median(rounds)),
      numbers: { first, unchanged, changed, asked, askedChanged, fastestFirst: fastest[0]!, fastestUnchanged: fastest[1]!, ...numbers },
      notes: [
        `first ${describeTimes(numbers.firstMs, numbers.bareFirstMs)}; unchanged ${describeTimes(numbers.unchangedMs, numbers.bareUnchangedMs)}; one new commit each ${describeTimes(numbers.changedMs, numbers.bareChangedMs)}`,
        `where git has to be asked, as for a repository elsewhere: unchanged ${asked.toFixed(2)} × (${describeTimes(numbers.askedMs, numbers.bareUnchangedMs)}), changed ${askedChanged.toFixed(2)} × (${describeTimes(numbers.askedChangedMs, numbers.bareChangedMs)})`,
        `Node alone, starting the commands for unchanged ones and doing nothing else: ${(numbers.bySpawnMs / numbers.bareUnchangedMs).toFixed(2)} × (${describeTimes(numbers.bySpawnMs, numbers.bareUnchangedMs)})`,
        `ratios of the fastest rounds ${fastest.map((ratio) => ratio.toFixed(2)).join(' / ')}; repositories of ${COMMITS} commits`,
      ],
    };
  },
};

/** `expected`: how many modifications each poll is to give. */
async function pollAll(
  repositories: readonly string[],
  directory: string,
  known: Map<string, KnownRevision>,
  expected: number,
): Promise<void> {
  let next = 0;
  const work = async () => {
    while (next < repositories.length) {
      const index = next++;
      const url = repositories[index]!;
      const material: GitMaterial = { type: 'git', fingerprint: url, url, branch: 'main' };
      const context = {
        directory: join(directory, String(index)),
        signal: new AbortController().signal,
        onActivity: () => {},
        limits: LIMITS,
        ...ALLOW_ALL_ADDRESSES,
      };
      const before = known.get(url);
      let count = 0;
      for await (const batch of gitClient.poll(material, before, context)) {
        count += batch.length;
        known.set(url, { revision: batch.at(-1)!.revision });
      }
      if (count !== expected) throw new Error(`A poll gave ${count} modifications.`);
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, work));
}

async function runBare(command: readonly string[], directory: string, repositories: readonly string[]): Promise<void> {
  const args = ['-P', String(PARALLEL), '-I', '{}', ...command];
  const xargs = spawn('xargs', args, { cwd: directory, env: GIT_ENVIRONMENT, stdio: ['pipe', 'ignore', 'inherit'] });
  xargs.stdin.end(repositories.join('\n'));
  const [status] = await once(xargs, 'exit');
  if (status !== 0) throw new Error(`The bare commands failed: ${command.join(' ')}`);
}

/** The lower bound of any program in Node. */
async function spawnAll([program = '', ...template]: readonly string[], repositories: readonly string[]): Promise<void> {
  let next = 0;
  const work = async () => {
    while (next < repositories.length) {
      const repository = repositories[next++]!;
      const args = template.map((word) => (word === '{}' ? repository : word));
      const child = spawn(program, args, { env: GIT_ENVIRONMENT, stdio: ['ignore', 'ignore', 'inherit'] });
      const [status] = await once(child, 'exit');
      if (status !== 0) throw new Error(`${program} failed for ${repository}.`);
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, work));
}

async function timed(work: () => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

function describeTimes(ours: number, bare: number): string {
  return `${ours.toFixed(0)} ms beside ${bare.toFixed(0)} ms`;
}
