// The tables of builds, to read from: on every server, whoever runs builds.
import { Jobs } from '../../store/builds/jobs.ts';
import { LastDurations } from '../../store/builds/last-durations.ts';
import { PipelineStates } from '../../store/builds/pipeline-states.ts';
import { modificationsOfRuns, type RunModification } from '../../store/builds/run-modifications.ts';
import { Runs } from '../../store/builds/runs.ts';
import { StageRuns } from '../../store/builds/stage-runs.ts';
import type { Database } from '../../store/database.ts';

export interface BuildTables {
  readonly runs: Runs;
  readonly stageRuns: StageRuns;
  readonly jobs: Jobs;
  readonly pipelines: PipelineStates;
  readonly durations: LastDurations;
  modificationsOf(runIds: readonly number[]): Promise<RunModification[]>;
}

export function buildTables(database: Database): BuildTables {
  return {
    runs: new Runs(database),
    stageRuns: new StageRuns(database),
    jobs: new Jobs(database),
    pipelines: new PipelineStates(database),
    durations: new LastDurations(database),
    modificationsOf: (runIds) => modificationsOfRuns(database, runIds),
  };
}
