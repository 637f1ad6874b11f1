// The actions that users can take on a stage of a run.
import { isActive, type Run, type RunStage } from './run.ts';

export interface StageAction {
  readonly is: 'run' | 'run again' | 'run failed jobs' | 'cancel';
  readonly run: Run;
  readonly stage: RunStage;
}

export function labelOf({ is, stage: { name } }: StageAction): string {
  if (is === 'run') return `Run ${name}`;
  if (is === 'run again') return `Run ${name} again`;
  if (is === 'run failed jobs') return `Run failed jobs of ${name} again`;
  return `Cancel ${name}`;
}

/** The actions that the user can take on a stage now. */
export function actionsOf(run: Run, stage: RunStage): StageAction[] {
  const offered: (StageAction | false)[] = [
    stage.operate_permission && isActive(stage) && { is: 'cancel', run, stage },
    stage.can_rerun_failed_jobs && { is: 'run failed jobs', run, stage },
    stage.can_run && { is: stage.scheduled ? 'run again' : 'run', run, stage },
  ];
  return offered.filter((one) => one !== false);
}
