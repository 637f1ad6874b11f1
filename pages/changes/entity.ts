// One entity through time, as the API gives it.
import type { AnswerOf, ListItem } from '../api/answers.ts';
import type { EntityName } from '../api/change-answers.ts';
import type { Json } from '../api/json.ts';
import { ENTITIES_ADDRESS } from './revision.ts';

type HistoryOperation = 'GET /api/admin/config/entities/{resource}/{id}/history';
export type EntityHistory = AnswerOf<HistoryOperation>;
export type EntityRevision = ListItem<HistoryOperation, 'revisions'>;
type BlameOperation = 'GET /api/admin/config/entities/{resource}/{id}/blame';
export type Blame = AnswerOf<BlameOperation>;
/** A field, and its author. */
export type BlamedField = ListItem<BlameOperation, 'fields'>;

/** The address of an entity's history; a singleton is named by its kind alone. */
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
  /** For a field that holds no other fields. */
  value?: Json;
}

/** Members that are counted from 0 are those of a list. */
function jsonOf({ members, value }: Node): Json {
  if (value !== undefined) return value;
  const entries = [...members];
  if (entries.length > 0 && entries.every(([name], index) => name === String(index))) return entries.map(([, node]) => jsonOf(node));
  return Object.fromEntries(entries.map(([name, node]) => [name, jsonOf(node)]));
}
