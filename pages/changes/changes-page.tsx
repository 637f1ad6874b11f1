// Every change of the configuration, the newest first.
import { useState } from 'preact/hooks';
import { AdminsOnly } from '../kit/admins-only.tsx';
import { Link } from '../kit/link.tsx';
import { LazyItem } from '../kit/list/lazy-item.tsx';
import { LoadMore } from '../kit/list/load-more.tsx';
import { pageOf, useLocation } from '../kit/routing.ts';
import { useShortcuts } from '../kit/shortcuts.ts';
import { Empty, Failed, Loading } from '../kit/states.tsx';
import { RelativeTime } from '../kit/text/relative-time.tsx';
import { useTitle } from '../kit/title.ts';
import { isFiltered } from './filter.ts';
import { FilterBar, useFilter } from './filter-bar.tsx';
import { type ListedRevision, summaryOf } from './revision.ts';
import { type Revisions, useRevisions } from './use-revisions.ts';

const ROW_HEIGHT = 28;
const DRAWN_AT_ONCE = 40;

export function ChangesPage() {
  useTitle('Changes');
  return (
    <AdminsOnly title="Changes">
      <div class="page-header">
        <h1>Changes</h1>
        <span class="grow" />
        <Link href={pageOf.plan()} class="button">
          Plan changes
        </Link>
        <Link href={pageOf.configXml()} class="button">
          As XML
        </Link>
      </div>
      <FilterBar />
      <ChangeList />
    </AdminsOnly>
  );
}

function ChangeList() {
  const filter = useFilter();
  const all = useRevisions(filter);
  const { revisions, read } = all;
  const selected = useRowKeys(revisions);
  if (read.isLoading) return <Loading />;
  if (revisions.length === 0 && read.failure !== undefined) return <Failed failure={read.failure} onRetry={read.reload} />;
  return (
    <>
      <NewOnes all={all} />
      {revisions.length === 0 && !read.hasMore && <NoChanges isFiltered={isFiltered(filter)} />}
      <ol class="changes" aria-label="Changes, newest first">
        {revisions.map((revision, index) => (
          <LazyItem
            key={revision.revision}
            class="change"
            isSelected={index === selected}
            isFirst={index < DRAWN_AT_ONCE}
            height={ROW_HEIGHT}
          >
            {() => <ChangeRow revision={revision} />}
          </LazyItem>
        ))}
      </ol>
      <LoadMore {...read} />
    </>
  );
}

/** Stays in sight: a list that is read does not move by itself. */
function NewOnes({ all: { waiting, read } }: { readonly all: Revisions }) {
  const show = (): void => {
    read.reload();
    scrollTo(0, 0);
  };
  return (
    <div class="changes-new" role="status">
      {waiting > 0 && (
        <button type="button" class="button is-small" onClick={show}>
          {waiting} new
        </button>
      )}
    </div>
  );
}

function ChangeRow({ revision: one }: { readonly revision: ListedRevision }) {
  const { revision, time, actor, name, reason } = one;
  return (
    <>
      <Link href={pageOf.change(revision)} class="change-number" aria-label={`Revision ${revision}`}>
        {revision}
      </Link>
      <span class="quiet">
        <RelativeTime at={time} />
      </span>
      <span class="change-actor">{actor}</span>
      <span class="change-what">
        {name !== null && <span class="badge">{name}</span>} {reason} <span class="quiet">{summaryOf(one)}</span>
      </span>
    </>
  );
}

function NoChanges({ isFiltered: isNarrowed }: { readonly isFiltered: boolean }) {
  const [, navigate] = useLocation();
  if (!isNarrowed) return <Empty text="Nothing was changed yet." />;
  return (
    <Empty text="No change matches what you chose above.">
      <button type="button" class="button" onClick={() => navigate(pageOf.changes())}>
        All changes
      </button>
    </Empty>
  );
}

/** The row that the keyboard has chosen. */
function useRowKeys(revisions: readonly ListedRevision[]): number | undefined {
  const [, navigate] = useLocation();
  const [selected, setSelected] = useState<number>();
  const chosen = selected === undefined ? undefined : revisions[selected];
  const move = (step: 1 | -1): void => {
    const next = selected === undefined ? 0 : selected + step;
    if (revisions[next] !== undefined) setSelected(next);
  };
  useShortcuts([
    { keys: 'j', description: 'Next change', run: () => move(1) },
    { keys: 'k', description: 'Previous change', run: () => move(-1) },
    { keys: 'Enter', description: 'Open the change', run: () => chosen && navigate(pageOf.change(chosen.revision)) },
  ]);
  return chosen && selected;
}
