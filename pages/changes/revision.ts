// Revisions of the configuration as the API gives them.
import type { AnswerOf, ListItem } from '../api/answers.ts';
import { isObject, type Json } from '../api/json.ts';
import { entityText, OPERATION_LABELS } from '../kit/diff/change-text.ts';

export const REVISIONS_ADDRESS = '/api/admin/config/revisions';
export const ENTITIES_ADDRESS = '/api/admin/config/entities';
export const HISTORY_VERSION = 1;

export interface LinkedPage {
  readonly _links: { readonly next?: { readonly href: string } };
}

type RevisionsOperation = 'GET /api/admin/config/revisions';
export type RevisionList = AnswerOf<RevisionsOperation>;
export type ListedRevision = ListItem<RevisionsOperation, 'revisions'>;
export type RevisionDetails = AnswerOf<'GET /api/admin/config/revisions/{revision}'>;
export type RevisionFacts = Omit<ListedRevision, 'changes'>;

/** An obstacle to a revert, or an entity that the revert leaves as it is. */
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
  const named = changes.slice(0, NAMED).map((change) => `${entityText(change)} ${OPERATION_LABELS[change.operation]}`);
  const more = count - named.length;
  return more > 0 ? `${named.join(', ')} and ${more} more` : named.join(', ');
}

/** How many revisions are newer than the newest listed revision, as far as they were read. */
export function newerThan(newest: number | undefined, read: readonly RevisionFacts[]): number {
  return newest === undefined ? read.length : read.filter(({ revision }) => revision > newest).length;
}

/** The obstacles in the refusal of a revert. */
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
