// `true` and `false` among the query parameters of a request.
import { Refusal } from '../../kit/refusal.ts';

/** False where it is not given. */
export function flagIn(query: URLSearchParams, name: string): boolean {
  const given = query.get(name);
  if (given === null || given === 'true' || given === 'false') return given === 'true';
  throw new Refusal('malformed', notFlag(given, name));
}

export function notFlag(given: string, name: string): string {
  return `Value \`${given.slice(0, 100)}\` is not allowed for query parameter named \`${name}\`. Valid values are true, false.`;
}
