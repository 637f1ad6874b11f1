// The keys of the dashboard.

import { runNow, unpause } from '../actions/pipeline-actions.ts';
import { pageOf, useLocation } from '../kit/routing.ts';
import { useShortcuts } from '../kit/shortcuts.ts';
import { type Item, neighbour } from './filter.ts';
import type { RowAction } from './pipeline-row.tsx';
import type { Rows } from './rows.ts';

export interface KeyParts {
  readonly items: readonly Item[];
  readonly known: Rows;
  readonly selected: string | undefined;
  readonly select: (name: string) => void;
  readonly onAction: (action: RowAction) => void;
}

export function useDashboardKeys({ items, known, selected, select, onAction }: KeyParts): void {
  const [, navigate] = useLocation();
  const row = selected === undefined ? undefined : known.all.get(selected);
  const move = (step: 1 | -1): void => {
    const next = neighbour(items, selected, step);
    if (next !== undefined) select(next);
  };
  useShortcuts([
    { keys: 'j', description: 'Next pipeline', run: () => move(1) },
    { keys: 'k', description: 'Previous pipeline', run: () => move(-1) },
    { keys: 'Enter', description: 'Open the pipeline', run: () => row && navigate(pageOf.activity(row.name)) },
    { keys: 't', description: 'Run the pipeline', run: () => row?.canOperate && runNow(row.name) },
    { keys: 'o', description: 'Run it with options', run: () => row?.canOperate && onAction({ is: 'run', pipeline: row.name }) },
    {
      keys: 'p',
      description: 'Pause or unpause the pipeline',
      run: () => row?.canPause && (row.pause ? unpause(row.name) : onAction({ is: 'pause', pipeline: row.name })),
    },
  ]);
}
