// Which stages of a long pipeline are shown where not all have room: those around the one that matters.
import type { DashboardStage } from './row.ts';

export interface StageWindow {
  readonly shown: readonly DashboardStage[];
  readonly before: number;
  readonly after: number;
}

export function stageWindow(stages: readonly DashboardStage[], max: number): StageWindow {
  if (stages.length <= max) return { shown: stages, before: 0, after: 0 };
  const middle = decisive(stages) - Math.floor((max - 1) / 2);
  const before = Math.max(0, Math.min(middle, stages.length - max));
  return { shown: stages.slice(before, before + max), before, after: stages.length - before - max };
}

/** The failed stage, else the running stage, else the stage that ran last. */
function decisive(stages: readonly DashboardStage[]): number {
  const failed = stages.findIndex(({ status }) => status === 'Failed' || status === 'Failing' || status === 'Cancelled');
  if (failed >= 0) return failed;
  const building = stages.findIndex(({ status }) => status === 'Building');
  if (building >= 0) return building;
  return Math.max(
    0,
    stages.findLastIndex(({ counter }) => counter > 0),
  );
}
