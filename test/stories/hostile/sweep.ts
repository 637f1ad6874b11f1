// Takes every operation that has a body, and puts every odd value in every place of it, one at a time.
import { LONE_SURROGATE, nested, ODD_NUMBERS, ODD_TEXTS, type Place, placesIn, setOwn } from './bends.ts';
import { type Draft, draftFor, type Operation, type Schema, type Who } from './draft.ts';

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
export function sweep(operations: readonly Operation[], who: Who): (() => Draft)[] {
  return operations.flatMap((operation) => {
    if (operation.example === undefined) return [];
    const body = filled(operation.example, operation.schema);
    const places = placesIn(body);
    return places.flatMap(({ key }, place) => {
      const changes: ((place: Place) => void)[] = ODD_VALUES.map((value) => (at) => setOwn(at.holder, at.key, value));
      changes.push((at) => Reflect.deleteProperty(at.holder, at.key));
      return changes.map((change, index) => () => {
        const draft = draftFor(operation, who);
        draft.json = structuredClone(body);
        if (draft.method === 'POST') giveNewId(draft.json as object, `${place}-${index}`);
        change(placesIn(draft.json)[place]!);
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

function giveNewId(body: object, id: string): void {
  for (const name of ['id', 'repo_id', 'name']) if (name in body) setOwn(body, name, id);
}
