// The fetch tasks in stages, those that run only on cancel among them.
import type { Path } from '../../shape/problems/problem.ts';
import type { Stage } from './stages.ts';
import type { TaskOf } from './tasks.ts';

export type FetchAttributes = Omit<TaskOf<'fetch'>['attributes'], 'runIf' | 'onCancel'>;

export interface Fetch {
  readonly attributes: FetchAttributes;
  readonly at: Path;
  readonly stageIndex: number;
  readonly job: string;
  readonly isOnCancel: boolean;
}

export function* fetchesIn(stages: readonly Stage[]): Generator<Fetch> {
  for (const [stageIndex, { jobs }] of stages.entries())
    for (const [jobIndex, { name: job, tasks }] of jobs.entries())
      for (const [taskIndex, task] of tasks.entries()) {
        const at = () => ['stages', stageIndex, 'jobs', jobIndex, 'tasks', taskIndex, 'attributes'];
        if (task.type === 'fetch') yield { attributes: task.attributes, at: at(), stageIndex, job, isOnCancel: false };
        const { onCancel } = task.attributes;
        if (onCancel && onCancel !== 'nothing' && onCancel.type === 'fetch')
          yield { attributes: onCancel.attributes, at: [...at(), 'on_cancel', 'attributes'], stageIndex, job, isOnCancel: true };
      }
}
