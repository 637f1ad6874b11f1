// Which events a client wants: by type, by actor, and by subject. Each may be a pattern with `*` and `?`.
import { matchesWildcard } from '../kit/text/wildcard.ts';
import type { EventContent } from './stored-event.ts';

/** Of each list one must fit; an empty list leaves everything through. */
export interface EventFilter {
  readonly types: readonly string[];
  readonly actors: readonly string[];
  readonly resources: readonly string[];
  readonly ids: readonly string[];
}

export type EventMatcher = (event: { readonly content: EventContent }) => boolean;

/** Undefined: all events are wanted, so none has to be checked. */
export function matcherOf({ types, actors, resources, ids }: EventFilter): EventMatcher | undefined {
  if (types.length + actors.length + resources.length + ids.length === 0) return undefined;
  return ({ content }) =>
    fits(types, content.type) &&
    (actors.length === 0 || (content.actor !== null && fits(actors, content.actor))) &&
    (resources.length + ids.length === 0 || isAbout(content, resources, ids));
}

/** One subject of the event has to match both filters. A subject that a large change does not list might be the wanted one. */
function isAbout({ about, data }: EventContent, resources: readonly string[], ids: readonly string[]): boolean {
  if (about.some(({ resource, id }) => fits(resources, resource) && fits(ids, id))) return true;
  return Object.entries(unlisted(about, data)).some(([resource, count]) => count > 0 && fits(resources, resource));
}

function unlisted(about: EventContent['about'], { touched }: EventContent['data']): Record<string, number> {
  const counts = { ...(touched as Readonly<Record<string, number>> | undefined) };
  for (const { resource } of about) if (resource in counts) counts[resource]!--;
  return counts;
}

function fits(patterns: readonly string[], text: string): boolean {
  return patterns.length === 0 || patterns.some((pattern) => matchesWildcard(pattern, text));
}
