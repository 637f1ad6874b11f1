// The work that still runs while maintenance mode is on: work begun before is let finish, and listed.
import type { PeriodicRunner, RunningJob } from '../kit/concurrency/periodic/periodic.ts';

/** The kind of the periodic jobs that poll a material; their details are its `type` and `attributes`. */
export const MATERIAL_UPDATE = 'material update';

export interface BuildJob {
  readonly pipelineName: string;
  readonly pipelineCounter: number;
  readonly stageName: string;
  readonly stageCounter: string;
  readonly name: string;
  readonly state: string;
  readonly scheduledAt: string;
  readonly agentUuid: string | null;
}

export interface BuildJobs {
  /** Those that an agent works on. */
  building(): readonly BuildJob[];
  /** Those that wait for an agent. */
  scheduled(): readonly BuildJob[];
}

export interface RunningSystems {
  readonly materialUpdates: readonly RunningJob[];
  /** Other periodic work that would not be begun now. */
  readonly otherWork: readonly RunningJob[];
  readonly building: readonly BuildJob[];
  readonly scheduled: readonly BuildJob[];
}

export function runningSystems(runner: PeriodicRunner, builds: BuildJobs): RunningSystems {
  const running = runner.running();
  return {
    materialUpdates: running.filter(({ kind }) => kind === MATERIAL_UPDATE),
    otherWork: running.filter(({ kind, runsWhilePaused }) => kind !== MATERIAL_UPDATE && !runsWhilePaused),
    building: builds.building(),
    scheduled: builds.scheduled(),
  };
}

/** Jobs that wait for an agent do not count: they will not get one. */
export function isDrained({ materialUpdates, otherWork, building }: RunningSystems): boolean {
  return materialUpdates.length + otherWork.length + building.length === 0;
}
