// Artifacts: a large one and many small ones, up and down with a real agent, beside bare copies of files; and a list of very many.
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Artifacts } from '../../src/store/builds/artifacts.ts';
import { openSqlite } from '../../src/store/sqlite/open.ts';
import { ArtifactBench, type Transfer } from '../support/artifact-lab.ts';
import { fetchBare, sendBare } from '../support/bare/bare-copy.ts';
import { BuildBench } from '../support/build-lab.ts';
import type { Lab } from '../support/lab.ts';
import type { Measurement } from '../support/measurement.ts';
import type { Outcome } from '../support/outcome.ts';
import { startProgram } from '../support/process.ts';
import { median, percentile } from '../support/statistics.ts';

const LARGE_GOAL = 0.6;
const MORE_MB = 64;
const SMALL_GOAL = 0.5;
const SMALL_FOLDERS = 100;
const LIST_GOAL_MS = 100;
const LISTED = 100_000;
const MIB = 1024 * 1024;
const WARM_UP_BYTES = 8 * MIB;
const ROUNDS = 3;
/** Rounds that differ more than this were disturbed by something else on the machine. */
const STEADY_SHARE = 0.75;
const bareServer = join(import.meta.dirname, '..', 'support', 'bare', 'bare-copy-server.ts');

export const artifactLarge: Measurement = {
  name: 'artifact-large',
  what: 'an artifact of 1 GB (quick: 256 MB) up and down, real agent',
  beside: 'a bare HTTP copy with node:http, on disk at the end where ours is: up',
  goal: `≥ ${LARGE_GOAL} each; server and agent ≤ ${MORE_MB} MB more`,
  run: async (lab) => {
    const folder = lab.newPath();
    mkdirSync(folder);
    const file = join(folder, 'large.bin');
    grow(file, WARM_UP_BYTES);
    const bareFolder = lab.newPath();
    mkdirSync(bareFolder);
    const bare = await startProgram([bareServer, bareFolder], lab.newPath());
    const copied = join(bareFolder, 'fetched');
    const bench = await ArtifactBench.start(lab, folder);
    grow(file, lab.scale.artifactBytes - WARM_UP_BYTES);
    const sides = await inTurns(bench, async () => {
      rmSync(copied, { force: true });
      return {
        upMs: await timed(() => sendBare(bare.url, file)),
        downMs: await timed(() => fetchBare(bare.url, copied)),
      };
    });
    await Promise.all([bench.stop(), bare.stop()]);
    const { server, agent } = bench.moreMb;
    const outcome = outcomeOf(sides, LARGE_GOAL);
    return {
      ...outcome,
      figure: `${outcome.figure}; ${server.toFixed(0)} and ${agent.toFixed(0)} MB`,
      isMet: outcome.isMet === true && Math.max(server, agent) <= MORE_MB,
      numbers: { ...outcome.numbers, serverMoreMb: server, agentMoreMb: agent },
    };
  },
};

export const artifactsSmall: Measurement = {
  name: 'artifacts-small',
  what: '10,000 artifacts (quick: 2,000) of 1 to 4 kB up and down, real agent',
  beside: 'tar c | tar x at the same place, and sync where ours is on disk at the end: up',
  goal: `≥ ${SMALL_GOAL} each`,
  run: async (lab) => {
    const folder = smallFiles(lab, lab.scale.artifacts);
    const bench = await ArtifactBench.start(lab, folder);
    // How fast new files are made depends on which were deleted near them in the last minutes.
    const { dataDir, workDirs } = bench.bench;
    let turn = 0;
    const sides = await inTurns(bench, async () => {
      turn++;
      return {
        upMs: await timed(() => byTar(folder, join(dataDir, 'artifacts', `tar-${turn}`), '; sync')),
        downMs: await timed(() => byTar(folder, join(workDirs[0]!, `tar-${turn}`), '')),
      };
    });
    await bench.stop();
    return outcomeOf(sides, SMALL_GOAL);
  },
};

export const artifactList: Measurement = {
  name: 'artifact-list',
  what: 'first page of the list of 100,000 artifacts of a job',
  beside: '–',
  goal: `≤ ${LIST_GOAL_MS} ms`,
  run: async (lab) => {
    const bench = await BuildBench.start(lab);
    const { notify } = await bench.pipeline('listed', [{ name: 'many', argv: ['true'] }]);
    const [agent] = await bench.fakeAgents(1);
    const taking = agent!.take();
    await notify();
    const { job } = await taking;
    await bench.stop();
    await addArtifacts(join(bench.dataDir, 'slipway.db'), job);
    const server = await lab.startServer(bench.dataDir);
    const times: number[] = [];
    let files = 0;
    for (let turn = 0; turn <= lab.scale.requests / 50; turn++) {
      const ms = await timed(async () => {
        const answer = await fetch(`${server.url}/files/listed/1/build/1/many.json`, { headers: { Authorization: lab.basic } });
        const text = await answer.text();
        files = text.split('"type":"file"').length - 1;
        if (answer.status !== 200 || files < 1000) throw new Error(`The list is not one: ${answer.status} ${text.slice(0, 200)}`);
      });
      if (turn > 0) times.push(ms);
    }
    await server.stop();
    const ms = median(times);
    return {
      figure: `${ms.toFixed(0)} ms`,
      isMet: ms <= LIST_GOAL_MS,
      numbers: { ms, p99: percentile(times, 0.99), files },
      notes: [`p50; p99 ${percentile(times, 0.99).toFixed(0)} ms; the page has ${files} files`],
    };
  },
};

interface Sides {
  readonly ours: readonly Transfer[];
  readonly beside: readonly Transfer[];
}

/** Both sides take turns, so that other load on the machine affects both. */
async function inTurns(bench: ArtifactBench, beside: () => Promise<Transfer>): Promise<Sides> {
  const [ours, others]: [Transfer[], Transfer[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    if (round % 2 === 0) ours.push(await bench.transfer());
    execFileSync('sync');
    others.push(await beside());
    if (round % 2 !== 0) ours.push(await bench.transfer());
  }
  return { ours, beside: others };
}

function outcomeOf({ ours, beside }: Sides, goal: number): Outcome {
  const middle = (of: readonly Transfer[], what: keyof Transfer) => median(of.map((one) => one[what]));
  const [upMs, downMs] = [middle(ours, 'upMs'), middle(ours, 'downMs')];
  const [besideUpMs, besideDownMs] = [middle(beside, 'upMs'), middle(beside, 'downMs')];
  const [up, down] = [besideUpMs / upMs, besideDownMs / downMs];
  const ms = (value: number) => `${value.toFixed(0)} ms`;
  return {
    figure: `${up.toFixed(2)} up, ${down.toFixed(2)} down`,
    isMet: Math.min(up, down) >= goal,
    isReliable: [ours, beside].every((side) => isSteady(side, 'upMs') && isSteady(side, 'downMs')),
    numbers: { up, down, upMs, downMs, besideUpMs, besideDownMs },
    notes: [`up ${ms(upMs)} beside ${ms(besideUpMs)}, down ${ms(downMs)} beside ${ms(besideDownMs)}`],
  };
}

function isSteady(side: readonly Transfer[], what: keyof Transfer): boolean {
  const times = side.map((one) => one[what]);
  return Math.min(...times) >= STEADY_SHARE * median(times);
}

async function timed(work: () => Promise<void> | void): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

function grow(file: string, bytes: number): void {
  const piece = randomBytes(MIB);
  for (let written = 0; written < bytes; written += MIB) appendFileSync(file, piece);
}

function smallFiles(lab: Lab, count: number): string {
  const folder = lab.newPath();
  for (let index = 0; index < SMALL_FOLDERS; index++) mkdirSync(join(folder, `folder-${index}`), { recursive: true });
  const content = randomBytes(8192);
  for (let index = 0; index < count; index++) {
    const [from, bytes] = [index % 4096, 1024 + ((index * 7919) % 3072)];
    writeFileSync(join(folder, `folder-${index % SMALL_FOLDERS}`, `file-${index}`), content.subarray(from, from + bytes));
  }
  return folder;
}

function byTar(from: string, to: string, end: string): void {
  mkdirSync(to);
  execFileSync('/bin/sh', ['-c', `tar c -C "${from}" . | tar x -C "${to}"${end}`]);
}

/** Sent through the server, so many would take minutes. */
async function addArtifacts(file: string, job: number): Promise<void> {
  const database = openSqlite(file);
  const rows = Array.from({ length: LISTED }, (_, index) => {
    const path = `reports/folder-${index % 1000}/file-${index}.xml`;
    return { job_id: job, path, bytes: index, sha256: 'a'.repeat(64), md5: 'b'.repeat(32), created_at: Date.now() };
  });
  await database.writeTransaction(new Artifacts(database).add(rows));
  await database.close();
}
