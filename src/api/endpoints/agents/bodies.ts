// Reads requests about agents, or refuses those that cannot be read.
import { type HistoryQuery, SORT_COLUMNS, SORT_ORDERS } from '../../../builds/agents/agent-jobs.ts';
import { type AgentPatch, type BulkPatch, hasChange, type ListChange } from '../../../builds/agents/change-agents.ts';
import { Refusal } from '../../../kit/refusal.ts';
import type { JsonObject } from '../../../shape/json/json.ts';
import { type JsonCursor, readObject, readText, readTexts } from '../../../shape/json/reading.ts';
import type { Problem } from '../../../shape/problems/problem.ts';
import { plainReading } from '../../engine/plain-reading.ts';

export const NO_OPERATION = 'Bad Request. No operation is specified in the request to be performed on agent.';
export const NO_OPERATIONS = 'Bad Request. No operation is specified in the request to be performed on agents.';
export const NO_UUIDS = 'Bad Request. `uuids` must name at least one agent.';
const WRONG_STATE = 'The value of `agent_config_state` can be one of `Enabled`, `Disabled` or null.';
const MAX_UUIDS = 10_000;
const WRONG_CURSOR = `The query parameter 'after', if specified, must be a positive integer.`;
const DEFAULT_PAGE = 50;
const MIN_PAGE_SIZE = 10;
const MAX_PAGE_SIZE = 100;

export function patchIn(body: JsonObject): AgentPatch {
  const hostname = memberOf(body, 'hostname', readText);
  const resources = namesIn(body, 'resources');
  const environments = namesIn(body, 'environments');
  const configState = stateIn(body);
  const patch = {
    ...(hostname !== undefined && { hostname }),
    ...(resources && { resources }),
    ...(environments && { environments }),
    ...(configState && { configState }),
  };
  if (Object.keys(patch).length === 0) throw new Refusal('malformed', NO_OPERATION);
  return patch;
}

export function bulkPatchIn(body: JsonObject): BulkPatch {
  const operations = objectIn(body, 'operations');
  const configState = stateIn(body);
  const patch = {
    resources: listChangeIn(operations, 'resources'),
    environments: listChangeIn(operations, 'environments'),
    ...(configState && { configState }),
  };
  if (!configState && !hasChange(patch.resources) && !hasChange(patch.environments)) throw new Refusal('malformed', NO_OPERATIONS);
  return patch;
}

/** Each once, in the order in which they were sent. */
export function uuidsIn(body: JsonObject): string[] {
  const uuids = [...new Set((namesIn(body, 'uuids') ?? []).map((uuid) => uuid.toLowerCase()))].filter((uuid) => uuid !== '');
  if (uuids.length === 0) throw new Refusal('malformed', NO_UUIDS);
  if (uuids.length > MAX_UUIDS) throw new Refusal('malformed', `\`uuids\` must not have more than ${MAX_UUIDS} entries.`);
  return uuids;
}

export function historyQueryIn(query: URLSearchParams): HistoryQuery {
  const pageSize = numberIn(query, 'page_size', DEFAULT_PAGE);
  if (pageSize === undefined || pageSize < MIN_PAGE_SIZE || pageSize > MAX_PAGE_SIZE)
    throw wrong('page_size', `a number between ${MIN_PAGE_SIZE} and ${MAX_PAGE_SIZE}`);
  const offset = numberIn(query, 'offset', 0);
  if (offset === undefined) throw wrong('offset', 'a number greater or equal to 0');
  const after = query.has('after') ? numberIn(query, 'after', 0) : undefined;
  if (query.has('after') && !after) throw new Refusal('malformed', WRONG_CURSOR);
  return {
    pageSize,
    offset,
    ...(after !== undefined && { after }),
    sortColumn: oneOf(query, 'sort_column', SORT_COLUMNS, 'completed'),
    sortOrder: oneOf(query, 'sort_order', SORT_ORDERS, 'desc'),
  };
}

function numberIn(query: URLSearchParams, name: string, fallback: number): number | undefined {
  const given = query.get(name);
  if (given === null) return fallback;
  return /^\d{1,15}$/.test(given) ? Number(given) : undefined;
}

function oneOf<T extends string>(query: URLSearchParams, name: string, values: readonly T[], fallback: T): T {
  const given = query.get(name)?.toLowerCase();
  if (given === undefined) return fallback;
  const found = values.find((value) => value === given);
  if (found === undefined) throw wrong(name, `one of ${values.join(', ')}`);
  return found;
}

function wrong(name: string, expected: string): Refusal {
  return new Refusal('malformed', `The query parameter '${name}', if specified must be ${expected}.`);
}

/** Undefined: it is absent or null. What cannot be read is refused in the words of all other bodies. */
function memberOf<T>(body: JsonObject, name: string, read: (cursor: JsonCursor, name: string) => T | undefined): T | undefined {
  const problems: Problem[] = [];
  const value = read({ holder: body, path: [], reading: plainReading(problems) }, name);
  if (problems[0]) throw new Refusal('invalid', problems[0].message);
  return value;
}

/** Lists are sent as such, or as a text with commas. */
function namesIn(body: JsonObject, name: string): string[] | undefined {
  const value = body[name];
  if (typeof value === 'string')
    return value
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '');
  return memberOf(body, name, readTexts)?.map((item) => item.trim());
}

function stateIn(body: JsonObject): 'Enabled' | 'Disabled' | undefined {
  const value = body.agent_config_state ?? null;
  if (value === null) return undefined;
  if (typeof value === 'string' && /^enabled$/i.test(value)) return 'Enabled';
  if (typeof value === 'string' && /^disabled$/i.test(value)) return 'Disabled';
  throw new Refusal('invalid', WRONG_STATE);
}

function listChangeIn(operations: JsonObject, name: string): ListChange {
  const change = objectIn(operations, name);
  return { add: namesIn(change, 'add') ?? [], remove: namesIn(change, 'remove') ?? [] };
}

function objectIn(body: JsonObject, name: string): JsonObject {
  return memberOf(body, name, readObject) ?? {};
}
