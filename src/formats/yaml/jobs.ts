// Jobs in YAML, with their artifacts and tabs.
import { closest } from '../../kit/text/closest.ts';
import { type Dict, list, type Tree, text } from '../../kit/tree/tree.ts';
import { numberIn, usesParameter } from '../model/scalars.ts';
import {
  Builder,
  dictUnder,
  listUnder,
  neededText,
  onlyMember,
  type Told,
  textUnder,
  triedEach,
  Untranslatable,
  warnOfOthers,
} from './forms.ts';
import { pairs, settings, variables } from './pairs.ts';
import { tasksModel } from './tasks.ts';

export const JOB_KEYS = [
  ...['timeout', 'run_instances', 'environment_variables', 'secure_variables', 'tabs', 'resources', 'elastic_profile_id'],
  ...['artifacts', 'properties', 'tasks'],
];

const FILES_KEYS = new Set(['source', 'destination']);
const EXTERNAL_KEYS = new Set(['id', 'store_id', 'configuration']);

export function jobModel(name: string, at: number, given: Dict, told: Told): Dict {
  const job = new Builder(at)
    .put('name', text(at, name))
    .try('timeout', told, () => textUnder(given, 'timeout'))
    .try('run_instance_count', told, () => instances(given))
    .try('environment_variables', told, () => variables(given))
    .try('tabs', told, () => tabs(given))
    .try('resources', told, () => listUnder(given, 'resources'))
    .try('elastic_profile_id', told, () => textUnder(given, 'elastic_profile_id'))
    .try('artifacts', told, () => artifacts(given, told));
  told.tried(at, () => checkProperties(given));
  return job.try('tasks', told, () => tasksOf(given, at, told)).built();
}

function tasksOf(given: Dict, at: number, told: Told): Tree {
  const tasks = listUnder(given, 'tasks');
  if (!tasks) {
    const meant = closest('tasks', given.members.keys());
    throw new Untranslatable(
      at,
      'tasks are required in a job',
      meant ? `Did you mean tasks by ${meant}?` : 'Add tasks; the list may be empty.',
    );
  }
  return tasksModel(tasks, told);
}

function instances(given: Dict): Tree | undefined {
  const count = textUnder(given, 'run_instances');
  if (!count || count.text.toLowerCase() === 'all' || numberIn(count.text) !== undefined || usesParameter(count.text)) return count;
  throw new Untranslatable(count.at, "run_instances must be 'all' or a number");
}

function tabs(given: Dict): Tree | undefined {
  dictUnder(given, 'tabs', 'tabs should be a hash');
  return pairs(given, 'tabs', 'name', 'path');
}

function artifacts(given: Dict, told: Told): Tree | undefined {
  const entries = listUnder(given, 'artifacts', 'artifacts should be a list of hashes');
  return entries?.kind === 'list'
    ? list(
        entries.at,
        triedEach(entries.at, entries.items, told, (entry) => artifactModel(entry, entries.at, told)),
      )
    : undefined;
}

function artifactModel(entry: Tree | null, at: number, told: Told): Dict {
  const only = entry?.kind === 'dict' ? onlyMember(entry, told) : undefined;
  if (!only) throw new Untranslatable(entry?.at ?? at, 'artifact should be a hash - build:, test: or external:');
  const [key, { at: keyAt, value }] = only;
  const type = key.toLowerCase();
  if (type !== 'build' && type !== 'test' && type !== 'external') {
    throw new Untranslatable(keyAt, `expected build:, test:, or external: in artifact, got ${key}`);
  }
  if (value?.kind !== 'dict') throw new Untranslatable(value?.at ?? keyAt, 'artifact should be a hash - build:, test: or external:');
  warnOfOthers(value, type === 'external' ? EXTERNAL_KEYS : FILES_KEYS, told);
  const artifact = new Builder(keyAt).put('type', text(keyAt, type));
  if (type !== 'external')
    return artifact.put('source', neededText(value, 'source')).put('destination', textUnder(value, 'destination')).built();
  const configuration = dictUnder(value, 'configuration');
  return artifact
    .put('id', neededText(value, 'id'))
    .put('store_id', neededText(value, 'store_id'))
    .put('configuration', configuration && settings(configuration, told))
    .built();
}

/** Nothing becomes of them since version 7, but they have a form. */
function checkProperties(given: Dict): void {
  const all = dictUnder(given, 'properties', 'properties should be a hash');
  for (const name of all?.members.keys() ?? []) {
    const property = dictUnder(all!, name, `property ${name} should be a hash`);
    if (!property) throw new Untranslatable(all!.members.get(name)!.at, `property ${name} should be a hash`);
    for (const key of ['source', 'xpath']) neededText(property, key);
  }
}
