// The revisions of the configuration, read page by page. New ones are counted, and listed when the user asks for them.
import { useMemo } from 'preact/hooks';
import { pathIn } from '../api/address.ts';
import { type Pages, useApi, useApiPages } from '../api/queries.ts';
import { addressOfList, type Filter } from './filter.ts';
import { HISTORY_VERSION, type LinkedPage, type ListedRevision, newerThan, type RevisionList } from './revision.ts';

export interface Revisions {
  readonly revisions: readonly ListedRevision[];
  /** How many newer revisions wait. */
  readonly waiting: number;
  readonly read: Pages<RevisionList>;
}

export function nextPage({ _links: { next } }: LinkedPage): string | undefined {
  return next && pathIn(next.href);
}

export function useRevisions(filter: Filter): Revisions {
  const address = addressOfList(filter);
  const read = useApiPages<RevisionList>(address, HISTORY_VERSION, nextPage);
  const newest = useApi<RevisionList>(address, HISTORY_VERSION, { changedBy: ({ kind }) => kind === 'config' });
  const revisions = useMemo(() => read.pages.flatMap(({ _embedded }) => _embedded.revisions), [read.pages]);
  const waiting = read.isLoading ? 0 : newerThan(revisions[0]?.revision, newest.data?._embedded.revisions ?? []);
  return { revisions, waiting, read };
}
