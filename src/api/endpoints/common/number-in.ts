// Whole numbers among the query parameters of a request.
import { Refusal } from '../../../kit/refusal.ts';

export interface Range {
  readonly least: number;
  readonly most: number;
}

export function numberIn(query: URLSearchParams, name: string, { least, most }: Range): number | undefined {
  const given = query.get(name);
  if (given === null) return undefined;
  if (/^\d{1,16}$/.test(given) && Number(given) >= least && Number(given) <= most) return Number(given);
  throw new Refusal('malformed', notInRange(given, name, { least, most }));
}

export function notInRange(given: string, name: string, { least, most }: Range): string {
  return `Value \`${given.slice(0, 100)}\` is not allowed for query parameter named \`${name}\`. Valid values are whole numbers from ${least} to ${most}.`;
}
