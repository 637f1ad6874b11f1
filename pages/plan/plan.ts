// Plans as the API makes them from a desired state.
import type { EntityChange, EntityName } from '../api/change-answers.ts';
import { isObject, type Json, type JsonObject } from '../api/json.ts';
import { OPERATION_LABELS } from '../kit/diff/change-text.ts';

export const PLAN_ADDRESS = '/api/admin/config/plan';
export const PLAN_VERSION = 1;

export interface PlanError {
  readonly resource: string | null;
  readonly id: string | null;
  /** A JSON pointer; of a file, `line 5`. */
  readonly path: string;
  readonly message: string;
}

export interface Plan {
  /** null: there is nothing to apply. */
  readonly id: string | null;
  readonly expires_at: string | null;
  readonly based_on: number;
  readonly changes: readonly EntityChange[];
  readonly errors: readonly PlanError[];
  readonly affected: readonly EntityName[];
  readonly ignored: readonly { readonly what: string; readonly why: string }[];
  readonly warnings: readonly { readonly path: string; readonly message: string }[];
}

/** An entity that has changed since the plan was made. */
export interface ChangedEntity extends EntityName {
  readonly what: string;
  readonly revision: number | null;
  readonly actor: string | null;
  readonly time: string | null;
}

export interface PlanRequest {
  readonly address: string;
  readonly file: { readonly type: string; readonly text: string };
}

/** The request for a text: XML as it is, and JSON as it is unless `prune` has to be added. */
export function planRequest(text: string, isPruned: boolean): PlanRequest {
  if (text.trimStart().startsWith('<'))
    return { address: isPruned ? `${PLAN_ADDRESS}?prune=true` : PLAN_ADDRESS, file: { type: 'text/xml', text } };
  return { address: PLAN_ADDRESS, file: { type: 'application/json', text: isPruned ? withPrune(text) : text } };
}

/** Text that is no JSON object is sent as it is: the server answers with the error. */
function withPrune(text: string): string {
  try {
    const wanted = JSON.parse(text) as Json;
    return isObject(wanted) ? JSON.stringify({ ...wanted, prune: true }) : text;
  } catch {
    return text;
  }
}

/** `2 created, 1 deleted`. */
export function countsText(changes: readonly Pick<EntityChange, 'operation'>[]): string {
  return [...Map.groupBy(changes, ({ operation }) => operation)]
    .map(([operation, those]) => `${those.length} ${OPERATION_LABELS[operation]}`)
    .join(', ');
}

/** The line that an error of a file names. */
export function lineIn(path: string): number | undefined {
  const [, line] = /^line (\d+)$/.exec(path) ?? [];
  return line === undefined ? undefined : Number(line);
}

/** The entities that have changed since the plan was made, from the refusal to apply it. */
export function movedIn(answer: Json | undefined): { readonly moved: readonly ChangedEntity[]; readonly lists: readonly string[] } {
  const data = isObject(answer) && isObject(answer.data) ? answer.data : {};
  const { moved, lists } = data;
  return {
    moved: Array.isArray(moved) ? moved.filter(isObject).map(movedEntity) : [],
    lists: Array.isArray(lists) ? lists.filter((name) => typeof name === 'string') : [],
  };
}

function movedEntity({ resource, id, what, revision, actor, time }: JsonObject): ChangedEntity {
  return {
    resource: String(resource),
    id: String(id),
    what: String(what),
    revision: typeof revision === 'number' ? revision : null,
    actor: typeof actor === 'string' ? actor : null,
    time: typeof time === 'string' ? time : null,
  };
}
