// A task: its type and settings, and after which results of the job it runs.
import { computed } from '@preact/signals';
import type { FieldPart } from '../../forms/edit/field-part.ts';
import { ChoiceField } from '../../forms/edit/fields.tsx';
import { member, type Part } from '../../forms/edit/part.ts';
import { TASK_TYPES, type Task, withTaskType } from '../pipeline.ts';
import { TaskFields } from './task-fields.tsx';

const CHOICES = Object.entries(TASK_TYPES).map(([value, { title }]) => ({ value, label: title }));
const RUN_IF = [
  { value: 'passed', label: 'when all tasks before it have passed' },
  { value: 'failed', label: 'when one before it has failed' },
  { value: 'any', label: 'always' },
];
const ON_CANCEL = [
  { value: 'stop', label: 'it is stopped' },
  { value: 'nothing', label: 'it goes on' },
  ...CHOICES.filter(({ value }) => value !== 'fetch'),
];

export function TaskForm({ part }: { readonly part: Part<Task> }) {
  return (
    <>
      <TypeField part={part} />
      <TaskFields part={part} />
      <RunIf part={part} />
      <OnCancel part={part} />
    </>
  );
}

function TypeField({ part }: { readonly part: Part<Task> }) {
  const type: FieldPart<string> = { ...member(part, 'type'), set: (next) => part.set(withTaskType(part.now.peek(), next)) };
  return <ChoiceField label="Task" part={type} choices={CHOICES} />;
}

/** The server takes several results; passed and failed together are all there are. */
function RunIf({ part }: { readonly part: Part<Task> }) {
  const runIf = member(member(part, 'attributes'), 'run_if');
  const field: FieldPart<string> = {
    path: runIf.path,
    now: computed(() => {
      const results = runIf.now.value ?? [];
      if (results.includes('any') || results.length > 1) return 'any';
      return results[0] ?? 'passed';
    }),
    set: (result) => runIf.set(result === 'passed' ? [] : [result]),
  };
  return <ChoiceField label="Runs" part={field} choices={RUN_IF} />;
}

function OnCancel({ part }: { readonly part: Part<Task> }) {
  const attributes = member(part, 'attributes');
  const { on_cancel: task = null, nothing_on_cancel: isNothing = false } = attributes.now.value;
  const field: FieldPart<string> = {
    path: [...attributes.path, 'on_cancel'],
    now: computed(() => {
      const { on_cancel: now, nothing_on_cancel: nothing } = attributes.now.value;
      return now?.type ?? (nothing ? 'nothing' : 'stop');
    }),
    set: (type) => {
      const { on_cancel: _, nothing_on_cancel: __, ...others } = attributes.now.peek();
      if (type === 'stop') attributes.set({ ...others, on_cancel: null });
      else if (type === 'nothing') attributes.set({ ...others, on_cancel: null, nothing_on_cancel: true });
      else attributes.set({ ...others, on_cancel: { type, attributes: TASK_TYPES[type]?.initial ?? {} } });
    },
  };
  return (
    <>
      <ChoiceField label="When the job is cancelled" part={field} choices={ON_CANCEL} />
      {task !== null && !isNothing && (
        <fieldset>
          <legend>Then runs</legend>
          <TaskFields part={cancelTask(part, task)} />
        </fieldset>
      )}
    </>
  );
}

function cancelTask(part: Part<Task>, last: Task): Part<Task> {
  const task = member(member(part, 'attributes'), 'on_cancel');
  return { path: task.path, now: computed(() => task.now.value ?? last), set: task.set };
}
