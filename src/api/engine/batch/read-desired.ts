// Reads a desired state as it was sent: the wanted entities, and all errors of its form.
import { KINDS_IN_ORDER } from '../../../document/save/kinds.ts';
import { isObject, type Json, type JsonObject } from '../../../shape/json/json.ts';
import type { Kind } from '../../../shape/resource.ts';
import { kindFor, noSuchResource } from './resource-names.ts';

export interface DesiredState {
  /** The wanted entities by kind; kinds that others refer to come first. */
  readonly wanted: readonly { readonly kind: Kind; readonly entities: readonly JsonObject[] }[];
  /** The kinds whose other entities are removed. */
  readonly complete: readonly Kind[];
  readonly mistakes: readonly DesiredStateError[];
}

/** Something that is wrong with a desired state. */
export interface DesiredStateError {
  readonly resource: string | null;
  readonly id: string | null;
  /** JSON pointer: into the entity, or into the whole where no entity is named. */
  readonly path: string;
  readonly message: string;
}

export function errorAt(path: string, message: string): DesiredStateError {
  return { resource: null, id: null, path, message };
}

/** Says that of the kinds that are named nothing else may stay. */
export const PRUNE = 'prune';

export function readDesired({ [PRUNE]: prune = false, ...resources }: JsonObject, kinds: ReadonlyMap<string, Kind>): DesiredState {
  const mistakes: DesiredStateError[] = typeof prune === 'boolean' ? [] : [errorAt(`/${PRUNE}`, `\`${PRUNE}\` must be true or false.`)];
  const wanted = Object.entries(resources).flatMap(([name, value]) => {
    const kind = kindFor(kinds.values(), name);
    const wrong = kind ? wrongMembers(name, kind, value) : [errorAt(`/${name}`, noSuchResource(kinds.values(), name))];
    mistakes.push(...wrong);
    if (!kind) return [];
    const given = kind.shape === 'singleton' ? [value] : Array.isArray(value) ? value : [];
    return [{ kind, entities: given.filter(isObject), isReadable: wrong.length === 0 }];
  });
  // A list with members that cannot be read does not show which entities are absent.
  const readable = wanted.filter(({ kind, isReadable }) => isReadable && kind.shape === 'collection').map(({ kind }) => kind);
  return {
    wanted: wanted.toSorted((one, other) => orderOf(one.kind) - orderOf(other.kind)),
    complete: prune === true ? readable : [],
    mistakes,
  };
}

/** Where a kind stands among the others: those first that others look at. */
export function orderOf({ name }: Kind): number {
  const index = KINDS_IN_ORDER.indexOf(name);
  return index < 0 ? KINDS_IN_ORDER.length : index;
}

function wrongMembers(name: string, kind: Kind, value: Json): DesiredStateError[] {
  if (kind.shape === 'singleton') return isObject(value) ? [] : [errorAt(`/${name}`, `\`${name}\` must be an object.`)];
  if (!Array.isArray(value)) return [errorAt(`/${name}`, `\`${name}\` must be a list of objects.`)];
  return value.flatMap((member, index) =>
    isObject(member) ? [] : [errorAt(`/${name}/${index}`, `\`${name}[${index}]\` must be an object.`)],
  );
}
