// The keys of the page of a pipeline.
import { useRef, useState } from 'preact/hooks';
import { runNow, unpause } from '../actions/pipeline-actions.ts';
import { pageOf, useLocation } from '../kit/routing.ts';
import { useShortcuts } from '../kit/shortcuts.ts';
import { type ComparedRuns, pairOf } from './compared-runs.ts';
import type { Run } from './run.ts';
import type { PipelineStatus } from './status.ts';

interface KeyParts {
  readonly status: PipelineStatus;
  readonly runs: readonly Run[];
  readonly chosen: ComparedRuns;
  readonly onChoose: (counter: number) => void;
  readonly onRun: () => void;
  readonly onPause: () => void;
}

/** Gives the counter of the run that the keys stand on: runs keep it when others come. */
export function useRunKeys({ status, runs, chosen, onChoose, onRun, onPause }: KeyParts): number | undefined {
  const [, navigate] = useLocation();
  const [selected, setSelected] = useState<number>();
  const { name, paused, can_trigger: canTrigger, can_operate: canOperate } = status;
  // Keys come faster than the page is drawn.
  const current = useRef<number>();
  const move = (step: 1 | -1): void => {
    const at = runs.findIndex(({ counter }) => counter === current.current);
    const next = at === -1 ? runs[0] : runs[at + step];
    if (next === undefined) return;
    current.current = next.counter;
    setSelected(next.counter);
  };
  const withCurrent = (action: (counter: number) => void): void => {
    if (current.current !== undefined) action(current.current);
  };
  const compare = (): void => {
    const pair = pairOf(chosen, current.current ?? runs[0]?.counter);
    if (pair !== undefined) navigate(pageOf.compare(name, ...pair));
  };
  useShortcuts([
    { keys: 'j', description: 'Next run', run: () => move(1) },
    { keys: 'k', description: 'Previous run', run: () => move(-1) },
    { keys: 'x', description: 'Choose the run to compare', run: () => withCurrent(onChoose) },
    { keys: 'c', description: 'Compare the chosen runs, or the run with the one before', run: compare },
    { keys: 'Enter', description: 'Open the map of the run', run: () => withCurrent((counter) => navigate(pageOf.map(name, counter))) },
    { keys: 't', description: 'Run the pipeline', run: () => canTrigger && runNow(name) },
    { keys: 'o', description: 'Run it with options', run: () => canTrigger && onRun() },
    { keys: 'p', description: 'Pause or unpause it', run: () => canOperate && (paused ? unpause(name) : onPause()) },
  ]);
  return selected;
}
