// A task: its type and settings, and after which results of the job it runs.
import { computed } from '@preact/signals';
import type { FieldLens } from '../../forms/edit/field-lens.ts';
import { ChoiceField } from '../../forms/edit/fields.tsx';
import { type Lens, member } from '../../forms/edit/lens.ts';
import { withOnCancel, withTaskType } from '../choices.ts';
import { TASK_TYPES, type Task } from '../pipeline.ts';
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

export function TaskForm({ lens }: { readonly lens: Lens<Task> }) {
  return (
    <>
      <TypeField lens={lens} />
      <TaskFields lens={lens} />
      <RunIf lens={lens} />
      <OnCancel lens={lens} />
    </>
  );
}

function TypeField({ lens }: { readonly lens: Lens<Task> }) {
  const type: FieldLens<string> = { ...member(lens, 'type'), set: (next) => lens.set(withTaskType(lens.now.peek(), next)) };
  return <ChoiceField label="Task" lens={type} choices={CHOICES} />;
}

/** The server takes several results; passed and failed together are all there are. */
function RunIf({ lens }: { readonly lens: Lens<Task> }) {
  const runIf = member(member(lens, 'attributes'), 'run_if');
  const field: FieldLens<string> = {
    path: runIf.path,
    now: computed(() => {
      const results = runIf.now.value ?? [];
      if (results.includes('any') || results.length > 1) return 'any';
      return results[0] ?? 'passed';
    }),
    set: (result) => runIf.set(result === 'passed' ? [] : [result]),
  };
  return <ChoiceField label="Runs" lens={field} choices={RUN_IF} />;
}

function OnCancel({ lens }: { readonly lens: Lens<Task> }) {
  const attributes = member(lens, 'attributes');
  const { on_cancel: task = null, nothing_on_cancel: isNothing = false } = attributes.now.value;
  const field: FieldLens<string> = {
    path: [...attributes.path, 'on_cancel'],
    now: computed(() => {
      const { on_cancel: now, nothing_on_cancel: nothing } = attributes.now.value;
      return now?.type ?? (nothing ? 'nothing' : 'stop');
    }),
    set: (choice) => attributes.set(withOnCancel(attributes.now.peek(), choice)),
  };
  return (
    <>
      <ChoiceField label="When the job is cancelled" lens={field} choices={ON_CANCEL} />
      {task !== null && !isNothing && (
        <fieldset>
          <legend>Then runs</legend>
          <TaskFields lens={cancelTask(lens, task)} />
        </fieldset>
      )}
    </>
  );
}

function cancelTask(lens: Lens<Task>, last: Task): Lens<Task> {
  const task = member(member(lens, 'attributes'), 'on_cancel');
  return { path: task.path, now: computed(() => task.now.value ?? last), set: task.set };
}
