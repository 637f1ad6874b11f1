// Reads the query of a request about the history.
import type { Config } from '../../../config/current.ts';
import { timeOf } from '../../../history/at.ts';
import { Refusal } from '../../../kit/refusal.ts';
import { type Kind, keyOf, resourceName } from '../../../shape/resource.ts';
import type { EntityName, RevisionFilter } from '../../../store/revisions/revision-log.ts';
import type { ApiRequest } from '../../engine/route.ts';

type Query = ApiRequest['query'];

export const DEFAULT_PAGE = 50;
export const MAX_PAGE_SIZE = 500;
const MAX_NUMBER = Number.MAX_SAFE_INTEGER;

export function filterIn(query: Query, config: Config): RevisionFilter {
  const kinds = [...config.kinds.values()];
  const kind = kindIn(query, kinds);
  const id = textIn(query, 'id');
  return {
    actor: textIn(query, 'actor'),
    token: numberIn(query, 'token'),
    kind: kind?.name,
    entities: id === undefined ? undefined : entitiesCalled(id, kind ? [kind] : kinds, config),
    since: timeIn(query, 'since'),
    until: timeIn(query, 'until'),
  };
}

/** Of each kind the one that is called so, whether it is there or not. */
function entitiesCalled(id: string, kinds: readonly Kind[], config: Config): EntityName[] {
  return kinds
    .filter(({ shape }) => shape === 'collection')
    .map((kind) => ({ kind: kind.name, key: keyOf(kind, config.of(kind.name).idAt(id)) }));
}

export interface PageRequest {
  readonly size: number;
  readonly cursor: number | undefined;
}

export function pageIn(query: Query, minCursor = 1): PageRequest {
  return { size: numberIn(query, 'page_size', 1, MAX_PAGE_SIZE) ?? DEFAULT_PAGE, cursor: numberIn(query, 'cursor', minCursor) };
}

/** The address of the page that follows. */
export function nextAddress(path: string, query: Query, cursor: number): string {
  const next = new URLSearchParams(query);
  next.set('cursor', String(cursor));
  return `${path}?${next}`;
}

/** A parameter without a value is none. */
export function textIn(query: Query, name: string): string | undefined {
  return query.get(name) || undefined;
}

function kindIn(query: Query, kinds: readonly Kind[]): Kind | undefined {
  const given = textIn(query, 'resource');
  if (given === undefined) return undefined;
  const found = kinds.find((kind) => resourceName(kind) === given);
  if (!found) throw notAllowed('resource', given, kinds.map(resourceName).sort().join(', '));
  return found;
}

function timeIn(query: Query, name: string): string | undefined {
  const given = textIn(query, name);
  const time = given && timeOf(given);
  if (given && !time) throw notAllowed(name, given, 'times such as 2026-01-31 or 2026-01-31T09:30:00Z');
  return time || undefined;
}

function numberIn(query: Query, name: string, min = 1, max = MAX_NUMBER): number | undefined {
  const given = textIn(query, name);
  if (given === undefined) return undefined;
  if (/^\d{1,16}$/.test(given) && Number(given) >= min && Number(given) <= max) return Number(given);
  throw notAllowed(name, given, `whole numbers from ${min} to ${max}`);
}

function notAllowed(name: string, given: string, valid: string): Refusal {
  return new Refusal(
    'malformed',
    `Value \`${given.slice(0, 100)}\` is not allowed for query parameter named \`${name}\`. Valid values are ${valid}.`,
  );
}
