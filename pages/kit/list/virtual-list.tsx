// A list of any length of which only the rows in sight are in the document. All rows have the same height; one may be open.
import type { ComponentChildren, RefObject } from 'preact';
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { heightOfList, type Measures, topOfRow, windowOnto } from './list-window.ts';

const ROW_HEIGHT = 28;
/** Rows that the header and a toolbar take away from a window, at least. */
const ROWS_ABOVE = 3;

export interface VirtualListProps<T> {
  readonly items: readonly T[];
  /**
   * By which a row is the same as before. By its place, a search draws other words into the rows that are there, which takes half as long;
   * the focused element must then not move by itself.
   */
  readonly keyOf: (item: T, index: number) => string | number;
  readonly row: (item: T, index: number) => ComponentChildren;
  readonly label: string;
  /** The item that must be in sight. */
  readonly selected?: number;
  /** Below which row more is shown, of any height. */
  readonly open?: { readonly index: number; readonly content: ComponentChildren };
}

/** Scrolls with the window. The height of a row is the custom property `--row`. */
export function VirtualList<T>({ items, keyOf, row, label, selected, open }: VirtualListProps<T>) {
  const list = useRef<HTMLDivElement>(null);
  const [content, openHeight] = useHeight(open?.index);
  const { first, last, measures } = useWindowOnto(list, items.length, open && { index: open.index, height: openHeight });
  useKeptInSight(list, selected, measures);
  const shown = items.slice(first, last);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a <ul> would have to hold spacers that are no items
    <div ref={list} class="virtual-list" role="list" aria-label={label} style={{ height: `${heightOfList(measures)}px` }}>
      <div class="virtual-rows" style={{ transform: `translateY(${topOfRow(first, measures)}px)` }}>
        {shown.map((item, at) => (
          // biome-ignore lint/a11y/useSemanticElements: see above
          <div
            key={keyOf(item, first + at)}
            role="listitem"
            class="virtual-item"
            aria-setsize={items.length}
            aria-posinset={first + at + 1}
          >
            <div class="virtual-row">{row(item, first + at)}</div>
            {open?.index === first + at && <div ref={content}>{open.content}</div>}
          </div>
        ))}
      </div>
    </div>
  );
}

/** The height of the open content, also while it is out of sight and not in the document. */
function useHeight(index: number | undefined): [(element: HTMLElement | null) => void, number] {
  const [known, setKnown] = useState({ index, height: 0 });
  const observer = useRef<ResizeObserver>();
  // The function stays the same while the same row is open: Preact would call another function with the same element again.
  const watch = useCallback(
    (element: HTMLElement | null): void => {
      observer.current?.disconnect();
      if (element === null) return;
      observer.current = new ResizeObserver(() => setKnown({ index, height: element.offsetHeight }));
      observer.current.observe(element);
    },
    [index],
  );
  useEffect(() => () => observer.current?.disconnect(), []);
  return [watch, known.index === index ? known.height : 0];
}

function useWindowOnto(list: RefObject<HTMLDivElement>, count: number, open: Measures['open']) {
  // A good first guess saves a second drawing. Spare rows are drawn when the others are seen.
  const [visibleRows, setVisibleRows] = useState(() => {
    const height = rowHeight();
    return { ...windowOnto({ count, row: height, open }, { top: 0, bottom: innerHeight - ROWS_ABOVE * height }, 0), height };
  });
  const isNew = useRef(true);
  useLayoutEffect(() => {
    const measure = (): void => {
      if (list.current === null) return;
      const height = rowHeight();
      const top = list.current.getBoundingClientRect().top;
      const { first, last } = windowOnto({ count, row: height, open }, { top: -top, bottom: innerHeight - top });
      setVisibleRows((before) =>
        before.first === first && before.last === last && before.height === height ? before : { first, last, height },
      );
    };
    let timer: ReturnType<typeof setTimeout> | undefined;
    const measureLater = (): void => {
      timer = setTimeout(measure);
    };
    const frame = isNew.current ? requestAnimationFrame(measureLater) : 0;
    if (!isNew.current) measure();
    isNew.current = false;
    addEventListener('scroll', measure, { passive: true });
    addEventListener('resize', measure);
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
      removeEventListener('scroll', measure);
      removeEventListener('resize', measure);
    };
  }, [count, open?.index, open?.height]);
  return { ...visibleRows, measures: { count, row: visibleRows.height, open } };
}

function rowHeight(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).getPropertyValue('--row')) || ROW_HEIGHT;
}

function useKeptInSight(list: RefObject<HTMLDivElement>, selected: number | undefined, measures: Measures): void {
  useEffect(() => {
    if (selected === undefined || list.current === null) return;
    const { row } = measures;
    const top = list.current.getBoundingClientRect().top + topOfRow(selected, measures);
    const margin = 2 * row;
    // The sticky header above the list covers its first rows; the style sheet of the page sets the height.
    const covered = Number.parseFloat(getComputedStyle(list.current).scrollMarginTop) + row;
    if (top < covered) scrollBy(0, top - covered);
    else if (top + row > innerHeight - margin) scrollBy(0, top + row - innerHeight + margin);
  }, [selected]);
}
