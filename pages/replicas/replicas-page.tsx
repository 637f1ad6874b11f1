// The servers that share one database: which are alive, which does the background work, which are behind.

import { useApi } from '../api/queries.ts';
import { AdminsOnly } from '../kit/admins-only.tsx';
import { Loaded } from '../kit/states.tsx';
import { StatusIcon } from '../kit/status.tsx';
import { TableHead } from '../kit/table-head.tsx';
import { RelativeTime } from '../kit/text/relative-time.tsx';
import { pluralize } from '../kit/text/text.ts';
import { durationText } from '../kit/text/time.ts';
import { useTitle } from '../kit/title.ts';
import { isAlone, isLate, type Replica, type ReplicaList } from './replica.ts';

const EVERY_MS = 2_000;

export function ReplicasPage() {
  useTitle('Replicas');
  return (
    <AdminsOnly title="Replicas">
      <Replicas />
    </AdminsOnly>
  );
}

function Replicas() {
  const read = useApi<ReplicaList>('/api/admin/replicas', 1, { everyMs: EVERY_MS });
  return (
    <>
      <h1>Replicas</h1>
      <Loaded read={read}>
        {({ _embedded: { replicas } }) => (
          <>
            {isAlone(replicas) && (
              <p>
                This server has a database of its own, so it is alone. Several servers can share a PostgreSQL database: if one is lost, the
                others go on.
              </p>
            )}
            <ReplicaTable replicas={replicas} />
          </>
        )}
      </Loaded>
    </>
  );
}

function ReplicaTable({ replicas }: { readonly replicas: readonly Replica[] }) {
  return (
    <div class="table-scroll">
      <table>
        <TableHead columns={['Machine', 'Address', 'Version', 'Started', 'Heard of', 'Behind']} />
        <tbody>
          {replicas.map((replica) => (
            <ReplicaRow key={replica.id} replica={replica} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function ReplicaRow({ replica }: { readonly replica: Replica }) {
  const icon = isLate(replica) ? 'failed' : 'passed';
  return (
    <tr>
      <td title={replica.id}>
        {replica.host} {replica.keeper && <span class="badge">does the background work</span>}{' '}
        {replica.this && <span class="badge">answers you</span>}
      </td>
      <td>{replica.url}</td>
      <td>{replica.version}</td>
      <td>
        <RelativeTime at={replica.started_at} />
      </td>
      <td>
        <span class={`status is-${icon}`}>
          <StatusIcon status={icon} />
          {durationText(replica.silent_ms)} ago
        </span>
      </td>
      <td>{pluralize(replica.lag, 'write')}</td>
    </tr>
  );
}
