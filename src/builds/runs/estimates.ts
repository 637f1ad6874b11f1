// How long a stage or a job usually takes, and when one that is under way should end: by the last times it passed.
import type { Job, JobTransition } from '../../store/builds/jobs.ts';
import { keyOf, type LastDurations } from '../../store/builds/last-durations.ts';
import type { StageRun } from '../../store/builds/stage-runs.ts';

export interface Estimate {
  /** Milliseconds. */
  readonly duration: number;
  /** When it should end, in milliseconds; undefined: it has ended, or not begun. */
  readonly end: number | undefined;
}

type NamedStage = Pick<StageRun, 'stage_key' | 'scheduled_at' | 'completed_at'>;
type NamedJob = Pick<Job, 'id' | 'stage_key' | 'job_key' | 'completed_at'>;

/** Undefined: there is nothing to go by. */
export function median(durations: readonly number[]): number | undefined {
  const sorted = durations.toSorted((one, other) => one - other);
  const middle = sorted.length / 2;
  if (sorted.length === 0) return undefined;
  return Number.isInteger(middle) ? Math.round((sorted[middle - 1]! + sorted[middle]!) / 2) : sorted[Math.floor(middle)];
}

export class Estimates {
  readonly #stages: ReadonlyMap<string, readonly number[]>;
  readonly #jobs: ReadonlyMap<string, readonly number[]>;

  private constructor(stages: ReadonlyMap<string, readonly number[]>, jobs: ReadonlyMap<string, readonly number[]>) {
    this.#stages = stages;
    this.#jobs = jobs;
  }

  /** Of stages and jobs of one pipeline; each name is looked up once. */
  static async read(
    durations: LastDurations,
    pipelineKey: string,
    stages: readonly Pick<StageRun, 'stage_key'>[],
    jobs: readonly Pick<Job, 'stage_key' | 'job_key'>[],
  ): Promise<Estimates> {
    const stageKeys = [...new Set(stages.map((stage) => stage.stage_key))];
    const named = new Map(jobs.map(({ stage_key: stageKey, job_key: jobKey }) => [keyOf({ stageKey, jobKey }), { stageKey, jobKey }]));
    const ofStages = stageKeys.length > 0 ? await durations.ofStages(pipelineKey, stageKeys) : new Map();
    const ofJobs = named.size > 0 ? await durations.ofJobs(pipelineKey, [...named.values()]) : new Map();
    return new Estimates(ofStages, ofJobs);
  }

  ofStage({ stage_key: key, scheduled_at: begun, completed_at: ended }: NamedStage): Estimate | undefined {
    return estimate(this.#stages.get(key), ended === null ? begun : undefined);
  }

  /** `transitions`: those of the job. Until an agent has it, its end is unknown. */
  ofJob(job: NamedJob, transitions: readonly JobTransition[]): Estimate | undefined {
    const assigned = transitions.find(({ state }) => state === 'Assigned')?.at;
    const durations = this.#jobs.get(keyOf({ stageKey: job.stage_key, jobKey: job.job_key }));
    return estimate(durations, job.completed_at === null ? assigned : undefined);
  }
}

function estimate(durations: readonly number[] = [], begun: number | undefined): Estimate | undefined {
  const duration = median(durations);
  return duration === undefined ? undefined : { duration, end: begun === undefined ? undefined : begun + duration };
}
