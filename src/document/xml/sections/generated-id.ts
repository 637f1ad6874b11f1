// An id that may be missing: then one is made up.
import { randomUUID } from 'node:crypto';
import { optional } from '../form/attributes.ts';
import type { Part } from '../form/part.ts';
import { NAME } from '../form/values.ts';

export function generatedId(member: string): Part {
  const id = optional('id', member, { type: NAME });
  return {
    ...id,
    read: (element, json, reading, path) => {
      id.read(element, json, reading, path);
      json[member] ??= randomUUID();
    },
  };
}
