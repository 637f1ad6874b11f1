// The effects of a write, before it is done: the `_plan` of a dry run.
import type { DryRunPlan, EntityName } from '../../api/change-answers.ts';
import { pluralize } from '../text/text.ts';
import { ChangedEntities, EntityLink } from './changed-entities.tsx';

export function PlanPreview({ plan: { changes, more_changes: more, affected } }: { readonly plan: DryRunPlan }) {
  if (changes.length === 0) return <p>Nothing would change: it is like this already.</p>;
  return (
    <div class="plan-preview">
      <ChangedEntities changes={changes} isPlan more={more} />
      <Affected entities={affected} />
    </div>
  );
}

/** Entities that refer to a changed entity, and do not change themselves. */
export function Affected({ entities }: { readonly entities: readonly EntityName[] }) {
  if (entities.length === 0) return null;
  return (
    <details class="affected">
      <summary>{pluralize(entities.length, 'other entity refers', 'other entities refer')} to what changes</summary>
      <ul>
        {entities.map((entity) => (
          <li key={`${entity.resource}\n${entity.id}`}>
            <EntityLink entity={entity} />
          </li>
        ))}
      </ul>
    </details>
  );
}
