// Choices that decide which fields there are. What was entered for another choice comes back with it while the form is open.
import { EARLIER } from '../forms/edit/unsent.ts';
import { type Artifact, newStage, OWN_STAGES, type Pipeline, TASK_TYPES, type Task, type TaskAttributes } from './pipeline.ts';

/** null: the stages are its own. */
export function withTemplate({ stages, ...others }: Pipeline, template: string | null): Pipeline {
  const own = stages ?? others[OWN_STAGES] ?? [newStage('build')];
  return { ...others, template, stages: template === null ? own : null, [OWN_STAGES]: own };
}

/** A task that changes its type keeps the settings that all types have. */
export function withTaskType({ type: before, attributes, [EARLIER]: earlier }: Task, type: string): Task {
  const { run_if = [], on_cancel = null, nothing_on_cancel = false, [EARLIER]: cancelTasks, ...own } = attributes;
  const entered = { ...earlier, [before]: own };
  const shared = { run_if, on_cancel, ...(nothing_on_cancel && { nothing_on_cancel }), [EARLIER]: cancelTasks };
  return { type, attributes: { ...shared, ...(entered[type] ?? TASK_TYPES[type]?.initial) }, [EARLIER]: entered };
}

/** What happens when the job is cancelled: `stop`, `nothing`, or a task of this type. */
export function withOnCancel(attributes: TaskAttributes, choice: string): TaskAttributes {
  const { on_cancel: last = null, nothing_on_cancel: _, ...others } = attributes;
  const entered = { ...others[EARLIER], ...(last !== null && { [last.type]: last }) };
  const kept = { ...others, [EARLIER]: entered };
  if (choice === 'stop') return { ...kept, on_cancel: null };
  if (choice === 'nothing') return { ...kept, on_cancel: null, nothing_on_cancel: true };
  return { ...kept, on_cancel: entered[choice] ?? { type: choice, attributes: TASK_TYPES[choice]?.initial ?? {} } };
}

/** Files and test reports have the same fields. */
export function withArtifactType({ [EARLIER]: earlier, ...own }: Artifact, type: string): Artifact {
  const entered = { ...earlier, [fieldsOf(own.type)]: own };
  const initial = type === 'external' ? { artifact_id: '', store_id: '', configuration: [] } : { source: '', destination: '' };
  return { ...(entered[fieldsOf(type)] ?? initial), type, [EARLIER]: entered };
}

function fieldsOf(type: string): 'external' | 'files' {
  return type === 'external' ? type : 'files';
}
