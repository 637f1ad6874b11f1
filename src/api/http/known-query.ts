// Refuses query parameters that a route does not have: of a list, a misspelt filter would show everything.

import { Refusal } from '../../kit/refusal.ts';
import { closest } from '../../kit/text/closest.ts';
import type { RouteDescription } from '../engine/route.ts';

export function mustBeKnown(query: URLSearchParams, { query: described = {} }: Pick<RouteDescription, 'query'>): void {
  for (const name of query.keys()) if (!Object.hasOwn(described, name)) throw unknownParameter(name, Object.keys(described));
}

function unknownParameter(name: string, known: readonly string[]): Refusal {
  const meant = closest(name, known);
  const hint = meant === undefined ? '' : ` Did you mean \`${meant}\`?`;
  const list = known.length === 0 ? '' : ` Known are ${known.join(', ')}.`;
  return new Refusal('malformed', `There is no query parameter \`${name.slice(0, 100)}\` here.${hint}${list}`);
}
