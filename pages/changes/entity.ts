// One entity through time, as the API gives it.
import type { ChangeOperation, EntityName, FieldDifference } from '../api/change-answers.ts';
import type { Json } from '../api/json.ts';
import { ENTITIES_ADDRESS, type Linked, type RevisionFacts } from './revision.ts';

export interface EntityRevision extends RevisionFacts {
  readonly operation: ChangeOperation;
  /** null: the values are not kept any more. */
  readonly differences: readonly FieldDifference[] | null;
}

export interface EntityHistory extends Linked {
  readonly _embedded: { readonly revisions: readonly EntityRevision[] };
}

/** A field, and who set it. */
export interface BlamedField {
  /** A JSON pointer. */
  readonly path: string;
  readonly field: string;
  readonly value: Json;
  /** null: it was set before the part of the history that is kept. */
  readonly revision: number | null;
  readonly time: string | null;
  readonly actor: string | null;
  readonly token: number | null;
  readonly reason: string | null;
}

export interface Blame {
  readonly _embedded: { readonly fields: readonly BlamedField[] };
}

/** Where the API tells of an entity's past; of what there is only one, the kind names it. */
export function historyAddress({ resource, id }: EntityName, what: 'history' | 'blame' | 'revert'): string {
  const steps = id === '' ? [resource] : [resource, id];
  return [ENTITIES_ADDRESS, ...steps.map(encodeURIComponent), what].join('/');
}

/** The entity as it was, from its fields. */
export function stateOf(fields: readonly Pick<BlamedField, 'path' | 'value'>[]): Json {
  const root: Node = { members: new Map() };
  for (const { path, value } of fields) {
    let node = root;
    for (const step of path.split('/').slice(1)) {
      const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
      const next = node.members.get(name) ?? { members: new Map() };
      node.members.set(name, next);
      node = next;
    }
    node.value = value;
  }
  return jsonOf(root);
}

interface Node {
  readonly members: Map<string, Node>;
  /** Of a field that has no others in it. */
  value?: Json;
}

/** Members that are counted from 0 are those of a list. */
function jsonOf({ members, value }: Node): Json {
  if (value !== undefined) return value;
  const entries = [...members];
  if (entries.length > 0 && entries.every(([name], place) => name === String(place))) return entries.map(([, node]) => jsonOf(node));
  return Object.fromEntries(entries.map(([name, node]) => [name, jsonOf(node)]));
}
