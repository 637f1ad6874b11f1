// The difference between two states as a JSON Patch (RFC 6902). It holds between the states as they are shown, without secrets.
import { isDeepStrictEqual } from 'node:util';
import { isObject, type Json, type JsonObject } from '../../shape/json/json.ts';
import type { List } from './lists.ts';
import { type ListMatch, match } from './match.ts';
import { step } from './pointer.ts';
import { withoutSecrets } from './secrets.ts';

export type PatchOperation =
  | { readonly op: 'add' | 'replace'; readonly path: string; readonly value: Json }
  | { readonly op: 'remove'; readonly path: string }
  | { readonly op: 'move'; readonly from: string; readonly path: string };

/**
 * Step by step, for large states; undefined: nothing has changed in this step. A secret that has changed is replaced by its mark: it
 * shows that, and nothing else.
 */
export function patchSteps(before: JsonObject, after: JsonObject): Iterable<PatchOperation | undefined> {
  return patch(before, after, '', '');
}

type Steps = Generator<PatchOperation | undefined>;

function* patch(before: Json, after: Json, path: string, member: string): Steps {
  if (isDeepStrictEqual(before, after)) return;
  if (isObject(before) && isObject(after)) yield* patchMembers(before, after, path);
  else if (Array.isArray(before) && Array.isArray(after)) yield* patchList(before, after, path, member);
  else yield { op: 'replace', path, value: withoutSecrets(after, member) };
}

function* patchMembers(before: JsonObject, after: JsonObject, path: string): Steps {
  for (const name of Object.keys(before)) if (!(name in after)) yield { op: 'remove', path: step(path, name) };
  for (const [name, value] of Object.entries(after)) {
    if (name in before) yield* patch(before[name]!, value, step(path, name), name);
    else yield { op: 'add', path: step(path, name), value: withoutSecrets(value, name) };
  }
}

/** First removals, from the end; then each member comes to its place; then the changes inside of members. */
function* patchList(before: List, after: List, path: string, member: string): Steps {
  const matched = match(member, before, after);
  const placed = matched && placing(before, after, matched, path);
  if (!matched || !placed) {
    yield { op: 'replace', path, value: withoutSecrets(after) };
    return;
  }
  for (const index of matched.gone.toReversed()) yield { op: 'remove', path: step(path, index) };
  yield* placed;
  for (const [index, origin] of matched.origins.entries()) {
    if (origin !== undefined) yield* patch(before[origin]!, after[index]!, step(path, index), member);
    yield undefined;
  }
}

/** An operation shifts the members after it: a long list that changes in many places is better replaced. */
const MAX_SHIFTED = 10_000_000;

/** Undefined: it would take too long. */
function placing(before: List, after: List, { origins, gone }: ListMatch, path: string): readonly PatchOperation[] | undefined {
  const removed = new Set(gone);
  const now: (number | undefined)[] = [...before.keys()].filter((index) => !removed.has(index));
  const operations: PatchOperation[] = [];
  let shifted = 0;
  for (const [index, origin] of origins.entries()) {
    if (origin !== undefined && now[index] === origin) continue;
    const from = origin === undefined ? now.length : now.indexOf(origin, index);
    shifted += from - index;
    if (shifted > MAX_SHIFTED) return undefined;
    if (origin === undefined) operations.push({ op: 'add', path: step(path, index), value: withoutSecrets(after[index]!) });
    else operations.push({ op: 'move', from: step(path, from), path: step(path, index) });
    now.splice(index, 0, ...(origin === undefined ? [undefined] : now.splice(from, 1)));
  }
  return operations;
}
