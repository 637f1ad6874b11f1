// A desired state as it was sent: what can be made out of it, and all that is wrong with its form.
import { KINDS_IN_ORDER } from '../../document/save/kinds.ts';
import { isObject, type Json, type JsonObject } from '../../shape/json.ts';
import type { Kind } from '../../shape/resource.ts';
import { kindFor, noSuchResource } from '../endpoints/changed-json.ts';

export interface DesiredState {
  /** What is wanted of each kind, those first that others look at. */
  readonly wanted: readonly { readonly kind: Kind; readonly entities: readonly JsonObject[] }[];
  /** The kinds of which all that is not wanted is removed. */
  readonly complete: readonly Kind[];
  readonly mistakes: readonly Mistake[];
}

/** Something that is wrong with a desired state. */
export interface Mistake {
  readonly resource: string | null;
  readonly id: string | null;
  /** JSON pointer: into the entity, or into the whole where no entity is named. */
  readonly path: string;
  readonly message: string;
}

export function mistakeAt(path: string, message: string): Mistake {
  return { resource: null, id: null, path, message };
}

export function readDesired(resources: Json | undefined, deleteAbsent: Json | undefined, kinds: ReadonlyMap<string, Kind>): DesiredState {
  const mistakes: Mistake[] = [];
  if (!isObject(resources)) mistakes.push(mistakeAt('/resources', '`resources` must be an object with a member for each resource.'));
  const members = Object.entries(isObject(resources) ? resources : {});
  const wanted = members.flatMap(([name, value]) => {
    const kind = kindFor(kinds.values(), name);
    const wrong = kind ? wrongMembers(name, kind, value) : [mistakeAt(`/resources/${name}`, noSuchResource(kinds.values(), name))];
    mistakes.push(...wrong);
    if (!kind) return [];
    const given = kind.shape === 'singleton' ? [value] : Array.isArray(value) ? value : [];
    return [{ kind, name, entities: given.filter(isObject) as readonly JsonObject[], isWhole: wrong.length === 0 }];
  });
  const absent = readAbsent(
    deleteAbsent ?? [],
    new Map(wanted.map(({ name, kind }) => [name, kind])),
    new Set(members.map(([name]) => name)),
  );
  mistakes.push(...absent.mistakes);
  return {
    wanted: wanted.toSorted((one, other) => placeOf(one.kind) - placeOf(other.kind)),
    // Where something could not be read, nobody knows what is absent.
    complete: absent.complete.filter((kind) => wanted.some((one) => one.kind === kind && one.isWhole)),
    mistakes,
  };
}

/** Where a kind stands among the others: those first that others look at. */
export function placeOf({ name }: Kind): number {
  const place = KINDS_IN_ORDER.indexOf(name);
  return place < 0 ? KINDS_IN_ORDER.length : place;
}

function wrongMembers(name: string, kind: Kind, value: Json): Mistake[] {
  const path = `/resources/${name}`;
  if (kind.shape === 'singleton') return isObject(value) ? [] : [mistakeAt(path, `\`resources.${name}\` must be an object.`)];
  if (!Array.isArray(value)) return [mistakeAt(path, `\`resources.${name}\` must be a list of objects.`)];
  return value.flatMap((member, place) =>
    isObject(member) ? [] : [mistakeAt(`${path}/${place}`, `\`resources.${name}[${place}]\` must be an object.`)],
  );
}

function readAbsent(names: Json, known: ReadonlyMap<string, Kind>, sent: ReadonlySet<string>) {
  const mistakes: Mistake[] = [];
  if (!Array.isArray(names)) mistakes.push(mistakeAt('/delete_absent', '`delete_absent` must be a list of names of resources.'));
  const complete = (Array.isArray(names) ? names : []).flatMap((name: Json, place) => {
    const kind = typeof name === 'string' ? known.get(name) : undefined;
    if (kind?.shape === 'collection') return [kind];
    // An unknown resource was told of already, where it stands among the others.
    if (kind || typeof name !== 'string' || !sent.has(name)) {
      const why = kind ? 'Only what can be many can be absent' : 'It must be the name of a resource that stands in `resources`, too';
      mistakes.push(mistakeAt(`/delete_absent/${place}`, `${why}: ${JSON.stringify(name).slice(0, 100)}.`));
    }
    return [];
  });
  return { complete, mistakes };
}
