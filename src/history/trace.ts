// Follows single fields from one state of an entity back to an earlier one.
import { isDeepStrictEqual } from 'node:util';
import { isObject, type Json, type JsonObject } from '../shape/json/json.ts';
import { type Trail, toItem, toMember } from './difference/describe-change.ts';
import { match } from './difference/match.ts';
import { step } from './difference/pointer.ts';
import { withoutSecrets } from './difference/secrets.ts';

/** A field that has no others in it. */
export interface Leaf {
  /** JSON pointer. */
  readonly path: string;
  readonly fieldPath: Trail;
  /** Without secrets. */
  readonly value: Json;
}

/** One by one: a large state has very many. */
export function leavesOf(state: JsonObject): Generator<Leaf> {
  return leaves(state, '', '', []);
}

function* leaves(value: Json, path: string, member: string, fieldPath: Trail): Generator<Leaf> {
  const items = Array.isArray(value) && value.length > 0 && match(member, value, value) ? value : [];
  const members = isObject(value) ? Object.entries(value) : [];
  for (const [name, held] of members) yield* leaves(held, step(path, name), name, toMember(fieldPath, name));
  for (const [index, item] of items.entries()) {
    yield* leaves(item, step(path, index), member, toItem(fieldPath, member, withoutSecrets(item), index));
  }
  if (members.length + items.length === 0) yield { path, fieldPath, value: withoutSecrets(value, member) };
}

/** The paths of the fields of the later state that have not changed, each with its path in the earlier one. */
export function unchangedFields(before: JsonObject, after: JsonObject): Generator<[path: string, earlierPath: string]> {
  return unchanged(before, after, '', '', '');
}

function* unchanged(before: Json, after: Json, from: string, to: string, member: string): Generator<[to: string, from: string]> {
  if (isDeepStrictEqual(before, after)) {
    for (const { path } of leaves(after, '', member, [])) yield [to + path, from + path];
  } else if (isObject(before) && isObject(after)) {
    for (const [name, value] of Object.entries(after)) {
      if (name in before) yield* unchanged(before[name]!, value, step(from, name), step(to, name), name);
    }
  } else if (Array.isArray(before) && Array.isArray(after)) {
    for (const [index, origin] of match(member, before, after)?.origins.entries() ?? []) {
      if (origin !== undefined) yield* unchanged(before[origin], after[index], step(from, origin), step(to, index), member);
    }
  }
}
