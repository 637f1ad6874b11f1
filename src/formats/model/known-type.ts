// The type that an object says it is of, among those there are.
import { closest } from '../../kit/text/closest.ts';
import type { Part } from './part.ts';

const NO_TYPE =
  'JSON element from plugin did not contain [type] property for determining its type. Check your syntax, or the plugin logic.';

/** Undefined, and reported, when it is none of them. */
export function knownType<T>(part: Part, types: Readonly<Record<string, T>>, unknown: (type: string) => string): T | undefined {
  const type = part.text('type');
  if (type !== undefined && Object.hasOwn(types, type)) return types[type];
  const all = `one of ${Object.keys(types).join(', ')}`;
  if (type === undefined) part.location.problem(part.at, NO_TYPE, `Add type, ${all}.`);
  else {
    const meant = closest(type, Object.keys(types));
    part.location.problem(part.offsetOf('type'), unknown(type), meant ? `Did you mean ${meant}?` : `It has to be ${all}.`);
  }
  return undefined;
}
