// The stages of any number of runs of any pipelines, with how far each is: those that have been run, and those that are still to come.
import { chunksOf } from '../../kit/chunks.ts';
import { pause } from '../../kit/concurrency/time-slices.ts';
import type { Run } from '../../store/builds/runs.ts';
import type { StageRun } from '../../store/builds/stage-runs.ts';
import { type BuildConfig, keyOfName } from '../configured.ts';
import { type StageState, stageStateOf } from '../jobs/job-states.ts';
import type { BuildTables } from '../runs/build-tables.ts';

export interface RunStage {
  readonly name: string;
  /** Undefined: it has not been run. */
  readonly stageRun: StageRun | undefined;
  readonly state: StageState;
}

export interface RunStagesParts {
  readonly tables: Pick<BuildTables, 'stageRuns' | 'jobs'>;
  readonly config: Pick<BuildConfig, 'stagesOf'>;
}

const RUNS_AT_ONCE = 100;

/** By the id of the run. */
export async function stagesOfRuns({ tables, config }: RunStagesParts, runs: readonly Run[]): Promise<Map<number, RunStage[]>> {
  const found = new Map<number, RunStage[]>();
  for (const some of chunksOf(runs, RUNS_AT_ONCE)) {
    const all = await tables.stageRuns.ofRuns(some.map(({ id }) => id));
    const latest = all.filter(({ is_latest: isLatest }) => isLatest === 1);
    const states = await statesOf(tables, latest);
    const ofRun = Map.groupBy(latest, ({ run_id: id }) => id);
    for (const run of some) {
      const names = (config.stagesOf(run.pipeline) ?? []).map(({ name }) => name);
      const stages = inOrder(names, ofRun.get(run.id) ?? []);
      const withState = stages.map((stage) => ({
        ...stage,
        state: stage.stageRun ? states.get(stage.stageRun.id)! : ('Unknown' as const),
      }));
      found.set(run.id, withState);
      await pause();
    }
  }
  return found;
}

/** The result of a completed stage is known; only jobs show whether an active one is failing. */
async function statesOf(tables: RunStagesParts['tables'], stageRuns: readonly StageRun[]): Promise<Map<number, StageState>> {
  const active = stageRuns.filter(({ completed_at: at }) => at === null);
  const jobs = active.length === 0 ? [] : await tables.jobs.ofStageRuns(active.map(({ id }) => id));
  const ofStage = Map.groupBy(jobs, ({ stage_run_id: id }) => id);
  const stateOf = ({ id, result, completed_at: at }: StageRun): StageState => {
    return at === null ? stageStateOf(ofStage.get(id) ?? []).state : result;
  };
  return new Map(stageRuns.map((stageRun) => [stageRun.id, stateOf(stageRun)]));
}

/** As the configuration has them now; those that are gone from it keep their places. */
function inOrder(names: readonly string[], latest: readonly StageRun[]): Omit<RunStage, 'state'>[] {
  const byKey = new Map(latest.map((stageRun) => [stageRun.stage_key, stageRun]));
  const stages = names.map((name, position) => {
    const stageRun = byKey.get(keyOfName(name));
    byKey.delete(keyOfName(name));
    return { position, name: stageRun?.stage ?? name, stageRun };
  });
  const gone = [...byKey.values()].map((stageRun) => ({ position: stageRun.position, name: stageRun.stage, stageRun }));
  return [...gone, ...stages].toSorted((one, other) => one.position - other.position).map(({ name, stageRun }) => ({ name, stageRun }));
}
