// Builds: from a commit to the first line of its job, and how many jobs there are in a second.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { BuildBench } from '../support/build-lab.ts';
import { GIT_ENVIRONMENT } from '../support/datasets/git-repositories.ts';
import type { Lab } from '../support/lab.ts';
import type { Measurement } from '../support/measurement.ts';
import { median } from '../support/statistics.ts';

const MORE_MS = 100;
const TIMES = 2;
const LATENCY_ROUNDS = 50;
const JOBS_GOAL = 0.3;
const FAKE_AGENTS = 50;
const REAL_AGENTS = 4;
/** Jobs a second of another server with as many workers. */
const JOBS_OF_OTHERS = 3;
const REAL_GOAL = 10 * JOBS_OF_OTHERS;
/** Of one job: three reports and its assignment. */
const COMMITS_OF_JOB = 4;

export const buildLatency: Measurement = {
  name: 'build-latency',
  what: 'notify of a commit → first line of its job in the console, real agent, warm cache, p50',
  beside: 'a script: git fetch, git checkout, spawn',
  goal: `≤ ${TIMES} × + ${MORE_MS} ms`,
  run: async (lab) => {
    const rounds = Math.min(LATENCY_ROUNDS, lab.scale.requests / 50);
    const bench = await BuildBench.start(lab);
    await bench.realAgents(1);
    const { path, commit, notify } = await bench.pipeline('latency', [{ name: 'hello', argv: ['echo', 'hello'] }]);
    const clone = lab.newPath();
    execFileSync('git', ['clone', '--quiet', path, clone], { env: GIT_ENVIRONMENT });
    await notify();
    await firstLine(bench, 1);
    const [ours, beside]: [number[], number[]] = [[], []];
    for (let counter = 2; counter < 2 + rounds; counter++) {
      commit();
      const began = performance.now();
      await notify();
      await firstLine(bench, counter);
      ours.push(performance.now() - began);
      beside.push(await byScript(clone));
      await delay(50); // the job has to end
    }
    await bench.stop();
    const [oursMs, besideMs] = [median(ours), median(beside)];
    return {
      figure: `${oursMs.toFixed(0)} ms beside ${besideMs.toFixed(0)} ms`,
      isMet: oursMs <= TIMES * besideMs + MORE_MS,
      numbers: { oursMs, besideMs, slowest: Math.max(...ours), rounds },
      notes: [`slowest ${Math.max(...ours).toFixed(0)} ms of ${rounds}`],
    };
  },
};

async function firstLine(bench: BuildBench, counter: number): Promise<void> {
  const file = bench.consoleOf('latency', counter, 'hello');
  while (!existsSync(file) || !readFileSync(file, 'utf8').includes('&1|')) await delay(1);
}

async function byScript(clone: string): Promise<number> {
  const began = performance.now();
  const run = async (command: string, ...args: readonly string[]) => {
    const child = spawn(command, args, { cwd: clone, env: GIT_ENVIRONMENT, stdio: ['ignore', 'pipe', 'ignore'] });
    child.stdout.resume();
    await once(child, 'close');
  };
  await run('git', 'fetch', '--quiet');
  await run('git', 'checkout', '--quiet', '--detach', 'origin/main');
  await run('echo', 'hello');
  return performance.now() - began;
}

export const buildRate: Measurement = {
  name: 'build-rate',
  what: `trivial jobs per second, ${FAKE_AGENTS} agents that run nothing; with ${REAL_AGENTS} real agents`,
  beside: 'node:http with the same number of durable commits; another server does 3 a second with 4 workers',
  goal: `≥ ${JOBS_GOAL}; ≥ ${REAL_GOAL} a second`,
  run: async (lab) => {
    const jobs = lab.scale.requests / 2;
    const fake = await fakeRate(lab, jobs);
    const bare = await bareRate(lab, jobs);
    const real = await realRate(lab, Math.round(jobs / 4));
    const ratio = fake / bare;
    return {
      figure: `${ratio.toFixed(2)}; ${real.toFixed(0)} a second`,
      isMet: ratio >= JOBS_GOAL && real >= REAL_GOAL,
      numbers: { ratio, fake, bare, real, jobs },
      notes: [`${fake.toFixed(0)} jobs a second beside ${bare.toFixed(0)}`],
    };
  },
};

async function fakeRate(lab: Lab, jobs: number): Promise<number> {
  const bench = await BuildBench.start(lab);
  const { notify } = await bench.pipeline('rate', [{ name: 'x', count: jobs, argv: ['true'] }]);
  const agents = await bench.fakeAgents(FAKE_AGENTS);
  let done = 0;
  let began = 0;
  const work = async (agent: (typeof agents)[number]) => {
    while (done < jobs) {
      const job = await agent.take();
      began ||= performance.now();
      await agent.report(job, 'Building');
      await agent.report(job, 'Completing', 'Passed');
      await agent.report(job, 'Completed', 'Passed');
      if (++done === jobs) ended(performance.now());
    }
  };
  let ended: (at: number) => void = () => {};
  const end = new Promise<number>((resolve) => {
    ended = resolve;
  });
  for (const agent of agents) work(agent).catch(() => {}); // they are stopped while they wait
  await notify();
  const seconds = ((await end) - began) / 1000;
  await bench.stop();
  return jobs / seconds;
}

/** As many requests over as many connections, each one durable commit. */
async function bareRate(lab: Lab, jobs: number): Promise<number> {
  const server = await lab.startBareServer(
    { status: 200, headers: ['Content-Type', 'application/json'], body: '{}', keepAliveSeconds: 5 },
    { durable: true },
  );
  const connections = new Agent({ keepAlive: true, maxSockets: FAKE_AGENTS });
  let left = jobs * COMMITS_OF_JOB;
  const began = performance.now();
  const send = async () => {
    while (left-- > 0) await post(server.url, connections);
  };
  await Promise.all(Array.from({ length: FAKE_AGENTS }, send));
  const seconds = (performance.now() - began) / 1000;
  connections.destroy();
  await server.stop();
  return jobs / seconds;
}

function post(url: string, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    const sending = request(url, { method: 'POST', agent }, (answer) => answer.resume().once('end', resolve));
    sending.on('error', reject);
    sending.end('{"instance":"x","epoch":1,"number":1,"state":"Building"}');
  });
}

async function realRate(lab: Lab, jobs: number): Promise<number> {
  const bench = await BuildBench.start(lab);
  const { notify } = await bench.pipeline('real', [{ name: 'x', count: jobs, argv: ['true'] }]);
  await bench.realAgents(REAL_AGENTS);
  await delay(2000); // they start
  const began = performance.now();
  await notify();
  for (let index = 1; index <= jobs; index++) {
    const file = bench.consoleOf('real', 1, `x-runInstance-${index}`);
    while (!existsSync(file) || !readFileSync(file, 'utf8').includes('Job completed')) await delay(5);
  }
  const seconds = (performance.now() - began) / 1000;
  await bench.stop();
  return jobs / seconds;
}
