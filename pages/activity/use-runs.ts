// The runs of a pipeline, read page by page and kept up to date.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { path, pathIn } from '../api/address.ts';
import type { Notice } from '../api/live/live.ts';
import { type Pages, useApiPages } from '../api/queries.ts';
import type { HistoryPage } from './run.ts';
import { nextList, type RunList } from './run-list.ts';

const VERSION = 1;
const PAGE_SIZE = 20;
/** Up to this far from the top, the list counts as scrolled to the top. */
const TOP_PX = 24;

/** Whether a notice is about this pipeline. */
export function isNoticeAbout(pipeline: string): (notice: Notice) => boolean {
  const key = pipeline.toLowerCase();
  return ({ kind, name }) => kind === 'pipeline' && name?.toLowerCase() === key;
}

export interface Runs extends RunList {
  readonly read: Pages<HistoryPage>;
}

export function useRuns(pipeline: string): Runs {
  const read = useApiPages<HistoryPage>(
    `${path`/api/pipelines/${pipeline}/history`}?page_size=${PAGE_SIZE}`,
    VERSION,
    ({ _links: { next } }) => next && pathIn(next.href),
    { changedBy: isNoticeAbout(pipeline) },
  );
  const fresh = useMemo(() => read.pages.flatMap(({ pipelines }) => pipelines), [read.pages]);
  const listed = useRef<RunList['runs']>([]);
  const isAtTop = useIsAtTop();
  const list = useMemo(() => nextList(listed.current, fresh, !isAtTop), [fresh, isAtTop]);
  listed.current = list.runs;
  return { ...list, read };
}

function useIsAtTop(): boolean {
  const [isAtTop, setIsAtTop] = useState(scrollY < TOP_PX);
  useEffect(() => {
    const updateIsAtTop = (): void => setIsAtTop(scrollY < TOP_PX);
    updateIsAtTop();
    addEventListener('scroll', updateIsAtTop, { passive: true });
    return () => removeEventListener('scroll', updateIsAtTop);
  }, []);
  return isAtTop;
}
