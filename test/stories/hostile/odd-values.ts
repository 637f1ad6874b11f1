// Takes every operation that has a body, and puts every odd value in every place of it, one at a time.

import { type Credentials, type Draft, draftFor, type Operation, type Schema } from './draft.ts';
import { LONE_SURROGATE, type Member, membersIn, nested, ODD_NUMBERS, ODD_TEXTS, setOwnProperty } from './mutations.ts';

const ODD_VALUES: readonly unknown[] = [
  ...ODD_TEXTS,
  ...ODD_NUMBERS,
  null,
  true,
  [],
  {},
  [null],
  [[]],
  [{}],
  ['twice', 'twice'],
  { toString: 1 },
  { value: { value: 1 }, [LONE_SURROGATE]: 1 },
  JSON.parse('{"__proto__":{"name":1},"constructor":{"prototype":[]}}'),
  nested(70),
];

/** How each of them is made: most callers want only some of the thousands. */
export function draftsWithOddValues(operations: readonly Operation[], credentials: Credentials): (() => Draft)[] {
  return operations.flatMap((operation) => {
    if (operation.example === undefined) return [];
    const body = filled(operation.example, operation.schema);
    const members = membersIn(body);
    return members.flatMap(({ key }, position) => {
      const changes: ((member: Member) => void)[] = ODD_VALUES.map((value) => (at) => setOwnProperty(at.holder, at.key, value));
      changes.push((at) => Reflect.deleteProperty(at.holder, at.key));
      return changes.map((change, index) => () => {
        const draft = draftFor(operation, credentials);
        draft.json = structuredClone(body);
        if (draft.method === 'POST') setNewId(draft.json as object, `${position}-${index}`);
        change(membersIn(draft.json)[position]!);
        return { ...draft, about: `${draft.method} ${draft.path} with odd value ${index} as ${key}` };
      });
    });
  });
}

/** The example with an entry in every list: a missing entry cannot be odd. */
function filled(example: unknown, { properties, items }: Schema): unknown {
  if (properties) {
    const given = (example ?? {}) as Readonly<Record<string, unknown>>;
    const names = Object.keys(properties).filter((name) => name in given || properties[name]!.items || properties[name]!.properties);
    return Object.fromEntries(names.map((name) => [name, filled(given[name], properties[name]!)]));
  }
  if (!items) return example ?? 'filled';
  const list = (example ?? []) as readonly unknown[];
  if (list.length > 0) return structuredClone(list);
  return [items.properties ? { name: 'filled' } : 'filled'];
}

function setNewId(body: object, id: string): void {
  for (const name of ['id', 'repo_id', 'name']) if (name in body) setOwnProperty(body, name, id);
}
