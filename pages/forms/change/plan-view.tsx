// What a change would do, in words.
import { counted } from '../../kit/text/text.ts';
import type { Difference, Plan, PlannedChange } from './change.ts';

const VERBS = { create: 'is created', update: 'is changed', delete: 'is deleted' } as const;
/** More than anybody reads before a save. */
const MOST = 100;

export function PlanView({ plan: { changes, more_changes: more = 0, affected } }: { readonly plan: Plan }) {
  if (changes.length === 0) return <p>Nothing would change.</p>;
  return (
    <div class="plan">
      <ul class="plan-changes">
        {changes.slice(0, MOST).map((change) => (
          <Planned key={`${change.resource} ${change.id}`} change={change} />
        ))}
      </ul>
      {changes.length + more > MOST && <p class="quiet">… and {counted(changes.length + more - MOST, 'more change')}.</p>}
      {affected.length > 0 && (
        <details>
          <summary>{counted(affected.length, 'other', 'others')} would be affected</summary>
          <p>
            {affected
              .slice(0, MOST)
              .map(({ resource, id }) => `${nameOf(resource)} ${id}`)
              .join(', ')}
          </p>
        </details>
      )}
    </div>
  );
}

function Planned({ change: { resource, id, operation, differences, is_hidden: isHidden } }: { readonly change: PlannedChange }) {
  return (
    <li>
      <strong>
        {nameOf(resource)} {id}
      </strong>{' '}
      {VERBS[operation]}
      {isHidden && <span class="quiet"> You may not see how.</span>}
      {operation === 'update' && <Differences differences={differences} />}
    </li>
  );
}

export function Differences({ differences }: { readonly differences: readonly Difference[] }) {
  return (
    <ul>
      {differences.slice(0, MOST).map(({ path, words }) => (
        <li key={`${path} ${words}`}>{words}</li>
      ))}
      {differences.length > MOST && <li class="quiet">… and {differences.length - MOST} more.</li>}
    </ul>
  );
}

/** `pipeline_groups`: `pipeline groups`. */
function nameOf(resource: string): string {
  return resource.replaceAll('_', ' ').replace(/s$/, '');
}
