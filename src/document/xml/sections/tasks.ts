// The tasks of a job, and their tasks on cancel.
import { optional, required } from '../form/attributes.ts';
import { list, one, within, wrap } from '../form/children.ts';
import { element } from '../form/element.ts';
import { constant } from '../form/extras.ts';
import { byType, type Choice, childrenNamed, type Form, type Part } from '../form/part.ts';
import { texts, values } from '../form/texts.ts';
import { COMMAND, oneOf, POSITIVE } from '../form/values.ts';
import { FETCH } from './fetch-task.ts';
import { eitherTask, PLUGGABLE_TASK, SCRIPT } from './plugin-tasks.ts';

const workingDirectory = optional('workingdir', 'working_directory', { absent: null, alsoAbsent: '' });

const EXEC: readonly Part[] = [
  required('command', 'command', COMMAND),
  optional('args', 'args'),
  workingDirectory,
  optional('timeout', 'timeout', { type: POSITIVE }),
  texts('arguments', 'arg', { isLeftOut: true }),
];

const BUILD: readonly Part[] = [
  optional('buildfile', 'build_file', { absent: null }),
  optional('target', 'target', { absent: null }),
  workingDirectory,
];

const NANT: readonly Part[] = [optional('nantpath', 'nant_path', { absent: null }), ...BUILD];

/** `common` are the members every task has; `others` are not in the JSON. */
function tasksWith(common: readonly Part[], others: readonly Part[]): Choice {
  const task = (type: string, name: string, own: readonly Part[]): Form =>
    element(name, [constant('type', type), ...within('attributes', [...own, ...common]), ...others]);
  const pluginTask = eitherTask(task('pluggable_task', 'task', PLUGGABLE_TASK), task('script', 'task', SCRIPT));
  return byType({
    exec: task('exec', 'exec', EXEC),
    ant: task('ant', 'ant', BUILD),
    rake: task('rake', 'rake', BUILD),
    nant: task('nant', 'nant', NANT),
    fetch: task('fetch', 'fetchartifact', FETCH),
    pluggable_task: pluginTask,
    script: pluginTask,
  });
}

const runIf = values('run_if', 'runif', 'status', { type: oneOf('passed', 'failed', 'any'), isUnique: true });

/** A task on cancel runs in every state of the job. */
const meaninglessRunIf: Part = {
  children: ['runif'],
  isList: true,
  read: (holder, _, reading, path) => runIf.read(holder, {}, reading, path),
};

const nestedCancel: Part = {
  children: ['oncancel'],
  isList: true,
  read: (holder, _, reading) => {
    for (const child of childrenNamed(holder, 'oncancel')) reading.problem(child, "Cannot nest 'oncancel' within a cancel task");
  },
};

const onCancelForm = element('oncancel', [one('on_cancel', tasksWith([], [meaninglessRunIf, nestedCancel]))]);

const onCancel: Part = {
  children: ['oncancel'],
  isList: true,
  // Without the element the task is stopped; an empty one says that nothing is done.
  writeChildren: (json, indent) => (json.on_cancel || json.nothing_on_cancel ? onCancelForm.write(json, indent) : ''),
  read: (holder, json, reading, path) => {
    const [first, second] = childrenNamed(holder, 'oncancel');
    json.on_cancel = null;
    if (second) reading.problem(second, `Task [${holder.name}] should not contain more than 1 oncancel task`);
    if (!first) return;
    onCancelForm.readInto(json, first, reading, path);
    if (json.on_cancel === null) json.nothing_on_cancel = true;
  },
};

export const tasks = wrap('tasks', [list('tasks', tasksWith([runIf, onCancel], []))]);
