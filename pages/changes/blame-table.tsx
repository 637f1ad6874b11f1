// The author, time and reason of the last change of each field of an entity.

import type { EntityName } from '../api/change-answers.ts';
import { textOf } from '../api/json.ts';
import { useApi } from '../api/queries.ts';
import { Link } from '../kit/link.tsx';
import { MomentSwitch, useMoment } from '../kit/moment.tsx';
import { pageOf } from '../kit/routing.ts';
import { Loaded } from '../kit/states.tsx';
import { TableHead } from '../kit/table-head.tsx';
import { RelativeTime } from '../kit/text/relative-time.tsx';
import { type Blame, type BlamedField, historyAddress } from './entity.ts';
import { HISTORY_VERSION } from './revision.ts';

export function BlameTable({ entity }: { readonly entity: EntityName }) {
  const { addressOf } = useMoment();
  const read = useApi<Blame>(addressOf(historyAddress(entity, 'blame')), HISTORY_VERSION, { changedBy: ({ kind }) => kind === 'config' });
  return (
    <>
      <MomentSwitch />
      <Loaded read={read}>
        {({ _embedded: { fields } }) => (
          <div class="table-scroll">
            <table class="blame">
              <TableHead columns={['Field', 'Value', 'Set by', 'Revision', 'Why']} />
              <tbody>
                {fields.map((field) => (
                  <BlameRow key={field.path} field={field} />
                ))}
              </tbody>
            </table>
          </div>
        )}
      </Loaded>
    </>
  );
}

function BlameRow({ field: { path, field, value, revision, time, actor, reason } }: { readonly field: BlamedField }) {
  return (
    <tr>
      <td title={path}>{field}</td>
      <td>
        <code>{textOf(value)}</code>
      </td>
      <td>{actor ?? <span class="quiet">not known any more</span>}</td>
      <td>
        {revision !== null && (
          <>
            <Link href={pageOf.change(revision)}>{revision}</Link>{' '}
            <span class="quiet">
              <RelativeTime at={time} />
            </span>
          </>
        )}
      </td>
      <td>{reason}</td>
    </tr>
  );
}
