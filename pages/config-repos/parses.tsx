// The last attempts to take a revision, the newest open.
import { useEffect } from 'preact/hooks';
import { path, pathIn } from '../api/address.ts';
import { useApiPages } from '../api/queries.ts';
import { Failed, Loading } from '../kit/states.tsx';
import { StatusIcon } from '../kit/status.tsx';
import { RelativeTime } from '../kit/text/relative-time.tsx';
import { pluralize, shortRevision } from '../kit/text/text.ts';
import { durationText } from '../kit/text/time.ts';
import { OUTCOMES, PARSES_VERSION, type Parse, type ParsesAnswer } from './config-repo.ts';
import { Mistakes } from './mistakes.tsx';

interface ParsesProps {
  readonly id: string;
  readonly isUpdating: boolean;
  readonly mayChange: boolean;
}

export function Parses({ id, isUpdating, mayChange }: ParsesProps) {
  const { pages, failure, isLoading, hasMore, isLoadingMore, loadMore, reload } = useApiPages<ParsesAnswer>(
    path`/api/admin/config_repos/${id}/parses`,
    PARSES_VERSION,
    nextOf,
    { changedBy: ({ kind }) => kind === 'config' || kind === 'material' || kind === 'health' },
  );
  // The result of an update is read when the update ends.
  useEffect(() => {
    if (!isUpdating) reload();
  }, [isUpdating]);
  const parses = pages.flatMap(({ _embedded }) => _embedded.parses);
  return (
    <section aria-label="Attempts">
      <h2>Attempts</h2>
      {failure !== undefined && <Failed failure={failure} onRetry={reload} />}
      {isLoading && <Loading />}
      {!isLoading && failure === undefined && parses.length === 0 && <p class="quiet">It has not been read yet.</p>}
      <ol class="parses">
        {parses.map((parse, index) => (
          <li key={parse.id}>
            <Attempt parse={parse} isOpen={index === 0} changeableRepo={mayChange ? id : undefined} />
          </li>
        ))}
      </ol>
      {hasMore && (
        <button type="button" class="button" disabled={isLoadingMore} onClick={loadMore}>
          Older attempts
        </button>
      )}
    </section>
  );
}

function nextOf({ _links: { next } }: ParsesAnswer): string | undefined {
  return next === undefined ? undefined : pathIn(next.href);
}

interface AttemptProps {
  readonly parse: Parse;
  readonly isOpen: boolean;
  readonly changeableRepo: string | undefined;
}

function Attempt({ parse, isOpen, changeableRepo }: AttemptProps) {
  const { outcome, revision, time, files_matched: matched, files_parsed: parsed, duration_ms: took, errors, warnings } = parse;
  const { icon, word } = OUTCOMES[outcome];
  return (
    <details open={isOpen}>
      <summary>
        <span class={`status is-${icon}`}>
          <StatusIcon status={icon} /> {word}
        </span>{' '}
        {revision !== null && <code title={revision}>{shortRevision(revision)}</code>} <RelativeTime at={time} />{' '}
        {errors.length > 0 && <span class="badge is-failed">{pluralize(errors.length, 'error')}</span>}{' '}
        {warnings.length > 0 && <span class="badge is-warning">{pluralize(warnings.length, 'warning')}</span>}
      </summary>
      <p class="quiet">
        {pluralize(matched, 'file')}, {parsed} read anew, in {durationText(took)}.
      </p>
      <Mistakes mistakes={errors} changeableRepo={changeableRepo} />
      <Mistakes mistakes={warnings} kind="warning" />
    </details>
  );
}
