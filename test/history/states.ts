// Random states of something like a pipeline, in the sealed form, for properties of differences and merges.
import fc from 'fast-check';
import type { Json, JsonObject } from '../../src/shape/json/json.ts';

export const CIPHER_TEXT = 'v1:cipher-';
const SOME = ['a', 'b', 'c', 'd'];

const text = fc.constantFrom('', 'x', 'y/z', '~1');
const few = (max: number, arbitrary: fc.Arbitrary<JsonObject>, nameIn: string) =>
  fc.uniqueArray(arbitrary, { maxLength: max, selector: (item) => String(item[nameIn]).toLowerCase() });

const plain = fc.record({ secure: fc.constant(false), name: fc.constantFrom(...SOME, 'B'), value: text });
const secret = fc.record({
  secure: fc.constant(true),
  name: fc.constantFrom(...SOME),
  encrypted_value: fc.constantFrom(`${CIPHER_TEXT}1`, `${CIPHER_TEXT}2`),
});
const variables = few(4, fc.oneof(plain, secret), 'name');
const settings = few(
  3,
  fc.oneof(
    fc.record({ key: fc.constantFrom(...SOME), value: text }),
    fc.record({ key: fc.constantFrom(...SOME), encrypted_value: fc.constantFrom(`${CIPHER_TEXT}3`, `${CIPHER_TEXT}4`) }),
  ),
  'key',
);
const texts = fc.array(fc.constantFrom(...SOME), { maxLength: 3 });
const set = fc.uniqueArray(fc.constantFrom(...SOME), { maxLength: 3 });
const task = fc.oneof(
  fc.record({ type: fc.constant('exec'), attributes: fc.record({ run_if: set, command: text, arguments: texts }) }),
  fc.record({ type: fc.constant('exec'), attributes: fc.record({ run_if: set, command: text, args: text }) }),
  fc.record({ type: fc.constant('ant'), attributes: fc.record({ run_if: set, target: text }) }),
);
const job = fc.record({
  name: fc.constantFrom(...SOME),
  timeout: fc.constantFrom(null, 1, 2),
  environment_variables: variables,
  resources: set,
  tasks: fc.array(task, { maxLength: 3 }),
});
const stage = fc.record({
  name: fc.constantFrom(...SOME),
  approval: fc.record({ type: fc.constantFrom('manual', 'success'), authorization: fc.record({ users: set }) }),
  jobs: few(2, job, 'name'),
});
const addresses = fc.constantFrom(
  'https://x.example.org',
  `https://me:${encodeURIComponent(`${CIPHER_TEXT}5`)}@y.example.org`,
  `https://me:${encodeURIComponent(`${CIPHER_TEXT}6`)}@y.example.org`,
);
const material = fc.oneof(
  fc.record({
    type: fc.constant('git'),
    attributes: fc.record({ url: addresses, branch: text, name: fc.constantFrom(null, 'one', 'two') }),
  }),
  fc.record({ type: fc.constant('dependency'), attributes: fc.record({ pipeline: text, stage: text, name: fc.constant(null) }) }),
);

const made = fc.record({
  label_template: text,
  template: fc.constantFrom(null, 'x'),
  timer: fc.constantFrom<Json>(null, { spec: '1', only_on_changes: false }, { spec: '2', only_on_changes: true }),
  environment_variables: variables,
  configuration: settings,
  materials: fc.array(material, { maxLength: 3 }),
  stages: few(3, stage, 'name'),
  rules: fc.array(fc.record({ action: text, resource: text }), { maxLength: 3 }),
});

/** States as they come out of texts, unlike records, which are sometimes objects without a prototype. */
const states = made.map((state) => JSON.parse(JSON.stringify(state)) as JsonObject);

/** A state and others made of it by replacing parts, so that most of it stays the same. */
export function related(count: number): fc.Arbitrary<[JsonObject, ...JsonObject[]]> {
  return fc
    .tuple(states, fc.array(fc.tuple(states, fc.infiniteStream(fc.nat(3))), { minLength: count, maxLength: count }))
    .map(([base, others]) => [base, ...others.map(([other, dice]) => mixed(base, other, () => dice.next().value === 0) as JsonObject)]);
}

function mixed(base: Json, other: Json, isTaken: () => boolean): Json {
  if (isRecord(base) && isRecord(other) && Object.keys(base).join() === Object.keys(other).join()) {
    return Object.fromEntries(Object.entries(base).map(([name, value]) => [name, mixed(value, other[name]!, isTaken)]));
  }
  if (Array.isArray(base) && Array.isArray(other)) return mixedLists(base, other, isTaken);
  return isTaken() ? other : base;
}

/** Members by their places in both, some left out, some of the other added, as long as names stay unique. */
function mixedLists(base: readonly Json[], other: readonly Json[], isTaken: () => boolean): Json {
  const kept = base
    .filter(() => !isTaken())
    .map((item, index) => (index < other.length && sameName(item, other[index]!) ? mixed(item, other[index]!, isTaken) : item));
  const fresh = other.filter((item) => isTaken() && !kept.some((one) => sameName(one, item)));
  return [...kept, ...fresh];
}

function sameName(one: Json, other: Json): boolean {
  return nameOf(one) === nameOf(other);
}

function nameOf(item: Json): string {
  return isRecord(item) ? String(item.name ?? item.key ?? JSON.stringify(item)).toLowerCase() : String(item);
}

function isRecord(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
