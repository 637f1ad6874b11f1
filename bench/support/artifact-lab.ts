// A pipeline whose first job leaves files and whose second one fetches them, with a real agent; times are those in its consoles.
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { BuildBench, type BuildPipeline } from './build-lab.ts';
import type { Lab } from './lab.ts';
import { memoryMb } from './process.ts';

const CHECK_EVERY_MS = 20;
const DAY_MS = 86_400_000;

export interface Transfer {
  readonly upMs: number;
  readonly downMs: number;
}

export class ArtifactBench {
  readonly bench: BuildBench;
  readonly #pipeline: BuildPipeline;
  readonly #pids: { readonly server: number; readonly agent: number };
  #before = { server: 0, agent: 0 };
  readonly #peak = { server: 0, agent: 0 };
  #counter = 0;

  private constructor(bench: BuildBench, pipeline: BuildPipeline, agent: number) {
    this.bench = bench;
    this.#pipeline = pipeline;
    this.#pids = { server: bench.server.pid, agent };
  }

  /** `folder`: the files to publish and fetch; to warm up, as it is now. It is not copied for that: its files get one more name. */
  static async start(lab: Lab, folder: string): Promise<ArtifactBench> {
    const bench = await BuildBench.start(lab);
    const [agent] = await bench.realAgents(1);
    const script = (command: string) => ({ type: 'exec', attributes: { command: '/bin/sh', arguments: ['-c', command], run_if: [] } });
    const leave = {
      name: 'leave',
      tasks: [script(`rm -rf files && cp -rl ${folder} files && sync`)],
      artifacts: [{ type: 'build', source: 'files', destination: '' }],
    };
    const from = { artifact_origin: 'gocd', pipeline: '', stage: 'build', job: 'leave', source: 'files', is_source_a_file: false };
    // Moved instead of deleted: for minutes, ext4 looks at each deleted file before it makes a new one near it.
    // With 10,000 of them that takes seconds.
    const aside = 'mkdir -p old && if [ -e files ]; then mv files "old/$GO_PIPELINE_COUNTER"; fi && sync';
    const fetched = { name: 'take', tasks: [script(aside), { type: 'fetch', attributes: { ...from, run_if: [] } }] };
    const stages = [
      { name: 'build', jobs: [leave] },
      { name: 'fetch', jobs: [fetched] },
    ];
    const pipeline = await bench.pipelineOf('artifacts', stages);
    await delay(2000); // the agent starts
    const started = new ArtifactBench(bench, pipeline, agent!);
    await started.transfer(); // memory that any job takes is taken before
    started.#before = { server: memoryMb(bench.server.pid), agent: memoryMb(agent!) };
    return started;
  }

  stop(): Promise<void> {
    return this.bench.stop();
  }

  /** How much more memory they took than before, at the most. */
  get moreMb(): { readonly server: number; readonly agent: number } {
    return { server: this.#peak.server - this.#before.server, agent: this.#peak.agent - this.#before.agent };
  }

  /** One run of the pipeline. */
  async transfer(): Promise<Transfer> {
    if (this.#counter++ > 0) this.#pipeline.commit();
    await this.#pipeline.notify();
    const left = await this.#console('leave', 'build');
    const taken = await this.#console('take', 'fetch');
    return { upMs: between(left, 'Uploading artifacts', 'Uploaded'), downMs: between(taken, 'Fetching artifact', 'Saved artifact') };
  }

  /** Of a job, once it is completed. */
  async #console(job: string, stage: string): Promise<string> {
    const file = this.bench.consoleOf('artifacts', this.#counter, job, stage);
    for (;;) {
      const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
      if (text.includes('Job completed')) return text;
      if (this.#before.server > 0) this.#sample();
      await delay(CHECK_EVERY_MS);
    }
  }

  #sample(): void {
    for (const who of ['server', 'agent'] as const) this.#peak[who] = Math.max(this.#peak[who], memoryMb(this.#pids[who]));
  }
}

/** Milliseconds from the first line that begins so to the last one that does. */
function between(console: string, begin: string, end: string): number {
  const times = (message: string) =>
    [...console.matchAll(new RegExp(`^..\\|(\\S+) \\[Slipway\\] ${message}`, 'gm'))].map(([, time]) => ofDay(time!));
  const [from, to] = [times(begin)[0], times(end).at(-1)];
  if (from === undefined || to === undefined) throw new Error(`The job did not do what it should:\n${console}`);
  return (to - from + DAY_MS) % DAY_MS;
}

function ofDay(time: string): number {
  return Date.parse(`1970-01-01T${time}Z`);
}
