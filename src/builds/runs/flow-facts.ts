// Runs as the flow of stages looks at them.
import type { StageRun } from '../../store/builds/stage-runs.ts';
import type { BuildState } from '../build-state.ts';
import type { PipelineDefinition } from '../configured.ts';
import type { FlowPipeline, FlowRun } from './stage-flow.ts';

/** Maximum number of later runs that are looked at: runs that wait for a stage are among the newest. */
const MAX_LATER = 100;

export function flowPipeline(state: BuildState, pipeline: PipelineDefinition, isPaused: boolean): FlowPipeline {
  const { name, stages, lockBehavior, key } = pipeline;
  return { name, stages, lockBehavior, isPaused, lockedBy: state.locks.get(key) ?? null };
}

export function flowRun(run: { readonly id: number; readonly counter: number }, stageRuns: readonly StageRun[]): FlowRun {
  const latest = stageRuns.filter(({ run_id: id, is_latest: isLatest }) => id === run.id && isLatest === 1);
  return {
    run: run.id,
    counter: run.counter,
    stages: latest.map(({ stage, counter, result, completed_at: at }) => ({ stage, counter, result, isActive: at === null })),
  };
}

/** All later runs and all with an active stage, besides the one itself. */
export async function otherRuns(
  state: BuildState,
  pipelineKey: string,
  run: { readonly id: number; readonly counter: number },
): Promise<FlowRun[]> {
  const newest = await state.runs.before(pipelineKey, Number.MAX_SAFE_INTEGER, MAX_LATER);
  const later = newest.filter(({ counter }) => counter > run.counter);
  const active = state.active.ofPipeline(pipelineKey).map((stageRun) => stageRun.run);
  const others = new Map([...later, ...active].filter(({ id }) => id !== run.id).map((one) => [one.id, one]));
  const stageRuns = await state.stageRuns.ofRuns([...others.keys()]);
  return [...others.values()].map((other) => flowRun(other, stageRuns));
}
