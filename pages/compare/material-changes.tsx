// The changes of one material: the newest first, a page at a time.
import { useState } from 'preact/hooks';
import { useApiPages } from '../api/queries.ts';
import { LazyItem } from '../kit/list/lazy-item.tsx';
import { Comment, Revision } from '../kit/revision.tsx';
import { RelativeTime } from '../kit/text/relative-time.tsx';
import { authorName, pluralize } from '../kit/text/text.ts';
import { type ChangeList, type Comparison, type MaterialChanges, offsetAfter, type Row, rowOf } from './comparison.ts';

const VERSION = 2;
const PAGE_SIZE = 100;
const ROW_HEIGHT = 28;
const DRAWN_AT_ONCE = 20;

interface MaterialChangesProps {
  /** Of the comparison, without a query. */
  readonly address: string;
  readonly list: ChangeList;
  readonly isTakenAway: boolean;
  readonly changes: MaterialChanges;
}

export function MaterialChangesView({ address, list, isTakenAway, changes }: MaterialChangesProps) {
  const { material, total } = changes;
  const { fingerprint, attributes } = material;
  const { rows, more } = useRows(address, list, changes);
  return (
    <section class="compare-material">
      <h2 title={attributes.description}>
        {attributes.name ?? attributes.description} <span class="quiet">{attributes.display_type}</span>{' '}
        <span class="badge">
          {pluralize(total, 'change')}
          {isTakenAway && ' taken away'}
        </span>
      </h2>
      {attributes.name !== null && <p class="quiet">{attributes.description}</p>}
      <ol class="modifications">
        {rows.map((row, index) => (
          <LazyItem key={row.revision} isFirst={index < DRAWN_AT_ONCE} height={ROW_HEIGHT}>
            {() => <ModificationRow fingerprint={fingerprint} row={row} />}
          </LazyItem>
        ))}
      </ol>
      {more}
    </section>
  );
}

function ModificationRow({ fingerprint, row }: { readonly fingerprint: string; readonly row: Row }) {
  const { revision, label, isRun, author, at, message } = row;
  return (
    <>
      <Revision fingerprint={fingerprint} revision={revision} isRun={isRun} />
      <span class="quiet">{isRun ? `label ${label}` : authorName(author)}</span>
      <span class="quiet">
        <RelativeTime at={at} />
      </span>
      {isRun ? <span class="quiet">passed</span> : <Comment text={message} />}
    </>
  );
}

/** The changes that came with the comparison, then the pages that the user asks for. */
function useRows(address: string, list: ChangeList, changes: MaterialChanges) {
  const [isAsked, setIsAsked] = useState(false);
  const { fingerprint } = changes.material;
  const pageAt = (offset: number): string =>
    `${address}?fingerprint=${encodeURIComponent(fingerprint)}&offset=${offset}&page_size=${PAGE_SIZE}`;
  const next = offsetAfter(changes);
  const read = useApiPages<Comparison>(
    pageAt(next ?? 0),
    VERSION,
    ({ [list]: [page] }) => {
      const offset = page && offsetAfter(page);
      // A page without any would be asked for again and again.
      return offset === undefined || page?.revision.length === 0 ? undefined : pageAt(offset);
    },
    { isEnabled: isAsked && next !== undefined },
  );
  const later = isAsked ? read.pages.flatMap((page) => page[list][0]?.revision ?? []) : [];
  const rows = [...changes.revision, ...later].map(rowOf);
  const hasMore = next !== undefined && (!isAsked || read.hasMore || read.failure !== undefined);
  const isBusy = isAsked && (read.isLoading || read.isLoadingMore);
  const ask = (): void => {
    if (!isAsked) setIsAsked(true);
    else if (read.failure !== undefined) read.reload();
    else read.loadMore();
  };
  const more = (hasMore || isBusy) && (
    <p class="quiet">
      {read.failure !== undefined && isAsked && <span role="alert">{read.failure.message} </span>}
      <button type="button" class="button is-small" disabled={isBusy} onClick={ask}>
        {isBusy ? 'Loading …' : 'Load more'}
      </button>{' '}
      {rows.length} of {changes.total} shown
    </p>
  );
  return { rows, more };
}
