// Releases a lock that the configuration knows nothing of any more: its pipeline is gone, or does not lock.
import type { BuildState } from '../build-state.ts';
import type { BuildConfig } from '../configured.ts';
import { pipelineUnlocked } from './run-events.ts';
import { isLocking } from './stage-flow.ts';

export function releaseUnwantedLock(state: BuildState, config: Pick<BuildConfig, 'find'>, key: string): Promise<void> {
  return state.pipelineMutex.run(key, async () => {
    const holder = state.locks.get(key);
    if (holder === undefined) return;
    const pipeline = await config.find(key);
    if (pipeline && isLocking(pipeline.lockBehavior)) return;
    const run = await state.runs.byId(holder);
    const events = [pipelineUnlocked(pipeline?.name ?? run?.pipeline ?? key, null)];
    await state.writer.commit({ statements: [state.pipelines.unlock(key)], events });
    state.locks.delete(key);
  });
}
