// How far a run is, by the states of its stages.
import type { RunAnswer, StageInRun } from './answers.ts';

export type RunProgress =
  | { readonly kind: 'under way'; readonly stage: StageInRun }
  /** The next stage starts by itself, but has not yet. */
  | { readonly kind: 'between stages'; readonly next: StageInRun }
  | { readonly kind: 'manual stage'; readonly next: StageInRun }
  | { readonly kind: 'ended'; readonly result: 'Passed' | 'Failed' | 'Cancelled'; readonly stage: StageInRun };

const ACTIVE: ReadonlySet<string> = new Set(['Building', 'Failing']);

export function progressOf({ stages }: RunAnswer): RunProgress {
  const active = stages.find(({ scheduled, status }) => scheduled && ACTIVE.has(status));
  if (active) return { kind: 'under way', stage: active };
  const at = stages.findLastIndex(({ scheduled }) => scheduled);
  const [last, next] = [stages[at], stages[at + 1]];
  if (!last) return { kind: 'between stages', next: next! };
  // Its last job has ended, and the result of the stage is not written yet.
  if (last.result === 'Unknown') return { kind: 'under way', stage: last };
  if (last.result !== 'Passed') return { kind: 'ended', result: last.result === 'Cancelled' ? 'Cancelled' : 'Failed', stage: last };
  if (!next) return { kind: 'ended', result: 'Passed', stage: last };
  return { kind: next.approval_type === 'manual' ? 'manual stage' : 'between stages', next };
}

/** Its jobs in a few words: `compile Building`, or how many there are in which state. */
export function stageText({ jobs }: StageInRun): string {
  const [only] = jobs;
  if (jobs.length === 1) return `${only!.name} ${stateOf(only!)}`;
  const states = Map.groupBy(jobs, stateOf);
  return `${jobs.length} jobs: ${[...states].map(([state, some]) => `${some.length} ${state}`).join(', ')}`;
}

function stateOf({ state, result }: StageInRun['jobs'][number]): string {
  return (state === 'Completed' ? result : state).toLowerCase();
}
