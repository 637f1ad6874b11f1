// The building blocks of the YAML form of a pipeline.
import type { YamlEntry, YamlMap, YamlValue } from '../../kit/tree/print-yaml.ts';
import { isObject, type Json, type JsonObject } from '../../shape/json/json.ts';
import { objectsIn } from './members.ts';

export const SECRET_COMMENT = 'Encrypted by this server: no other server can read it.';

export class YamlBuilder {
  readonly #entries = new Map<string, YamlEntry>();

  get map(): YamlMap {
    return this.#entries;
  }

  /** An undefined value is left out. */
  put(key: string, value: YamlValue | Json | undefined, comment?: string): this {
    if (value !== undefined) this.#entries.set(key, { value: yamlOf(value), comment });
    return this;
  }

  putUnlessEmpty(key: string, value: YamlMap | readonly YamlValue[], comment?: string): this {
    return (value instanceof Map ? value.size : (value as readonly YamlValue[]).length) > 0 ? this.put(key, value, comment) : this;
  }

  copy(from: Readonly<Record<string, Json | undefined>>, ...names: readonly string[]): this {
    for (const name of names) this.put(name, from[name]);
    return this;
  }
}

function yamlOf(value: YamlValue | Json): YamlValue {
  if (Array.isArray(value)) return value.map(yamlOf);
  if (value instanceof Map || !isObject(value)) return value as YamlValue;
  const form = new YamlBuilder();
  for (const [name, member] of Object.entries(value as JsonObject)) form.put(name, member);
  return form.map;
}

export function pairsOf(list: readonly JsonObject[], nameKey: string, valueKey: string): YamlMap {
  const form = new YamlBuilder();
  for (const item of list) form.put(String(item[nameKey]), item[valueKey] ?? null);
  return form.map;
}

export function variablesOf(owner: JsonObject, form: YamlBuilder): void {
  const [plain, secret] = halves(objectsIn(owner, 'environment_variables'));
  form.putUnlessEmpty('environment_variables', pairsOf(plain, 'name', 'value'));
  form.putUnlessEmpty('secure_variables', pairsOf(secret, 'name', 'encrypted_value'), SECRET_COMMENT);
}

/** The settings of a plugin. */
export function settingsOf(owner: JsonObject, form: YamlBuilder): void {
  const [plain, secret] = halves(objectsIn(owner, 'configuration'));
  form.putUnlessEmpty('options', pairsOf(plain, 'key', 'value'));
  form.putUnlessEmpty('secure_options', pairsOf(secret, 'key', 'encrypted_value'), SECRET_COMMENT);
}

function halves(list: readonly JsonObject[]): readonly [readonly JsonObject[], readonly JsonObject[]] {
  const isSecret = (item: JsonObject) => item.encrypted_value !== undefined;
  return [list.filter((item) => !isSecret(item)), list.filter(isSecret)];
}
