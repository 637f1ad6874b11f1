// The difference between two states of an entity, field by field.
import { isDeepStrictEqual } from 'node:util';
import { isObject, type Json, type JsonObject } from '../../shape/json/json.ts';
import { describeChange, type Trail, toItem, toMember, trailText } from './describe-change.ts';
import type { List } from './lists.ts';
import { match } from './match.ts';
import type { Operation } from './operation.ts';
import { step } from './pointer.ts';
import { isSecretMember, withoutSecrets } from './secrets.ts';

export interface FieldChange {
  /** JSON pointer into the later state; the last step to a removed member counts in the earlier one. */
  readonly path: string;
  readonly operation: Operation;
  /** What people call the field: `stage 'build', timeout`; absent: it is the whole entity. */
  readonly field?: string;
  /** Without secrets, like `after`; absent when there was nothing. */
  readonly before?: Json;
  readonly after?: Json;
  readonly words: string;
}

interface FieldLocation {
  readonly path: string;
  readonly fieldPath: Trail;
  /** The name of the member this is, or is in a list of. */
  readonly member: string;
  readonly isItem: boolean;
}

const ROOT: FieldLocation = { path: '', fieldPath: [], member: '', isItem: false };

/** Both in the sealed form; a state of which nothing is different gives no changes. */
export function fieldChanges(before: JsonObject, after: JsonObject): FieldChange[] {
  return [...fieldChangeSteps(before, after)].filter((change) => change !== undefined);
}

/** Yields the changes of fields step by step, for large states; undefined: nothing has changed in this step. */
export function fieldChangeSteps(before: JsonObject, after: JsonObject): Iterable<FieldChange | undefined> {
  return compare(before, after, ROOT);
}

type Steps = Generator<FieldChange | undefined>;

function* compare(before: Json | undefined, after: Json | undefined, at: FieldLocation): Steps {
  if (isDeepStrictEqual(before, after)) return;
  if (isObject(before) && isObject(after)) yield* compareMembers(before, after, at);
  else if (Array.isArray(before) && Array.isArray(after)) yield* compareLists(before, after, at);
  else yield changeOf(before, after, at);
}

function* compareMembers(before: JsonObject, after: JsonObject, at: FieldLocation): Steps {
  // Attributes of different types have nothing in common, even under the same name.
  if (at.isItem && 'attributes' in before && before.type !== after.type) {
    yield changeOf(before, after, at);
    return;
  }
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    yield* compare(before[name], after[name], {
      path: step(at.path, name),
      fieldPath: toMember(at.fieldPath, name),
      member: name,
      isItem: false,
    });
  }
}

function* compareLists(before: List, after: List, at: FieldLocation): Steps {
  const matched = match(at.member, before, after);
  if (!matched) {
    yield changeOf(before, after, at);
    return;
  }
  const itemAt = (item: Json, index: number): FieldLocation => ({
    path: step(at.path, index),
    fieldPath: toItem(at.fieldPath, at.member, withoutSecrets(item), index),
    member: at.member,
    isItem: true,
  });
  for (const index of matched.gone) yield changeOf(before[index], undefined, itemAt(before[index]!, index));
  for (const [index, origin] of matched.origins.entries()) {
    const item = after[index]!;
    if (origin === undefined) yield changeOf(undefined, item, itemAt(item, index));
    else yield* compare(before[origin], item, itemAt(before[origin]!, index));
    yield undefined;
  }
  const order = matched.origins.filter((origin) => origin !== undefined);
  if (!isRising(order))
    yield orderChange(
      order.toSorted((one, other) => one - other).map((index) => before[index]!),
      matched.origins.flatMap((origin, index) => (origin === undefined ? [] : [after[index]!])),
      at,
    );
}

function isRising(numbers: readonly number[]): boolean {
  return numbers.every((number, index) => index === 0 || numbers[index - 1]! < number);
}

function orderChange(before: List, after: List, at: FieldLocation): FieldChange {
  const labels = (list: List) => list.map((item, index) => toItem([''], at.member, withoutSecrets(item), index)[0]!);
  const change = { operation: 'move', before: labels(before), after: labels(after) } as const;
  const field = trailText(at.fieldPath);
  return {
    path: at.path,
    ...change,
    field,
    words: describeChange(at.fieldPath, { ...change, isSecret: false, isHidden: false, isItem: false }),
  };
}

function changeOf(before: Json | undefined, after: Json | undefined, { path, fieldPath, member, isItem }: FieldLocation): FieldChange {
  const shown = {
    ...(before !== undefined && { before: withoutSecrets(before, member) }),
    ...(after !== undefined && { after: withoutSecrets(after, member) }),
  };
  const operation = before === undefined ? 'add' : after === undefined ? 'remove' : 'replace';
  const isHidden = operation === 'replace' && isDeepStrictEqual(shown.before, shown.after);
  return {
    path,
    operation,
    ...(path !== '' && { field: trailText(fieldPath) }),
    ...shown,
    words: describeChange(fieldPath, { operation, ...shown, isSecret: isSecretMember(member), isHidden, isItem }),
  };
}
