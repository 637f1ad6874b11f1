// Refuses filters of webhooks that name resources no event is about: such a webhook would wait for ever, and its user would not know why.
import { type Edit, isEditOf } from '../../../config/edit.ts';
import type { Entry } from '../../../config/entry.ts';
import { closest } from '../../../kit/text/closest.ts';
import { matchesWildcard } from '../../../kit/text/wildcard.ts';
import type { EntityNamed } from '../../../shape/configuration.ts';
import { OTHER_SUBJECTS } from '../../../shape/event-types.ts';
import type { Problem } from '../../../shape/problems/problem.ts';
import { type Kind, resourceName } from '../../../shape/resource.ts';

/** A stored resource may stay, even if it does not exist any more. */
export function knowsFilteredResources(kinds: Iterable<Kind>): (edit: Edit) => readonly Problem[] {
  const known = [...new Set([...Array.from(kinds, resourceName), ...OTHER_SUBJECTS])].sort();
  return (edit) => {
    if (!isEditOf('outgoingWebhooks', edit) || !edit.after) return [];
    const stored = resourcesIn(edit.before);
    const unknown = resourcesIn(edit.after).find(
      (pattern) => !stored.includes(pattern) && !known.some((resource) => matchesWildcard(pattern, resource)),
    );
    return unknown === undefined ? [] : [{ at: ['filter', 'resources'], message: noSuchResource(unknown, known) }];
  };
}

function resourcesIn(webhook: Entry<EntityNamed<'outgoingWebhooks'>> | undefined): readonly string[] {
  return webhook?.value.filter.resources ?? [];
}

function noSuchResource(pattern: string, known: readonly string[]): string {
  const meant = closest(pattern, known);
  const hint = meant === undefined ? '' : ` Did you mean '${meant}'?`;
  return `No event is about '${pattern.slice(0, 100)}'.${hint} Known are ${known.join(', ')}.`;
}
