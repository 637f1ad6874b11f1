// Two users have changed the same entity: author, time and reason of the other changes, and every field that either changed, side by side.
import { TableHead } from '../../kit/table-head.tsx';
import { RelativeTime } from '../../kit/text/relative-time.tsx';
import { type ChangedBy, type Conflict, sidesOf } from './conflict.ts';

export function ConflictView({ conflict }: { readonly conflict: Conflict }) {
  return (
    <>
      <ChangesSince conflict={conflict} />
      <Sides conflict={conflict} />
    </>
  );
}

function ChangesSince({ conflict: { changes } }: { readonly conflict: Conflict }) {
  return (
    <ul>
      {changes.map(({ revision, actor, time, reason }) => (
        <li key={revision}>
          Revision {revision} by {actor}, <RelativeTime at={time} />
          {reason !== null && `: ${reason}`}
        </li>
      ))}
    </ul>
  );
}

/** Only what both have changed is a conflict. */
const LABELS: Readonly<Record<ChangedBy, string>> = {
  mine: 'only mine',
  theirs: 'only theirs',
  same: 'the same',
  merged: 'can be merged',
  both: 'both',
};

function Sides({ conflict }: { readonly conflict: Conflict }) {
  return (
    <div class="table-scroll">
      <table class="conflict">
        <TableHead columns={['Field', 'As it was', 'Mine', 'Theirs']} />
        <tbody>
          {sidesOf(conflict).map(({ field, base, yours, theirs, changedBy }) => (
            <tr key={field} class={changedBy === 'both' ? 'is-overlap' : undefined}>
              <th scope="row">
                {field} <span class={changedBy === 'both' ? 'badge is-warning' : 'badge'}>{LABELS[changedBy]}</span>
              </th>
              <td>{base}</td>
              <td>{yours}</td>
              <td>{theirs}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
