// One revision: its author, reason and differences. It can be named and reverted.
import { useMemo, useState } from 'preact/hooks';
import { path } from '../api/address.ts';
import { useApi, useApiPages } from '../api/queries.ts';
import { AdminsOnly } from '../kit/admins-only.tsx';
import { Breadcrumb } from '../kit/breadcrumb.tsx';
import { ChangedEntities } from '../kit/diff/changed-entities.tsx';
import { Fact, Facts } from '../kit/facts.tsx';
import { Link } from '../kit/link.tsx';
import { LoadMore } from '../kit/list/load-more.tsx';
import type { PageProps } from '../kit/page-props.ts';
import { pageOf } from '../kit/routing.ts';
import { Failed, Loading } from '../kit/states.tsx';
import { RelativeTime } from '../kit/text/relative-time.tsx';
import { dateTimeText } from '../kit/text/time.ts';
import { useTitle } from '../kit/title.ts';
import { NameDialog } from './name-dialog.tsx';
import { RevertDialog } from './revert-dialog.tsx';
import { HISTORY_VERSION, REVISIONS_ADDRESS, type RevisionDetails, type RevisionFacts, type RevisionList } from './revision.ts';
import { nextPage } from './use-revisions.ts';

type Parameters = { readonly [name: string]: string; readonly revision: string };

export function RevisionPage({ params: { revision } }: PageProps<Parameters>) {
  useTitle(`Revision ${revision}`);
  return (
    <AdminsOnly title={`Revision ${revision}`}>
      <Breadcrumb crumbs={[{ label: 'Changes', href: pageOf.changes() }]} />
      <RevisionView key={revision} revision={revision} />
    </AdminsOnly>
  );
}

function RevisionView({ revision }: { readonly revision: string }) {
  const read = useApiPages<RevisionDetails>(REVISIONS_ADDRESS + path`/${revision}`, HISTORY_VERSION, nextPage);
  const changes = useMemo(() => read.pages.flatMap((page) => page.changes), [read.pages]);
  const [facts] = read.pages;
  if (facts === undefined) return read.failure === undefined ? <Loading /> : <Failed failure={read.failure} onRetry={read.reload} />;
  return (
    <>
      <RevisionHeader facts={facts} />
      <RevisionFactsView facts={facts} />
      <h2>What it changed</h2>
      <ChangedEntities changes={changes} />
      <LoadMore {...read} />
    </>
  );
}

function RevisionHeader({ facts: { revision, name } }: { readonly facts: RevisionFacts }) {
  const [open, setOpen] = useState<'name' | 'revert'>();
  const newest = useNewest();
  const close = (): void => setOpen(undefined);
  return (
    <div class="page-header">
      <h1>Revision {revision}</h1>
      {name !== null && <span class="badge">{name}</span>}
      <span class="grow" />
      {revision > 1 && <Link href={pageOf.change(revision - 1)}>← {revision - 1}</Link>}
      {revision < newest && <Link href={pageOf.change(revision + 1)}>{revision + 1} →</Link>}
      <button type="button" class="button" onClick={() => setOpen('name')}>
        {name === null ? 'Name it …' : 'Rename it …'}
      </button>
      <button type="button" class="button" onClick={() => setOpen('revert')}>
        Revert …
      </button>
      {open === 'name' && <NameDialog revision={revision} name={name} onClose={close} />}
      {open === 'revert' && (
        <RevertDialog
          title={`Revert revision ${revision}`}
          action="Revert"
          defaultReason={`Revert of revision ${revision}`}
          address={`${REVISIONS_ADDRESS}/${revision}/revert`}
          body={{}}
          onClose={close}
        />
      )}
    </div>
  );
}

/** The number of the last revision that there is. */
function useNewest(): number {
  const { data } = useApi<RevisionList>(`${REVISIONS_ADDRESS}?page_size=1`, HISTORY_VERSION, {
    changedBy: ({ kind }) => kind === 'config',
  });
  return data?._embedded.revisions[0]?.revision ?? 0;
}

function RevisionFactsView({ facts: { time, actor, token, address, reason, change_count: count } }: { readonly facts: RevisionFacts }) {
  return (
    <Facts>
      <Fact name="When">
        {dateTimeText(Date.parse(time))} (<RelativeTime at={time} />)
      </Fact>
      <Fact name="By">
        <Link href={`${pageOf.changes()}?${new URLSearchParams({ actor })}`}>{actor}</Link>
      </Fact>
      <Fact name="Reason">{reason ?? <span class="quiet">none was given</span>}</Fact>
      {token !== null && <Fact name="Access token">{token}</Fact>}
      {address !== null && <Fact name="From address">{address}</Fact>}
      <Fact name="Entities">{count}</Fact>
    </Facts>
  );
}
