// The text that is edited: YAML, with notes above it that are none of it.
import { isObject, type Json, type JsonObject } from '../../../../shape/json/json.ts';
import { withoutLinks, yamlText } from '../../../output/output.ts';
import type { Schema } from '../forms.ts';

const MARK = '##';

export function withNotes(notes: readonly string[], text: string): string {
  const lines = notes.flatMap((note) => note.split('\n')).map((line) => `${MARK} ${line}`.trimEnd());
  return [...lines, text].join('\n');
}

export function withoutNotes(text: string): string {
  const lines = text.split('\n');
  const begin = lines.findIndex((line) => !line.startsWith(MARK));
  return begin < 0 ? '' : lines.slice(begin).join('\n');
}

/** The fields that the user can change, without the read-only ones. */
export function editableText(value: JsonObject, schema: Schema): string {
  return yamlText(editable(withoutLinks(value), schema) as JsonObject);
}

function editable(value: Json, schema: Schema | undefined): Json {
  if (Array.isArray(value)) return value.map((item: Json) => editable(item, schema?.items));
  if (!isObject(value)) return value;
  const members = Object.entries(value).filter(([name]) => schema?.properties?.[name]?.readOnly !== true);
  return Object.fromEntries(members.map(([name, member]) => [name, editable(member, schema?.properties?.[name])]));
}
