// How commands print the answers of a server: as a table for people, or in a format for programs.
import { printYaml, type YamlMap, type YamlValue } from '../../kit/tree/print-yaml.ts';
import { isObject, type Json, type JsonObject } from '../../shape/json/json.ts';
import type { Context } from '../terminal/context.ts';
import { OUTPUTS, type OutputFormat } from '../terminal/outputs.ts';

/** The value of `OUTPUT_FLAG`, which has been checked. */
export function outputIn({ output }: { readonly output: string | undefined }, fallback: OutputFormat): OutputFormat {
  return OUTPUTS.find((one) => one === output) ?? fallback;
}

export function jsonText(value: Json): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

export function yamlText(value: JsonObject): string {
  return printYaml(yamlMap(value));
}

function yamlMap(value: JsonObject): YamlMap {
  return new Map(Object.entries(value).map(([name, member]) => [name, { value: yamlValue(member) }]));
}

function yamlValue(value: Json): YamlValue {
  if (Array.isArray(value)) return value.map(yamlValue);
  return isObject(value) ? yamlMap(value) : (value as string | number | boolean | null);
}

/** How wide a table may be: a pipe takes any width. */
export function widthOf({ out }: Pick<Context, 'out'>): number | undefined {
  return out.isTTY ? out.columns : undefined;
}

/** Without the links from one answer to the next, which are of no use in a file. */
export function withoutLinks(value: JsonObject): JsonObject;
export function withoutLinks(value: Json): Json;
export function withoutLinks(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutLinks);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).flatMap(([name, member]) => (name === '_links' ? [] : [[name, withoutLinks(member)]])));
}
