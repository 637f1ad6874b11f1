// The end of a list that is read page by page: the next page comes when it is scrolled into sight, or by the button.
import { useEffect, useRef } from 'preact/hooks';
import type { Pages } from '../../api/queries.ts';

/** So far below the window the next page begins to be read. */
const MARGIN = '600px 0px';

type LoadMoreProps = Pick<Pages<unknown>, 'pages' | 'hasMore' | 'isLoadingMore' | 'loadMore' | 'failure' | 'reload'>;

export function LoadMore({ pages, hasMore, isLoadingMore, loadMore, failure, reload }: LoadMoreProps) {
  const sentinel = useRef<HTMLParagraphElement>(null);
  const isWaiting = hasMore && !isLoadingMore && failure === undefined;
  useEffect(() => {
    if (!isWaiting || sentinel.current === null) return undefined;
    // A new observer for each page: if the end is still visible after a page has come, the observer reports it again.
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) loadMore();
      },
      { rootMargin: MARGIN },
    );
    observer.observe(sentinel.current);
    return () => observer.disconnect();
  }, [isWaiting, pages.length]);
  if (!hasMore && failure === undefined) return null;
  return (
    <p ref={sentinel}>
      {failure !== undefined && (
        <span class="refusal" role="alert">
          {failure.message}
        </span>
      )}{' '}
      <button type="button" class="button is-small" disabled={isLoadingMore} onClick={failure === undefined ? loadMore : reload}>
        {isLoadingMore ? 'Loading …' : failure === undefined ? 'Load more' : 'Try again'}
      </button>
    </p>
  );
}
