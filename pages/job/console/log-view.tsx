// The lines in sight, inside a box that scrolls.
import type { Ref, RefObject } from 'preact';
import { useCallback, useImperativeHandle, useRef } from 'preact/hooks';
import { useScrollBox } from '../../kit/scroll/use-scroll-box.ts';
import type { Folds } from './folds.ts';
import type { Log } from './log.ts';
import { LogRow } from './log-row.tsx';
import { heightOfRows, ROW, type RowWindow, rowWindow, topOfFirst } from './row-window.ts';

const SPARE_ROWS = 10;
/** Keys that scroll. */
const SCROLL_KEYS = /^(?:Arrow(?:Up|Down)|Page(?:Up|Down)|Home|End| )$/;

export interface LogViewHandle {
  readonly show: (line: number) => void;
  readonly showEnd: () => void;
  /** The first row in sight. */
  readonly firstRow: () => number;
}

export interface LogViewProps {
  readonly handle: Ref<LogViewHandle>;
  readonly log: Log;
  readonly version: number;
  readonly folds: Folds;
  readonly folded: ReadonlySet<number>;
  readonly onToggle: (first: number) => void;
  readonly showsTimes: boolean;
  readonly selected: number | undefined;
  readonly onSelect: (line: number) => void;
  /** The text that the user searches for: marked where it occurs. */
  readonly pattern: string;
  /** The user has scrolled, not the page by itself. */
  readonly onScroll: () => void;
}

export function LogView(props: LogViewProps) {
  const { log, folds, handle } = props;
  const box = useRef<HTMLDivElement>(null);
  const count = folds.rowCount(log.lineCount);
  const { first, visible, scale } = useRowsInSight(box, count);
  const scrollToRow = (row: number): void => {
    if (box.current !== null) box.current.scrollTop = topOfFirst(Math.max(0, row), scale);
  };
  useImperativeHandle(handle, () => ({
    show: (line) => scrollToRow(folds.rowOf(line) - Math.floor(visible / 2)),
    showEnd: () => {
      if (box.current !== null) box.current.scrollTop = box.current.scrollHeight;
    },
    firstRow: () => first,
  }));
  const onToggle = useLatest(props.onToggle);
  const onSelect = useLatest(props.onSelect);
  const from = Math.max(0, first - SPARE_ROWS);
  const rows = Array.from({ length: Math.max(0, Math.min(count, first + visible + SPARE_ROWS) - from) }, (_, index) => from + index);
  const base = useKeyBase(from, rows.length);
  // With a scaled bar rows are placed relative to the visible part, not to the whole.
  const offset = topOfFirst(first, scale) - (first - from) * ROW;
  return (
    <div
      ref={box}
      class="log"
      role="log"
      aria-live="off"
      aria-label="Output"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reachable by keyboard
      tabIndex={0}
      onWheel={props.onScroll}
      onTouchMove={props.onScroll}
      onPointerDown={(event) => event.target === box.current && props.onScroll()}
      onKeyDown={({ key }) => SCROLL_KEYS.test(key) && props.onScroll()}
    >
      <div class="log-height" style={{ height: `${heightOfRows(count)}px` }}>
        <div class="log-rows" style={{ transform: `translateY(${offset}px)` }}>
          {rows.map((row) => {
            const line = folds.lineAt(row);
            const section = log.sectionAt(line);
            return (
              <LogRow
                key={row - base}
                log={log}
                line={line}
                // A complete line never changes.
                length={line === log.lineCount - 1 ? log.length : 0}
                result={section?.result}
                hidden={section !== undefined && props.folded.has(line) ? section.last - line : 0}
                isSelected={line === props.selected}
                showsTimes={props.showsTimes}
                pattern={props.pattern}
                onToggle={onToggle}
                onSelect={onSelect}
              />
            );
          })}
        </div>
      </div>
    </div>
  );
}

/** Returns one function as long as the component is shown, which calls the latest: rows are drawn again only when theirs changes. */
function useLatest<A>(action: (argument: A) => void): (argument: A) => void {
  const latest = useRef(action);
  latest.current = action;
  return useCallback((argument: A) => latest.current(argument), []);
}

/**
 * The number to subtract from that of a row to get its key. Rows that stay in sight keep their keys; when the user jumps far, the new rows
 * get the keys of the old ones, so that their elements are filled anew instead of being made anew.
 */
function useKeyBase(from: number, count: number): number {
  const last = useRef({ base: 0, from });
  if (Math.abs(from - last.current.from) >= count) last.current.base += from - last.current.from;
  last.current.from = from;
  return last.current.base;
}

function useRowsInSight(box: RefObject<HTMLDivElement>, count: number): RowWindow {
  return useScrollBox(box, {
    initial: () => ({ first: 0, visible: 40, scale: 1 }),
    measure: (element) => rowWindow(count, element),
    isSame,
    key: count,
  });
}

function isSame(one: RowWindow, other: RowWindow): boolean {
  return one.first === other.first && one.visible === other.visible && one.scale === other.scale;
}
