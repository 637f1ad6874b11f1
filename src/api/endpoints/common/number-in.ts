// Whole numbers among the query parameters of a request.
import { Refusal } from '../../../kit/refusal.ts';
import type { ApiRequest } from '../../engine/route.ts';

export interface Range {
  readonly min: number;
  readonly max: number;
}

export const ANY_NUMBER: Range = { min: 0, max: Number.MAX_SAFE_INTEGER };

export function numberIn(query: URLSearchParams, name: string, { min, max }: Range): number | undefined {
  const given = query.get(name);
  if (given === null) return undefined;
  if (/^\d{1,16}$/.test(given) && Number(given) >= min && Number(given) <= max) return Number(given);
  throw new Refusal('malformed', notInRange(given, name, { min, max }));
}

/** A number that the request must have. */
export function neededNumber({ query }: Pick<ApiRequest, 'query'>, name: string): number {
  const given = numberIn(query, name, ANY_NUMBER);
  if (given === undefined) throw new Refusal('malformed', `The query parameter \`${name}\` is missing.`);
  return given;
}

export function notInRange(given: string, name: string, { min, max }: Range): string {
  return `Value \`${given.slice(0, 100)}\` is not allowed for query parameter named \`${name}\`. Valid values are whole numbers from ${min} to ${max}.`;
}
