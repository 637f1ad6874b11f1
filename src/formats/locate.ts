// Where in its file a value of an entity stands, also when parts of the entity have been replaced since.
import type { Body } from '../contracts/plugins/config-repo.ts';
import type { Position } from '../kit/tree/lines.ts';

interface PositionedBody extends Position {
  readonly body: Body;
  /** Line and column of each value, in the order of a walk through the body that comes to a holder before its members. */
  readonly positions: Uint32Array;
}

/** The place of the value at this path; of a value that is not in the file, the place of its nearest holder. */
export function locate(entity: PositionedBody, path: readonly (string | number)[]): Position {
  let found: NumberedValue = { value: entity.body, number: 0 };
  for (const step of path) {
    const next = numbered(found).get(String(step));
    if (!next) break;
    found = next;
  }
  const [line = entity.line, column = entity.column] = entity.positions.subarray(2 * found.number);
  return { line, column };
}

/** The entity with another body, in which each new value has the place of its nearest holder in the file. */
export function withBody<T extends PositionedBody>(entity: T, body: Body): T {
  const numbers: number[] = [];
  realign(body, { value: entity.body, number: 0 }, numbers);
  const positions = new Uint32Array(2 * numbers.length);
  for (const [index, number] of numbers.entries()) positions.set(entity.positions.subarray(2 * number, 2 * number + 2), 2 * index);
  return { ...entity, body, positions };
}

interface NumberedValue {
  readonly value: unknown;
  readonly number: number;
}

function realign(now: unknown, before: NumberedValue, numbers: number[]): void {
  numbers.push(before.number);
  const known = numbered(before);
  for (const [key, value] of membersOf(now)) realign(value, known.get(key) ?? { value: undefined, number: before.number }, numbers);
}

/** The members of a value, each with its number in the walk. */
function numbered({ value, number }: NumberedValue): ReadonlyMap<string, NumberedValue> {
  const found = new Map<string, NumberedValue>();
  let next = number + 1;
  for (const [key, member] of membersOf(value)) {
    found.set(key, { value: member, number: next });
    next += countOf(member);
  }
  return found;
}

function countOf(value: unknown): number {
  return membersOf(value).reduce((sum, [, member]) => sum + countOf(member), 1);
}

function membersOf(value: unknown): readonly (readonly [string, unknown])[] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}
