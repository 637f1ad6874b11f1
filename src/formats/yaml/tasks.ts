// Tasks in YAML: a list of maps with one key, the type; lists in it, which aliases bring in, are spliced.
import { type Dict, list, type Member, type Tree, text } from '../../kit/tree/tree.ts';
import { Builder, type Diagnostics, dictUnder, FormProblem, flagUnder, listUnder, onlyMember, translateEach, under } from './forms.ts';
import { properties, settings } from './pairs.ts';

const SCRIPT_EXECUTOR = { id: 'script-executor', version: '1' };
const NOT_COPIED = new Set([
  ...['type', 'on_cancel', 'nothing_on_cancel', 'is_file', 'arguments'],
  ...['configuration', 'options', 'secure_options'],
]);
const ONE_KEY = 'Write the type of the task as the only key of the entry, such as exec.';

export function tasksModel(tasks: Tree, diagnostics: Diagnostics): Tree {
  return list(
    tasks.at,
    translateEach(tasks.at, spliced(tasks), diagnostics, (task) => taskModel(task, 'expected task to be a hash', diagnostics)),
  );
}

function spliced(tree: Tree | null): Tree[] {
  if (tree === null) return [];
  return tree.kind === 'list' ? tree.items.flatMap(spliced) : [tree];
}

function taskModel(tree: Tree, wrong: string, diagnostics: Diagnostics): Tree {
  const only = tree.kind === 'dict' ? onlyMember(tree, diagnostics) : undefined;
  if (!only) throw new FormProblem(tree.at, wrong, ONE_KEY);
  const [type, { at, value }] = only;
  if (type === 'script' && value?.kind === 'text') return scriptModel(at, value);
  const task = new Builder(at).put('type', text(at, type));
  if (value === null && type !== 'script') return task.built();
  if (value?.kind !== 'dict') throw new FormProblem(value?.at ?? at, `expected task ${type} to be a hash`, hintFor(type, value));
  for (const [key, member] of value.members) copyOther(task, key, member, diagnostics);
  task
    .put('arguments', listUnder(value, 'arguments'))
    .put('is_source_a_file', flagUnder(value, 'is_file'))
    .put('nothing_on_cancel', flagUnder(value, 'nothing_on_cancel'));
  putSettings(task, type, value, diagnostics);
  const cancel = under(value, 'on_cancel');
  if (cancel) task.put('on_cancel', taskModel(cancel, 'expected on_cancel task to be a hash', diagnostics));
  return task.built();
}

function hintFor(type: string, value: Tree | null): string | undefined {
  return type === 'exec' && value?.kind === 'text' ? 'Write the program under command, and its arguments as a list.' : undefined;
}

function copyOther(task: Builder, key: string, { at, value }: Member, diagnostics: Diagnostics): void {
  if (key === 'plugin_configuration') diagnostics.warn(at, `Unknown key '${key}' is ignored.`, 'Write configuration instead.');
  else if (key === 'args' && value?.kind === 'list')
    diagnostics.warn(at, `The list under '${key}' is ignored.`, 'Write arguments instead.');
  else if (value && !NOT_COPIED.has(key)) task.put(key, value, at);
}

/** Under `configuration` a task of a plugin has the plugin, and others have their settings. */
function putSettings(task: Builder, type: string, value: Dict, diagnostics: Diagnostics): void {
  const configuration = dictUnder(value, 'configuration');
  task.put('configuration', properties(value));
  if (!configuration) return;
  if (type === 'plugin') task.put('plugin_configuration', configuration);
  else task.put('configuration', settings(configuration, diagnostics));
}

function scriptModel(at: number, script: Tree): Tree {
  const plugin = new Builder(at).put('id', text(at, SCRIPT_EXECUTOR.id)).put('version', text(at, SCRIPT_EXECUTOR.version)).built();
  const setting = new Builder(at).put('key', text(at, 'script')).put('value', script).built();
  return new Builder(at)
    .put('type', text(at, 'plugin'))
    .put('plugin_configuration', plugin)
    .put('configuration', list(at, [setting]))
    .built();
}
