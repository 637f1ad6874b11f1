// Two people have changed the same thing: who, what each has done, and what both have touched.
import { When } from '../../kit/text/when.tsx';
import type { Conflict } from './change.ts';
import { Differences } from './plan-view.tsx';

export function ConflictView({ conflict, message }: { readonly conflict: Conflict; readonly message: string }) {
  const { changes, yours, theirs = [], overlaps = [], can_be_merged: canBeMerged } = conflict;
  return (
    <>
      <p class="refusal" role="alert">
        {message}
      </p>
      <ul>
        {changes.map(({ revision, actor, time, reason }) => (
          <li key={revision}>
            <strong>{actor}</strong> changed it <When at={time} />
            {reason === null ? '' : `: ${reason}`}
          </li>
        ))}
      </ul>
      <div class="conflict-sides">
        <section>
          <h3>Theirs</h3>
          <Differences differences={theirs} />
        </section>
        <section>
          <h3>Mine</h3>
          <Differences differences={yours} />
        </section>
      </div>
      {overlaps.length > 0 && (
        <table>
          <caption>Both have changed</caption>
          <thead>
            <tr>
              <th scope="col">Field</th>
              <th scope="col">Before</th>
              <th scope="col">Theirs</th>
              <th scope="col">Mine</th>
            </tr>
          </thead>
          <tbody>
            {overlaps.map((overlap) => (
              <tr key={overlap.path}>
                <th scope="row">{overlap.path}</th>
                <td>{valueText(overlap.base)}</td>
                <td>{valueText(overlap.theirs)}</td>
                <td>{valueText(overlap.yours)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <p>
        {canBeMerged === true
          ? 'Nothing overlaps: both can be kept.'
          : 'What both have changed cannot be merged. Take theirs, and change it again; or cancel, and change yours.'}
      </p>
    </>
  );
}

function valueText(value: unknown): string {
  if (value === undefined) return '–';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
