// Materials in YAML: a map of names, with short forms for the type and the address or id of a material.

import { type Dict, dict, list, type Tree, text } from '../../kit/tree/tree.ts';
import { repositoryDefinitions } from '../../materials/types/list.ts';
import { Builder, type Diagnostics, dictUnder, FormProblem, flagUnder, listUnder, textUnder, translateEach, under } from './forms.ts';
import { properties } from './pairs.ts';

/** The short key, the type it stands for, and the field that its value is. A later one wins over an earlier one. */
const SHORT_FORMS: readonly (readonly [key: string, type: string, field: string | undefined])[] = [
  ...repositoriesAddressedBy('url'),
  ['pipeline', 'dependency', 'pipeline'],
  ['scm', 'plugin', 'scm_id'],
  ['plugin_configuration', 'plugin', undefined],
  ['package', 'package', 'package_id'],
  ...repositoriesAddressedBy('port'),
];
const FLAGS = ['auto_update', ...repositoryDefinitions().flatMap(([, { file }]) => file.flags ?? []), 'ignore_for_scheduling'];
const IGNORED_FILES = ['ignore', 'blacklist'];
const INCLUDED_FILES = ['includes', 'whitelist'];
const NOT_COPIED = new Set<string>([
  ...SHORT_FORMS.map(([key]) => key),
  ...FLAGS,
  ...IGNORED_FILES,
  ...INCLUDED_FILES,
  ...['options', 'secure_options'],
]);
/** Fields of the model that have other names in this format: as keys of a material they are ignored. */
const OF_THE_MODEL = new Set(['name', 'scm_id', 'package_id', 'filter', 'configuration']);

const KEY_HINTS: Readonly<Record<string, string>> = {
  name: 'The key of a material is its name.',
  scm_id: 'Write scm instead.',
  package_id: 'Write package instead.',
  filter: 'Write ignore or includes without it.',
  configuration: 'Write options and secure_options.',
};

function repositoriesAddressedBy(field: 'url' | 'port'): [key: string, type: string, field: string][] {
  const some = repositoryDefinitions().filter(([, { addressedBy, file }]) => addressedBy === field && file.hasShortForm);
  return some.map(([type]) => [type, type, field]);
}

export function materialsModel(pipeline: Dict, diagnostics: Diagnostics): Tree {
  const materials = under(pipeline, 'materials');
  if (materials?.kind !== 'dict') {
    const at = materials?.at ?? pipeline.at;
    throw new FormProblem(at, 'expected a hash of pipeline materials', 'Write each material under a name of its own.');
  }
  return list(
    materials.at,
    translateEach(materials.at, materials.members, diagnostics, ([name, { at, value }]) => materialModel(name, at, value, diagnostics)),
  );
}

function materialModel(name: string, at: number, value: Tree | null, diagnostics: Diagnostics): Dict {
  const given = value ?? dict(at, new Map());
  if (given.kind !== 'dict') throw new FormProblem(given.at, `expected material ${name} to be a hash`, 'Such as git: with its address.');
  // The key is its name. An empty name is how our own files say that the key is only a key.
  const isUnnamed = diagnostics.tried(at, () => textUnder(given, 'name'))?.text === '';
  const material = new Builder(at).put('name', text(at, isUnnamed ? '' : name));
  for (const [key, { at: keyAt, value: other }] of given.members) {
    if (NOT_COPIED.has(key) || !other) continue;
    if (!OF_THE_MODEL.has(key)) material.put(key, other, keyAt);
    else if (key !== 'name' || !isUnnamed) diagnostics.warn(keyAt, `Unknown key '${key}' is ignored.`, KEY_HINTS[key]);
  }
  for (const [key, type, field] of shortForms(given)) {
    const member = given.members.get(key)!;
    material.put('type', text(member.at, type));
    if (field) material.put(field, member.value ?? undefined, member.at);
  }
  const plugin = diagnostics.tried(at, () => dictUnder(given, 'plugin_configuration'));
  if (plugin) material.put('plugin_configuration', plugin).try('configuration', diagnostics, () => properties(given));
  for (const flag of FLAGS) if (given.members.has(flag)) material.try(flag, diagnostics, () => flagUnder(given, flag));
  return material.try('filter', diagnostics, () => filterModel(given, diagnostics)).built();
}

/** The short forms with a value. If there is none, and no `type` either, those without a value: they still show the intended type. */
function shortForms(material: Dict): readonly (typeof SHORT_FORMS)[number][] {
  const filled = SHORT_FORMS.filter(([key]) => under(material, key));
  return filled.length > 0 || under(material, 'type') ? filled : SHORT_FORMS.filter(([key]) => material.members.has(key));
}

function filterModel(material: Dict, diagnostics: Diagnostics): Tree | undefined {
  const ignored = firstList(material, IGNORED_FILES, diagnostics);
  const included = firstList(material, INCLUDED_FILES, diagnostics);
  const first = ignored ?? included;
  return first && new Builder(first.at).put('ignore', ignored).put('includes', included).built();
}

/** The first key is the one of today. */
function firstList(material: Dict, keys: readonly string[], diagnostics: Diagnostics): Tree | undefined {
  const [first, ...others] = keys.filter((key) => under(material, key));
  for (const key of others)
    diagnostics.warn(material.members.get(key)!.at, `Key '${key}' beside '${first}' is ignored.`, 'Keep one of the two lists.');
  return first === undefined ? undefined : listUnder(material, first);
}
