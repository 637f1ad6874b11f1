// Jobs in YAML, with their artifacts and tabs.
import { closest } from '../../kit/text/closest.ts';
import { type Dict, list, type Tree, text } from '../../kit/tree/tree.ts';
import { numberIn, usesParameter } from '../model/scalars.ts';
import {
  Builder,
  type Diagnostics,
  dictUnder,
  FormProblem,
  listUnder,
  neededText,
  onlyMember,
  textUnder,
  translateEach,
  warnOfUnknownKeys,
} from './forms.ts';
import { pairs, settings, variables } from './pairs.ts';
import { tasksModel } from './tasks.ts';

export const JOB_KEYS = [
  ...['timeout', 'run_instances', 'environment_variables', 'secure_variables', 'tabs', 'resources', 'elastic_profile_id'],
  ...['artifacts', 'properties', 'tasks'],
];

const FILES_KEYS = new Set(['source', 'destination']);
const EXTERNAL_KEYS = new Set(['id', 'store_id', 'configuration']);

export function jobModel(name: string, at: number, given: Dict, diagnostics: Diagnostics): Dict {
  const job = new Builder(at)
    .put('name', text(at, name))
    .try('timeout', diagnostics, () => textUnder(given, 'timeout'))
    .try('run_instance_count', diagnostics, () => instances(given))
    .try('environment_variables', diagnostics, () => variables(given))
    .try('tabs', diagnostics, () => tabs(given))
    .try('resources', diagnostics, () => listUnder(given, 'resources'))
    .try('elastic_profile_id', diagnostics, () => textUnder(given, 'elastic_profile_id'))
    .try('artifacts', diagnostics, () => artifacts(given, diagnostics));
  diagnostics.tried(at, () => checkProperties(given));
  return job.try('tasks', diagnostics, () => tasksOf(given, at, diagnostics)).built();
}

function tasksOf(given: Dict, at: number, diagnostics: Diagnostics): Tree {
  const tasks = listUnder(given, 'tasks');
  if (!tasks) {
    const meant = closest('tasks', given.members.keys());
    throw new FormProblem(
      at,
      'tasks are required in a job',
      meant ? `Did you mean tasks by ${meant}?` : 'Add tasks; the list may be empty.',
    );
  }
  return tasksModel(tasks, diagnostics);
}

function instances(given: Dict): Tree | undefined {
  const count = textUnder(given, 'run_instances');
  if (!count || count.text.toLowerCase() === 'all' || numberIn(count.text) !== undefined || usesParameter(count.text)) return count;
  throw new FormProblem(count.at, "run_instances must be 'all' or a number");
}

function tabs(given: Dict): Tree | undefined {
  dictUnder(given, 'tabs', 'tabs should be a hash');
  return pairs(given, 'tabs', 'name', 'path');
}

function artifacts(given: Dict, diagnostics: Diagnostics): Tree | undefined {
  const entries = listUnder(given, 'artifacts', 'artifacts should be a list of hashes');
  return entries?.kind === 'list'
    ? list(
        entries.at,
        translateEach(entries.at, entries.items, diagnostics, (entry) => artifactModel(entry, entries.at, diagnostics)),
      )
    : undefined;
}

function artifactModel(entry: Tree | null, at: number, diagnostics: Diagnostics): Dict {
  const only = entry?.kind === 'dict' ? onlyMember(entry, diagnostics) : undefined;
  if (!only) throw new FormProblem(entry?.at ?? at, 'artifact should be a hash - build:, test: or external:');
  const [key, { at: keyAt, value }] = only;
  const type = key.toLowerCase();
  if (type !== 'build' && type !== 'test' && type !== 'external') {
    throw new FormProblem(keyAt, `expected build:, test:, or external: in artifact, got ${key}`);
  }
  if (value?.kind !== 'dict') throw new FormProblem(value?.at ?? keyAt, 'artifact should be a hash - build:, test: or external:');
  warnOfUnknownKeys(value, type === 'external' ? EXTERNAL_KEYS : FILES_KEYS, diagnostics);
  const artifact = new Builder(keyAt).put('type', text(keyAt, type));
  if (type !== 'external')
    return artifact.put('source', neededText(value, 'source')).put('destination', textUnder(value, 'destination')).built();
  const configuration = dictUnder(value, 'configuration');
  return artifact
    .put('id', neededText(value, 'id'))
    .put('store_id', neededText(value, 'store_id'))
    .put('configuration', configuration && settings(configuration, diagnostics))
    .built();
}

/** Nothing becomes of them since version 7, but they have a form. */
function checkProperties(given: Dict): void {
  const all = dictUnder(given, 'properties', 'properties should be a hash');
  for (const name of all?.members.keys() ?? []) {
    const property = dictUnder(all!, name, `property ${name} should be a hash`);
    if (!property) throw new FormProblem(all!.members.get(name)!.at, `property ${name} should be a hash`);
    for (const key of ['source', 'xpath']) neededText(property, key);
  }
}
