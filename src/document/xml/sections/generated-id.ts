// An id that may be missing: then one is made up.
import { sha256 } from '../../../kit/bytes/hash.ts';
import { optional } from '../form/attributes.ts';
import type { Part } from '../form/part.ts';
import { NAME } from '../form/values.ts';

/** Always the same for the same names, so that a plan names the later ids, and the same file read again gives the same entities. */
export function idFromNames(...names: readonly unknown[]): string {
  const digits = sha256(JSON.stringify(names.map((name) => String(name).toLowerCase())));
  const [first, second, third, fourth, fifth] = [
    [0, 8],
    [8, 12],
    [13, 16],
    [17, 20],
    [20, 32],
  ].map(([from, to]) => digits.slice(from, to));
  // A UUID of version 8: each application defines its content itself.
  return `${first}-${second}-8${third}-8${fourth}-${fifth}`;
}

export const givenId = (member: string): Part => optional('id', member, { type: NAME });

/** Of an element whose name is the only one of its kind. */
export function generatedId(member: string): Part {
  const id = givenId(member);
  return {
    ...id,
    read: (element, json, reading, path) => {
      id.read(element, json, reading, path);
      json[member] ??= idFromNames(element.name, element.attributes.get('name') ?? '');
    },
  };
}
