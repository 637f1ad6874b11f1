// Builds where there is much of everything: pipelines, upstream runs, idle agents.
import { setTimeout as delay } from 'node:timers/promises';
import { type FanInDependency, fanIn, type UpstreamRun } from '../../src/builds/trigger/fan-in.ts';
import type { FakeAgent } from '../../test/support/builds/fake-agent.ts';
import { BuildBench } from '../support/build-lab.ts';
import type { Lab } from '../support/lab.ts';
import type { Measurement } from '../support/measurement.ts';
import { memoryMb, processorSeconds } from '../support/process.ts';
import { median } from '../support/statistics.ts';

const SIZE_GOAL = 1.2;
const IDLE_GOAL = 0.02;
const TRIGGERS = 20;
const IDLE_SECONDS = 10;
const FAN_IN_GOAL_MS = 10;
const UPSTREAMS = 100;
const RUNS = 100;
const IDLE_AGENTS = 1000;
const AGENTS_MB = 100;
const AGENTS_PROCESSOR = 0.1;

export const triggerAtSize: Measurement = {
  name: 'trigger-at-size',
  what: 'from a modification to its job at an agent, with many pipelines, and the idle server',
  beside: 'the same with one pipeline',
  goal: `≤ ${SIZE_GOAL} ×, idle ≤ ${IDLE_GOAL * 100} % of a core`,
  run: async (lab) => {
    const sides = {
      large: await TriggeredPipeline.open(lab, await lab.pipelinesDataDir()),
      small: await TriggeredPipeline.open(lab, lab.newPath()),
    };
    // In turns: other load on the machine affects both.
    for (let round = 0; round <= TRIGGERS; round++) for (const side of Object.values(sides)) await side.trigger();
    const large = { ms: median(sides.large.times), idle: await processorShare(sides.large.pid) };
    const small = { ms: median(sides.small.times), idle: await processorShare(sides.small.pid) };
    for (const side of Object.values(sides)) await side.stop();
    const ratio = large.ms / small.ms;
    return {
      figure: `${ratio.toFixed(2)} ×, ${(100 * large.idle).toFixed(1)} %`,
      isMet: ratio <= SIZE_GOAL && large.idle <= IDLE_GOAL,
      numbers: { ratio, largeMs: large.ms, smallMs: small.ms, idle: large.idle, idleSmall: small.idle, pipelines: lab.scale.pipelines },
      notes: [`${large.ms.toFixed(1)} ms with ${lab.scale.pipelines} pipelines beside ${small.ms.toFixed(1)} ms`],
    };
  },
};

type BenchPipeline = Awaited<ReturnType<BuildBench['pipeline']>>;

/** A server with a pipeline that commits set off, and an agent that takes its jobs. */
class TriggeredPipeline {
  /** From the notification of a commit to the job; without the first time, which brings the repository. */
  readonly times: number[] = [];
  readonly #bench: BuildBench;
  readonly #pipeline: BenchPipeline;
  readonly #agent: FakeAgent;
  #isFirst = true;

  private constructor(bench: BuildBench, pipeline: BenchPipeline, agent: FakeAgent) {
    this.#bench = bench;
    this.#pipeline = pipeline;
    this.#agent = agent;
  }

  static async open(lab: Lab, dataDir: string): Promise<TriggeredPipeline> {
    const bench = await BuildBench.start(lab, dataDir);
    const pipeline = await bench.pipeline('triggered', [{ name: 'x', argv: ['true'] }]);
    const [agent] = await bench.fakeAgents(1);
    return new TriggeredPipeline(bench, pipeline, agent!);
  }

  get pid(): number {
    return this.#bench.server.pid;
  }

  async trigger(): Promise<void> {
    if (!this.#isFirst) this.#pipeline.commit();
    const began = performance.now();
    const taking = this.#agent.take();
    await this.#pipeline.notify();
    const work = await taking;
    if (!this.#isFirst) this.times.push(performance.now() - began);
    this.#isFirst = false;
    await this.#agent.complete(work);
    await delay(20);
  }

  stop(): Promise<void> {
    return this.#bench.stop();
  }
}

async function processorShare(pid: number): Promise<number> {
  await delay(2000); // work that was begun before ends
  const before = processorSeconds(pid);
  await delay(IDLE_SECONDS * 1000);
  return (processorSeconds(pid) - before) / IDLE_SECONDS;
}

export const fanInDiamond: Measurement = {
  name: 'fan-in',
  what: `fan-in of a diamond over ${UPSTREAMS} pipelines with ${RUNS} runs each, the worst pair`,
  beside: '–',
  goal: `≤ ${FAN_IN_GOAL_MS} ms`,
  run: async (lab) => {
    const rounds = Math.max(5, lab.scale.requests / 100);
    const root = 'root';
    const revision = (counter: number) => ({ modification: counter, time: counter * 1000 });
    const dependencies = Array.from({ length: UPSTREAMS }, (_, index): FanInDependency => {
      return { fingerprint: `d${index}`, pipeline: `p${index}`, stage: 's', roots: new Set([root]) };
    });
    // One of them is far behind: all others have to go back to its revision.
    const runsOf = new Map(
      dependencies.map(({ fingerprint }, index) => {
        const newest = index === 0 ? 2 : RUNS;
        const runs = Array.from({ length: newest }, (_, age): UpstreamRun => {
          const counter = newest - age;
          const passed = { modification: index * 1000 + counter, locator: `p${index}/${counter}/s/1` };
          return { run: index * 1000 + counter, counter, passed, roots: new Map([[root, [revision(counter)]]]) };
        });
        return [fingerprint, runs];
      }),
    );
    const of = { pipeline: 'bottom', dependencies, roots: [{ fingerprint: root, latest: revision(RUNS) }] };
    const times: number[] = [];
    for (let round = 0; round <= rounds; round++) {
      const began = performance.now();
      const decision = await fanIn(of, ({ fingerprint }, from) => runsOf.get(fingerprint)!.slice(from, from + 5));
      if (!decision.isCompatible) throw new Error(decision.message);
      if (round > 0) times.push(performance.now() - began);
    }
    const ms = median(times);
    return {
      figure: `${ms.toFixed(2)} ms`,
      isMet: ms <= FAN_IN_GOAL_MS,
      numbers: { ms },
      notes: ['the decision alone, without reading the runs'],
    };
  },
};

export const idleAgents: Measurement = {
  name: 'idle-agents',
  what: `${IDLE_AGENTS} idle agents: memory and processor of the server`,
  beside: 'the same server without them',
  goal: `≤ ${AGENTS_MB} MB more, ≤ ${AGENTS_PROCESSOR * 100} % of a core`,
  run: async (lab) => {
    const bench = await BuildBench.start(lab);
    await delay(2000);
    const before = memoryMb(bench.server.pid);
    for (const agent of await bench.fakeAgents(IDLE_AGENTS)) agent.work();
    const share = await processorShare(bench.server.pid);
    const more = memoryMb(bench.server.pid) - before;
    await bench.stop();
    return {
      figure: `${more.toFixed(0)} MB, ${(100 * share).toFixed(1)} %`,
      isMet: more <= AGENTS_MB && share <= AGENTS_PROCESSOR,
      numbers: { more, share },
      notes: [`over ${IDLE_SECONDS} s; each agent polls twice a minute`],
    };
  },
};
