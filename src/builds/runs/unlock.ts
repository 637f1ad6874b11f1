// Releases the lock of a pipeline by hand.
import { Refusal } from '../../kit/refusal.ts';
import type { BuildState } from '../build-state.ts';
import type { PipelineDefinition } from '../configured.ts';
import { pipelineUnlocked } from './run-events.ts';
import { isLocking } from './stage-flow.ts';

const NO_LOCK_HELD = 'Lock exists within the pipeline configuration but no pipeline instance is currently in progress';
const STILL_RUNNING = 'Locked pipeline instance is currently running (one of the stages is in progress)';

export function noLock(pipeline: string): string {
  return `No lock exists within the pipeline configuration for ${pipeline}`;
}

/** Holds the mutex of the pipeline: nothing is decided about it meanwhile. */
export function unlock(
  state: BuildState,
  { key, name, lockBehavior }: Pick<PipelineDefinition, 'key' | 'name' | 'lockBehavior'>,
  by: string,
  { isDryRun = false }: { readonly isDryRun?: boolean } = {},
): Promise<void> {
  return state.pipelineMutex.run(key, async () => {
    const holder = state.locks.get(key);
    if (!isLocking(lockBehavior)) throw new Refusal('conflict', noLock(name));
    if (holder === undefined) throw new Refusal('conflict', NO_LOCK_HELD);
    if (state.active.isRunActive(holder, key)) throw new Refusal('conflict', STILL_RUNNING);
    if (isDryRun) return;
    await state.writer.commit({ statements: [state.pipelines.unlock(key)], events: [pipelineUnlocked(name, by)] });
    state.locks.delete(key);
  });
}
