// Follows a run to its end: the consoles of its jobs, stage by stage.
import { setTimeout as pause } from 'node:timers/promises';
import type { Context } from '../../terminal/context.ts';
import type { RemoteServer } from '../../terminal/target.ts';
import type { HistoryAnswer, RunAnswer, StageInRun } from './answers.ts';
import { fetchWithRetries } from './ask-with-retries.ts';
import { printedLine } from './console-lines.ts';
import { EXIT_WAITS, exitCodeOf } from './exit-codes.ts';
import { followConsole } from './follow-console.ts';
import type { FollowScreen } from './follow-screen.ts';
import { historyPath, type JobAddress, pipelinePath, runPath } from './paths.ts';
import { progressOf, stageText } from './run-progress.ts';
import { waitingText } from './waiting-text.ts';

const LOOK_MS = 1000;
const QUICK_LOOK_MS = 100;
/** After so long without the next stage, something may stand in its way. */
const MAX_GAP_MS = 2000;
const MINUTE_MS = 60_000;

/** Returns the exit code. */
export async function followRun(server: RemoteServer, run: RunAnswer, screen: FollowScreen, { out, err }: Context): Promise<number> {
  const followed = new FollowedRun(server, run, screen);
  const { sentence, code } = await followed.ended();
  screen.end();
  (code === 0 ? out : err).write(`${sentence}\n`);
  return code;
}

const ENDINGS = { Passed: 'has passed', Failed: 'has failed', Cancelled: 'was cancelled' } as const;

interface RunEnd {
  readonly sentence: string;
  readonly code: number;
}

class FollowedRun {
  readonly #server: RemoteServer;
  readonly #screen: FollowScreen;
  readonly #name: string;
  readonly #path: string;
  #run: RunAnswer;
  readonly #consoles = new Map<string, Promise<unknown>>();
  /** Consoles that have not ended. */
  readonly #open = new Set<string>();
  #failure: unknown;
  #gapSince: number | undefined;

  constructor(server: RemoteServer, run: RunAnswer, screen: FollowScreen) {
    this.#server = server;
    this.#screen = screen;
    this.#run = run;
    this.#name = `${run.name}/${run.counter}`;
    this.#path = runPath(run.name, run.counter);
  }

  async ended(): Promise<RunEnd> {
    for (;;) {
      this.#run = await this.#fetch<RunAnswer>(this.#path);
      for (const stage of this.#run.stages) this.#followJobsOf(stage);
      const end = await this.#end();
      if (end) {
        // Their last lines.
        await Promise.all(this.#consoles.values());
        if (this.#failure) throw this.#failure;
        return end;
      }
      await this.#untilNextPoll();
    }
  }

  #fetch<T>(path: string): Promise<T> {
    return fetchWithRetries<T>(this.#server, path, this.#screen.unavailable);
  }

  /** Undefined: it goes on. */
  async #end(): Promise<RunEnd | undefined> {
    if (this.#failure) throw this.#failure;
    const progress = progressOf(this.#run);
    if (progress.kind !== 'between stages') this.#gapSince = undefined;
    switch (progress.kind) {
      case 'ended': {
        const { result, stage } = progress;
        const where = result === 'Passed' ? '' : ` in ${stage.name}${failedJobs(stage)}`;
        return { sentence: `Run ${this.#name} ${ENDINGS[result]}${where}.`, code: exitCodeOf(result) };
      }
      case 'manual stage':
        return {
          sentence: `Run ${this.#name} has passed so far, and waits: the stage ${progress.next.name} is started by hand.`,
          code: EXIT_WAITS,
        };
      case 'under way':
        await this.#showStage(progress.stage);
        return undefined;
      case 'between stages':
        return this.#stalledEnd(progress.next);
    }
  }

  async #stalledEnd({ name }: StageInRun): Promise<RunEnd | undefined> {
    this.#gapSince ??= performance.now();
    if (performance.now() - this.#gapSince < MAX_GAP_MS) return undefined;
    const { paused } = await this.#fetch<{ readonly paused: boolean }>(pipelinePath(this.#run.name, 'status'));
    if (paused) return { sentence: `Run ${this.#name} has passed so far, and waits: the pipeline is paused.`, code: EXIT_WAITS };
    const { pipelines } = await this.#fetch<HistoryAnswer>(historyPath(this.#run.name));
    const newer = pipelines.find(
      ({ counter, stages }) => counter > this.#run.counter && stages.some((one) => one.name === name && one.scheduled),
    );
    // A stage goes on to newer runs only.
    if (newer)
      return {
        sentence: `Run ${this.#name} has passed so far, but goes no further: the newer run ${newer.name}/${newer.counter} took its place in ${name}.`,
        code: EXIT_WAITS,
      };
    this.#screen.show(`${this.#name}: waiting for the stage ${name}`);
    return undefined;
  }

  async #showStage(stage: StageInRun): Promise<void> {
    const step = `${this.#name}/${stage.name}/${stage.counter}: ${stageText(stage)}`;
    const waiting = stage.jobs.find(({ state }) => state === 'Scheduled');
    const isOnlyWaiting = waiting && stage.jobs.every(({ state }) => state === 'Scheduled' || state === 'Completed');
    const text = isOnlyWaiting ? await waitingText(this.#server, this.#addressOf(stage, waiting.name)) : undefined;
    this.#screen.show(text ?? step, timeLeft(stage));
  }

  #addressOf(stage: StageInRun, job: string): JobAddress {
    const { name: pipeline, counter } = this.#run;
    return { pipeline, counter: String(counter), stage: stage.name, stageCounter: stage.counter, job };
  }

  #followJobsOf(stage: StageInRun): void {
    for (const { name } of stage.scheduled ? stage.jobs : []) {
      const key = [stage.name, stage.counter, name].join('/');
      if (this.#consoles.has(key)) continue;
      this.#open.add(key);
      const console = followConsole({
        server: this.#server,
        job: this.#addressOf(stage, name),
        from: 0,
        print: (lines) => this.#screen.write(lines.map((line) => `${this.#prefixOf(stage, name)}${printedLine(line, false)}\n`).join('')),
        onUnavailable: this.#screen.unavailable,
      })
        .catch((failure: unknown) => {
          this.#failure ??= failure;
        })
        .finally(() => this.#open.delete(key));
      this.#consoles.set(key, console);
    }
  }

  /** A run of one job needs none. */
  #prefixOf({ name, jobs }: StageInRun, job: string): string {
    return this.#run.stages.length > 1 || jobs.length > 1 ? `${name}/${job} | ` : '';
  }

  /** At once when a job has ended: then there is news. */
  async #untilNextPoll(): Promise<void> {
    if (this.#open.size === 0) {
      await pause(QUICK_LOOK_MS);
      return;
    }
    const over = new AbortController();
    const open = [...this.#open].map((key) => this.#consoles.get(key));
    await Promise.race([pause(LOOK_MS, undefined, { signal: over.signal }).catch(() => undefined), ...open]);
    over.abort();
  }
}

function failedJobs({ jobs }: StageInRun): string {
  const names = jobs.filter(({ result }) => result !== 'Passed').map(({ name }) => name);
  return names.length === 0 ? '' : ` (${names.join(', ')})`;
}

function timeLeft({ estimated_end: end }: StageInRun): string {
  if (end === undefined) return '';
  const minutes = Math.ceil((end - Date.now()) / MINUTE_MS);
  return minutes > 0 ? `, about ${minutes} min left` : ', longer than usual';
}
