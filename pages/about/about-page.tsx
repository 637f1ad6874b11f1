// Which server this is, and where to read more.
import { addressOf } from '../api/address.ts';
import { useApi } from '../api/queries.ts';
import { currentSession } from '../api/session.ts';
import { CopyButton } from '../kit/copy-button.tsx';
import { Fact, Facts } from '../kit/facts.tsx';
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
      <Facts>
        <Fact name="Version">
          Slipway {version} <CopyButton text={version} />
        </Fact>
        <Fact name="Commit">{data?.git_sha ?? '…'}</Fact>
        <Fact name="Speaks the API of version">{data?.version ?? '…'}</Fact>
        {session?.is_admin && (
          <Fact name="Servers">
            <Link href={pageOf.replicas()}>Who shares the database, and since when each runs</Link>
          </Fact>
        )}
        <Fact name="Documentation">
          <a href={addressOf('/api/docs')}>The API, chapter by chapter</a>
        </Fact>
        <Fact name="Licence">Apache License, Version 2.0</Fact>
      </Facts>
      {session?.is_admin && <SupportBundle />}
    </>
  );
}

function SupportBundle() {
  return (
    <section aria-label="Support bundle">
      <h2>When you ask for help</h2>
      <p>
        A support bundle has versions, settings, figures, health messages and the last lines of the log, and no secrets. Look into it before
        you send it.
      </p>
      <a class="button" href={addressOf('/api/admin/support_bundle')} download>
        Download a support bundle
      </a>
    </section>
  );
}
