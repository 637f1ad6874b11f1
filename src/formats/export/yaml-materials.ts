// The materials of a pipeline in the words of the YAML format.
import { sha256 } from '../../kit/bytes/hash.ts';
import type { YamlMap } from '../../kit/tree/print-yaml.ts';
import { repositoryDefinitions } from '../../materials/types/list.ts';
import { isObject, type Json, type JsonObject } from '../../shape/json/json.ts';
import { SECRET_COMMENT, settingsOf, YamlBuilder } from './yaml-builder.ts';

/** The key of each type and the member whose value stands after it; a type without one is named by its type. */
const SHORT_FORMS: Readonly<Record<string, readonly [key: string, member: string]>> = {
  ...Object.fromEntries(
    repositoryDefinitions().flatMap(([type, { addressedBy, file }]) => (file.hasShortForm ? [[type, [type, addressedBy]]] : [])),
  ),
  package: ['package', 'package_id'],
  plugin: ['scm', 'scm_id'],
  dependency: ['pipeline', 'pipeline'],
};
const DECLARED = ['plugin_configuration', 'plugin_configuration'] as const;
/** In a document the cipher text of an address stands in the place of its password. */
const SEALED = /v[12]%3a/;
const GENERATED_LENGTH = 7;

function isSealed(address: string): boolean {
  const [, ...beforeAt] = address.toLowerCase().split('@').toReversed();
  return beforeAt.some((part) => SEALED.test(part));
}

export function yamlMaterials(materials: readonly JsonObject[]): YamlMap {
  const form = new YamlBuilder();
  const taken = new Set(materials.map(({ name }) => name));
  for (const [index, material] of materials.entries()) {
    const key = keyOf(material, index, taken);
    taken.add(key);
    form.put(key, yamlMaterial(material));
  }
  return form.map;
}

/** The key is the name. One without a name gets a key that no other has, and is marked as nameless. */
function keyOf({ name, type, ...rest }: JsonObject, index: number, taken: ReadonlySet<Json | undefined>): string {
  if (name) return String(name);
  const digest = sha256(JSON.stringify([index, rest]));
  for (let start = 0; ; start++) {
    const key = `${type}-${digest.slice(start, start + GENERATED_LENGTH)}`;
    if (!taken.has(key)) return key;
  }
}

function yamlMaterial({ type, name, filter, configuration = null, ...own }: JsonObject): YamlMap {
  const form = new YamlBuilder();
  const [key, member] = own.plugin_configuration ? DECLARED : (SHORT_FORMS[String(type)] ?? ['type', 'type']);
  const address = member === 'type' ? type : own[member];
  form.put(key, address, isSealed(String(address)) ? SECRET_COMMENT : undefined);
  settingsOf({ configuration }, form);
  if (!name) form.put('name', '');
  form.copy(own, 'username', 'use_tickets', 'view');
  if (isObject(filter)) form.copy(filter, 'ignore', 'includes');
  form.copy(own, 'shallow_clone', 'check_externals', 'auto_update', 'ignore_for_scheduling', 'destination', 'branch');
  form.put('encrypted_password', own.encrypted_password, SECRET_COMMENT);
  const { [member]: _, ...rest } = own;
  for (const [other, value] of Object.entries(rest)) if (!form.map.has(other)) form.put(other, value);
  return form.map;
}
