// Two users have changed the same entity: author, time and reason of the other changes, and every field that either changed, side by side.
import { TableHead } from '../../kit/table-head.tsx';
import { RelativeTime } from '../../kit/text/relative-time.tsx';
import { type Conflict, pathText, sidesOf } from './conflict.ts';

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

function Sides({ conflict }: { readonly conflict: Conflict }) {
  return (
    <div class="table-scroll">
      <table class="conflict">
        <TableHead columns={['Field', 'As it was', 'Mine', 'Theirs']} />
        <tbody>
          {sidesOf(conflict).map(({ path, base, yours, theirs, isOverlap }) => (
            <tr key={path} class={isOverlap ? 'is-overlap' : undefined}>
              <th scope="row">
                {pathText(path)} {isOverlap && <span class="badge is-warning">both</span>}
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
