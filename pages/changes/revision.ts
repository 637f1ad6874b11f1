// Revisions of the configuration as the API gives them.
import type { ChangeOperation, EntityChange, EntityName } from '../api/change-answers.ts';
import { isObject, type Json } from '../api/json.ts';
import { entityText, OPERATION_WORDS } from '../kit/diff/change-text.ts';

export const REVISIONS_ADDRESS = '/api/admin/config/revisions';
export const ENTITIES_ADDRESS = '/api/admin/config/entities';
export const HISTORY_VERSION = 1;

export interface Linked {
  readonly _links: { readonly next?: { readonly href: string } };
}

export interface RevisionFacts {
  readonly revision: number;
  readonly time: string;
  readonly actor: string;
  /** The id of the access token that was used. */
  readonly token: number | null;
  /** Where the request came from. */
  readonly address: string | null;
  readonly reason: string | null;
  readonly name: string | null;
  readonly change_count: number;
}

export interface ListedRevision extends RevisionFacts {
  /** The first ten. */
  readonly changes: readonly (EntityName & { readonly operation: ChangeOperation })[];
}

export interface RevisionDetails extends RevisionFacts, Linked {
  readonly changes: readonly EntityChange[];
}

export interface RevisionList extends Linked {
  readonly _embedded: { readonly revisions: readonly ListedRevision[] };
}

/** What stands in the way of a revert, or is left as it is. */
export interface Obstacle {
  readonly resource: string | null;
  readonly id: string | null;
  readonly message: string;
  /** The later revision it came from. */
  readonly revision: number | null;
  readonly actor: string | null;
}

const NAMED = 3;

/** `environments preview changed, pipelines web created and 8 more`. */
export function summaryOf({ changes, change_count: count }: Pick<ListedRevision, 'changes' | 'change_count'>): string {
  const named = changes.slice(0, NAMED).map((change) => `${entityText(change)} ${OPERATION_WORDS[change.operation]}`);
  const more = count - named.length;
  return more > 0 ? `${named.join(', ')} and ${more} more` : named.join(', ');
}

/** How many were made since the newest one that is listed, as far as they were read. */
export function newerThan(newest: number | undefined, read: readonly RevisionFacts[]): number {
  return newest === undefined ? read.length : read.filter(({ revision }) => revision > newest).length;
}

/** What the refusal of a revert names. */
export function obstaclesIn(answer: Json | undefined): Obstacle[] {
  const data = isObject(answer) ? answer.data : undefined;
  const named = isObject(data) ? data.obstacles : undefined;
  return Array.isArray(named) ? named.filter(isObject).map(obstacleIn) : [];
}

function obstacleIn({ resource, id, message, revision, actor }: { readonly [name: string]: Json }): Obstacle {
  return {
    resource: typeof resource === 'string' ? resource : null,
    id: typeof id === 'string' ? id : null,
    message: typeof message === 'string' ? message : '',
    revision: typeof revision === 'number' ? revision : null,
    actor: typeof actor === 'string' ? actor : null,
  };
}
