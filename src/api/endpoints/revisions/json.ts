// Revisions, the changes in them and the authors of fields, as JSON.
import type { BlamedField } from '../../../history/blame.ts';
import type { Difference } from '../../../history/difference/entity-difference.ts';
import type { JsonOut } from '../../../shape/json/json.ts';
import { type Kind, resourceName } from '../../../shape/resource.ts';
import type { LoggedRevision } from '../../../store/revisions/revision-log.ts';
import { docLink, links } from '../common/links.ts';

export const REVISIONS_PATH = '/api/admin/config/revisions';
export const ENTITIES_PATH = '/api/admin/config/entities';
export const CHAPTER = 'history';

/** One entity that a revision has changed. */
export interface ChangedEntity {
  readonly kind: Kind;
  readonly id: string;
  readonly operation: string;
}

/** Undefined: the values are not kept any more. */
export type StoredDifference = Difference | undefined;

export function revisionLinks(revision: number, base: string): JsonOut {
  const self = `${REVISIONS_PATH}/${revision}`;
  return links(base, { self, doc: docLink(CHAPTER), find: `${REVISIONS_PATH}/:revision` });
}

export function revisionJson({ revision, time, actor, token, address, reason, name, changeCount }: LoggedRevision): JsonOut {
  return { revision, time, actor, token, address, reason, name, change_count: changeCount };
}

export function changedJson({ kind, id, operation }: ChangedEntity): JsonOut {
  return { resource: resourceName(kind), id, operation };
}

/** The way to the history of an entity; a singleton has no id. */
export function entityPath(kind: Kind, id: string): string {
  const own = `${ENTITIES_PATH}/${resourceName(kind)}`;
  return kind.shape === 'singleton' ? own : `${own}/${encodeURIComponent(id)}`;
}

export function differenceJson(difference: StoredDifference): JsonOut {
  return {
    differences: difference ? difference.changes.map((one) => ({ ...one })) : null,
    patch: difference ? difference.patch : null,
  };
}

export function blamedJson({ path, fieldPath, value, by }: BlamedField): JsonOut {
  const { revision = null, time = null, actor = null, token = null, reason = null } = by ?? {};
  return { path, field: fieldPath.join(', '), value, revision, time, actor, token, reason };
}

export function listJson(
  self: string,
  key: string,
  members: readonly JsonOut[],
  base: string,
  next?: string,
  others: Readonly<Record<string, string>> = {},
): JsonOut {
  return {
    _links: links(base, { self, doc: docLink(CHAPTER), ...(next !== undefined && { next }), ...others }),
    _embedded: { [key]: members },
  };
}
