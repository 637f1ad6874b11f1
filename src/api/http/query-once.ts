// Refuses a query parameter that is given twice: whichever of them counted, the sender may have meant the other.
import { Refusal } from '../../kit/refusal.ts';
import type { Route } from '../engine/route.ts';

/** Parameters that are lists may be repeated. */
export function mustBeGivenOnce({ description }: Pick<Route, 'description'>, query: URLSearchParams): void {
  const seen = new Set<string>();
  for (const name of query.keys()) {
    if (seen.has(name) && description.query?.[name]?.type !== 'array')
      throw new Refusal('malformed', `The query parameter \`${name.slice(0, 100)}\` is given more than once.`);
    seen.add(name);
  }
}
