// Which server this is, and where to read more.
import { addressOf } from '../api/address.ts';
import { useApi } from '../api/queries.ts';
import { currentSession } from '../api/session.ts';
import { CopyButton } from '../kit/copy-button.tsx';
import { Link } from '../kit/link.tsx';
import { pageOf } from '../kit/routing.ts';
import { useTitle } from '../kit/title.ts';

interface Version {
  /** By which clients choose versions of the API. */
  readonly version: string;
  readonly git_sha: string;
}

export function AboutPage() {
  useTitle('About');
  const session = currentSession();
  const version = session?.server.version ?? '';
  const { data } = useApi<Version>('/api/version', 1);
  return (
    <>
      <h1>About this server</h1>
      <dl class="facts">
        <dt>Version</dt>
        <dd>
          Slipway {version} <CopyButton text={version} />
        </dd>
        <dt>Commit</dt>
        <dd>{data?.git_sha ?? '…'}</dd>
        <dt>Speaks the API of version</dt>
        <dd>{data?.version ?? '…'}</dd>
        {session?.is_admin && (
          <>
            <dt>Servers</dt>
            <dd>
              <Link href={pageOf.replicas()}>Who shares the database, and since when each runs</Link>
            </dd>
          </>
        )}
        <dt>Documentation</dt>
        <dd>
          <a href={addressOf('/api/docs')}>The API, chapter by chapter</a>
        </dd>
        <dt>Licence</dt>
        <dd>Apache License, Version 2.0</dd>
      </dl>
    </>
  );
}
