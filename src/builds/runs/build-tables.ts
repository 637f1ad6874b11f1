// The tables of builds, to read from on every server, whichever of them runs builds.
import { Artifacts } from '../../store/builds/artifacts.ts';
import { Jobs } from '../../store/builds/jobs.ts';
import { LastDurations } from '../../store/builds/last-durations.ts';
import { PipelineStates } from '../../store/builds/pipeline-states.ts';
import { RunLinks } from '../../store/builds/run-links.ts';
import { modificationsOfRuns, type RunModification } from '../../store/builds/run-modifications.ts';
import { Runs } from '../../store/builds/runs.ts';
import { StageRuns } from '../../store/builds/stage-runs.ts';
import { StageWaits } from '../../store/builds/stage-waits.ts';
import type { Database } from '../../store/database.ts';

export interface BuildTables {
  readonly runs: Runs;
  readonly stageRuns: StageRuns;
  readonly jobs: Jobs;
  readonly artifacts: Artifacts;
  readonly pipelines: PipelineStates;
  readonly durations: LastDurations;
  readonly links: RunLinks;
  readonly figures: StageWaits;
  modificationsOf(runIds: readonly number[]): Promise<RunModification[]>;
}

export function buildTables(database: Database): BuildTables {
  return {
    runs: new Runs(database),
    stageRuns: new StageRuns(database),
    jobs: new Jobs(database),
    artifacts: new Artifacts(database),
    pipelines: new PipelineStates(database),
    durations: new LastDurations(database),
    links: new RunLinks(database),
    figures: new StageWaits(database),
    modificationsOf: (runIds) => modificationsOfRuns(database, runIds),
  };
}
