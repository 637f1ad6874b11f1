// The history of one entity: each change with its differences. Two of them can be chosen and compared.
import { useMemo } from 'preact/hooks';
import type { EntityName } from '../api/change-answers.ts';
import { useApiPages } from '../api/queries.ts';
import { OPERATION_LABELS } from '../kit/diff/change-text.ts';
import { Differences } from '../kit/diff/changed-entities.tsx';
import { Link } from '../kit/link.tsx';
import { LoadMore } from '../kit/list/load-more.tsx';
import { pageOf, useParameter } from '../kit/routing.ts';
import { Failed, Loading } from '../kit/states.tsx';
import { RelativeTime } from '../kit/text/relative-time.tsx';
import { type EntityHistory, type EntityRevision, historyAddress } from './entity.ts';
import { HISTORY_VERSION } from './revision.ts';
import { nextPage } from './use-revisions.ts';

interface EntityHistoryProps {
  readonly entity: EntityName;
  readonly onRestore: (revision: number) => void;
}

export function EntityHistoryView({ entity, onRestore }: EntityHistoryProps) {
  const read = useApiPages<EntityHistory>(historyAddress(entity, 'history'), HISTORY_VERSION, nextPage, {
    changedBy: ({ kind }) => kind === 'config',
  });
  const revisions = useMemo(() => read.pages.flatMap(({ _embedded }) => _embedded.revisions), [read.pages]);
  if (revisions.length === 0) {
    if (read.failure !== undefined) return <Failed failure={read.failure} onRetry={read.reload} />;
    return <Loading />;
  }
  return (
    <>
      <ol class="entity-history" aria-label="Changes, newest first">
        {revisions.map((revision, index) => (
          <li key={revision.revision}>
            <HistoryEntry revision={revision} isNewest={index === 0} onRestore={onRestore} />
          </li>
        ))}
      </ol>
      <LoadMore {...read} />
    </>
  );
}

interface HistoryEntryProps {
  readonly revision: EntityRevision;
  readonly isNewest: boolean;
  readonly onRestore: (revision: number) => void;
}

function HistoryEntry({ revision: one, isNewest, onRestore }: HistoryEntryProps) {
  const { revision, operation, time, actor, reason, name, differences } = one;
  // After a deletion there is nothing to restore or to compare, and the newest state is there already.
  const hasState = operation !== 'delete' && differences !== null;
  return (
    <>
      <p class="changed-entity">
        <span class={`badge is-${operation}`}>{OPERATION_LABELS[operation]}</span>{' '}
        <Link href={pageOf.change(revision)}>revision {revision}</Link> by {actor} <RelativeTime at={time} />{' '}
        {name !== null && <span class="badge">{name}</span>} {reason !== null && <span class="quiet">{reason}</span>}
        <span class="entity-actions">
          {hasState && <CompareButtons revision={revision} />}
          {hasState && !isNewest && (
            <button type="button" class="button is-small" onClick={() => onRestore(revision)}>
              Restore …
            </button>
          )}
        </span>
      </p>
      {differences === null ? <p class="quiet">What changed is not kept any more.</p> : <Differences differences={differences} />}
    </>
  );
}

/** Chooses the two states that are compared. */
function CompareButtons({ revision }: { readonly revision: number }) {
  const [from, setFrom] = useParameter('from');
  const [to, setTo] = useParameter('to');
  const choose = (value: string, set: (value: string) => void): void => set(value === String(revision) ? '' : String(revision));
  return (
    <>
      <button
        type="button"
        class="button is-small"
        aria-label={`Compare from revision ${revision}`}
        aria-pressed={from === String(revision)}
        onClick={() => choose(from, setFrom)}
      >
        From
      </button>
      <button
        type="button"
        class="button is-small"
        aria-label={`Compare to revision ${revision}`}
        aria-pressed={to === String(revision)}
        onClick={() => choose(to, setTo)}
      >
        To
      </button>
    </>
  );
}
