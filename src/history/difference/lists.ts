// How lists are compared: members that have a name of their own are found by it, all others by their place.
import { isObject, type Json } from '../../shape/json/json.ts';
import { materialIdentity, materialName, materialPlace } from './material-names.ts';

export type List = readonly Json[];

/** Distinguishes the members of a list; undefined: only their places do. */
export interface Naming {
  nameOf(item: Json): string;
  /** Whether the order of the members means something. */
  readonly isOrdered: boolean;
}

type NameOf = (item: Json) => string | undefined;

/** Lists of texts whose order means nothing. Any other list of texts is one value: the arguments of a program, say. */
const SETS = new Set(['users', 'roles', 'resources', 'agents', 'run_if', 'ignore', 'checkin_aliases']);
const IN_ORDER = new Set(['stages']);
const PARTICULAR: Readonly<Record<string, readonly NameOf[]>> = {
  // Two materials may differ only by their login.
  materials: [(item) => materialName(item) ?? materialPlace(item), (item) => materialName(item) ?? materialIdentity(item)],
  artifacts: [artifactName],
};

/** The naming that holds in all of these lists, which are under the same member of an object. */
export function namingOf(member: string, lists: readonly List[]): Naming | undefined {
  const candidates: readonly NameOf[] = SETS.has(member) ? [ownText] : [...(PARTICULAR[member] ?? []), textIn('name'), textIn('key')];
  const nameOf = candidates.find((candidate) => lists.every((list) => isUnique(list, candidate)));
  return nameOf && { nameOf: (item) => nameOf(item)!, isOrdered: IN_ORDER.has(member) };
}

function isUnique(list: List, nameOf: NameOf): boolean {
  const names = list.map(nameOf);
  return names.every((name) => name !== undefined) && new Set(names).size === names.length;
}

/** Names that differ only in letter case are the same everywhere in the configuration. */
function ownText(item: Json): string | undefined {
  return typeof item === 'string' ? item.toLowerCase() : undefined;
}

function textIn(member: string): NameOf {
  return (item) => (isObject(item) ? ownText(item[member] ?? null) : undefined);
}

function artifactName(item: Json): string | undefined {
  if (!isObject(item)) return undefined;
  const { type = null, artifact_id: id, source = null, destination = null } = item;
  return JSON.stringify(id === undefined ? [type, source, destination] : [type, id]);
}
