// Jobs that get no elastic agent, because no plugin starts one or it fails to: reported to consoles and administrators, once for each reason.
import type { WaitReason } from '../elastic/decide-agents.ts';
import type { ActiveJob } from './active-builds.ts';
import type { AssignableAgent, AssignableJob } from './assign.ts';

export interface StrandedJob {
  readonly job: ActiveJob;
  readonly message: string;
}

export interface StrandedParts {
  waiting(): Iterable<ActiveJob>;
  assignable(job: ActiveJob): AssignableJob | undefined;
  agents(): readonly AssignableAgent[];
  /** The state of the server's own attempt to get an agent; undefined: there is none. */
  stateOf(job: ActiveJob): WaitReason | undefined;
  note(job: ActiveJob, line: string): Promise<void>;
  /** All there are now. */
  report(jobs: readonly StrandedJob[]): void;
}

/** The agent that a job with an elastic profile waits for, and the remedy. */
export function elasticNeed({ profile, plugin }: NonNullable<AssignableJob['elastic']>): string {
  if (plugin === null)
    return `The job needs an elastic agent of the profile '${profile}', which belongs to no plugin. Correct its cluster profile.`;
  return `The job needs an elastic agent of the profile '${profile}'. This server does not start one by itself: start an agent with --elastic-agent-id and --elastic-plugin-id ${plugin}, or take the profile out of the job.`;
}

export class StrandedJobs {
  readonly #parts: StrandedParts;
  /** The last message to the console of each stranded job. */
  #noted = new Map<number, string>();

  constructor(parts: StrandedParts) {
    this.#parts = parts;
  }

  async check(): Promise<void> {
    const stranded = [...this.#stranded()];
    this.#parts.report(stranded);
    const before = this.#noted;
    this.#noted = new Map(stranded.map(({ job, message }) => [job.row.id, message]));
    for (const { job, message } of stranded) if (before.get(job.row.id) !== message) await this.#parts.note(job, `[Slipway] ${message}`);
  }

  *#stranded(): Generator<StrandedJob> {
    let plugins: ReadonlySet<string | null> | undefined;
    for (const job of this.#parts.waiting()) {
      if (job.plan.job.elasticProfileId === null) continue;
      const state = this.#parts.stateOf(job);
      if (state?.problem !== undefined) yield { job, message: state.problem };
      if (state) continue;
      const elastic = this.#parts.assignable(job)?.elastic;
      if (!elastic) continue;
      plugins ??= new Set(this.#parts.agents().map(({ elasticPlugin }) => elasticPlugin));
      if (elastic.plugin === null || !plugins.has(elastic.plugin)) yield { job, message: elasticNeed(elastic) };
    }
  }
}
