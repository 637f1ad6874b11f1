// A value of the configuration as people read it: without the marks of JSON, and without empty members.
import { isObject, type Json } from '../../api/json.ts';

/** An object has a line for each member. */
export function valueText(value: Json | undefined): string {
  if (value === undefined || value === null) return '';
  if (Array.isArray(value)) return listText(value);
  if (!isObject(value)) return String(value);
  return Object.entries(value)
    .map(([name, member]) => memberText(name, member))
    .filter((line) => line !== '')
    .join('\n');
}

/** The attributes say all by themselves. */
function memberText(name: string, value: Json): string {
  const text = valueText(value);
  if (text === '' || name === 'attributes') return text;
  return `${name.replaceAll('_', ' ')}: ${isObject(value) ? text.replaceAll('\n', ', ') : text}`;
}

/** Members with names are shown by them; the form shows the rest. */
function listText(list: readonly Json[]): string {
  return list
    .map((item) => (isObject(item) && typeof item.name === 'string' ? item.name : valueText(item).replaceAll('\n', ', ')))
    .join('; ');
}
