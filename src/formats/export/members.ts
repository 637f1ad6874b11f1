// Small words for taking the JSON of a pipeline apart.
import { isObject, type Json, type JsonObject, type JsonOut } from '../../shape/json/json.ts';

export function objectIn(holder: JsonObject, name: string): JsonObject {
  const value = holder[name];
  return isObject(value) ? value : {};
}

export function objectsIn(holder: JsonObject, name: string): readonly JsonObject[] {
  return listIn(holder, name).filter(isObject);
}

export function listIn(holder: JsonObject, name: string): readonly Json[] {
  const value = holder[name];
  return Array.isArray(value) ? value : [];
}

/** Without members that are undefined or null. */
export function given(members: Readonly<Record<string, Json | undefined>>): JsonOut {
  const out: JsonOut = {};
  for (const [name, value] of Object.entries(members)) if (value !== undefined && value !== null) out[name] = value;
  return out;
}

export function undefinedIfEmpty(list: readonly Json[]): readonly Json[] | undefined {
  return list.length > 0 ? list : undefined;
}
