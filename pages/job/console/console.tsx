// The console of a job: any number of lines, of which only those in sight are in the document.
import type { RefObject } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { ApiFailure } from '../../api/failure.ts';
import { useShortcuts } from '../../kit/shortcuts.ts';
import { Folds } from './folds.ts';
import { useLineInAddress } from './line-address.ts';
import { Log } from './log.ts';
import { LogView, type LogViewHandle } from './log-view.tsx';
import { pollConsole } from './poll-console.ts';
import { ConsoleToolbar } from './toolbar.tsx';
import { type Search, useSearch } from './use-search.ts';

export interface ConsoleProps {
  /** Of the file, without the context path. */
  readonly address: string;
  readonly isRunning: boolean;
}

export function Console({ address, isRunning }: ConsoleProps) {
  const { log, version, failure } = useLog(address, isRunning);
  const [folded, setFolded] = useState<ReadonlySet<number>>(new Set());
  const [showsTimes, setShowsTimes] = useState(true);
  const [selected, select] = useLineInAddress((line) => goTo(line));
  const view = useRef<LogViewHandle>(null);
  const [anchor, setAnchor] = useAnchor({ view, log, version, initial: selected ?? (isRunning ? 'end' : undefined) });
  const searchField = useRef<HTMLInputElement>(null);
  const folds = useMemo(() => new Folds(log.sections.filter(({ first }) => folded.has(first))), [folded, version]);
  const goTo = (line: number | undefined): void => {
    if (line === undefined) return;
    const section = log.sectionOf(line);
    if (section !== undefined && line > section.first && line <= section.last && folded.has(section.first)) toggle(section.first);
    select(line);
    setAnchor(line);
  };
  const toggle = (first: number): void => setFolded((before) => before.symmetricDifference(new Set([first])));
  const search = useSearch(log, version, goTo);
  const nextError = (): void => goTo(log.errors.find((line) => line > (selected ?? -1)) ?? log.errors[0]);
  const move = (by: 1 | -1): void => goTo(folds.neighbour(selected, by, { lineCount: log.lineCount, firstRow: view.current?.firstRow() }));
  const setIsFollowing = (isOn: boolean): void => setAnchor(isOn ? 'end' : undefined);
  useConsoleKeys({ search, nextError, move, toggleFollow: () => setIsFollowing(anchor !== 'end'), field: searchField });
  return (
    <section class="console" aria-label="Console">
      <ConsoleToolbar
        address={address}
        search={search}
        searchField={searchField}
        isFollowing={anchor === 'end'}
        setIsFollowing={setIsFollowing}
        showsTimes={showsTimes}
        setShowsTimes={setShowsTimes}
        errors={log.errors.length}
        nextError={nextError}
        isAllFolded={folded.size > 0}
        foldAll={() => setFolded(folded.size > 0 ? new Set() : new Set(log.sections.map(({ first }) => first)))}
      />
      {failure !== undefined && log.lineCount === 0 ? (
        <p class="empty">{isRunning ? 'Nothing was printed yet.' : failure.message}</p>
      ) : (
        <LogView
          handle={view}
          log={log}
          version={version}
          folds={folds}
          folded={folded}
          onToggle={toggle}
          showsTimes={showsTimes}
          selected={selected}
          onSelect={select}
          pattern={search.text}
          onScroll={() => setAnchor(undefined)}
        />
      )}
      <p class="quiet" role="status">
        {linesText(log.lineCount, isRunning, failure)}
      </p>
    </section>
  );
}

type Anchor = number | 'end' | undefined;

interface AnchorOptions {
  readonly view: RefObject<LogViewHandle>;
  readonly log: Log;
  readonly version: number;
  readonly initial: Anchor;
}

/** What stays in sight while lines come: the end, or a line. Until the user scrolls. */
function useAnchor({ view, log, version, initial }: AnchorOptions): [Anchor, (anchor: Anchor) => void] {
  const [anchor, setAnchor] = useState(initial);
  useEffect(() => {
    if (anchor === 'end') view.current?.showEnd();
    else if (anchor !== undefined && anchor < log.lineCount) view.current?.show(anchor);
  }, [version, anchor]);
  return [anchor, setAnchor];
}

/** `1,234,567`. To make the format of the browser takes as long as to draw a page. */
function countText(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

function linesText(count: number, isRunning: boolean, failure: ApiFailure | undefined): string {
  const lines = `${countText(count)} ${count === 1 ? 'line' : 'lines'}`;
  if (failure !== undefined && count > 0) return `${lines}. ${failure.message} Trying again …`;
  return isRunning ? `${lines}, more will come` : lines;
}

interface ConsoleKeys {
  readonly search: Search;
  readonly nextError: () => void;
  readonly move: (by: 1 | -1) => void;
  readonly toggleFollow: () => void;
  readonly field: RefObject<HTMLInputElement>;
}

function useConsoleKeys({ search, nextError, move, toggleFollow, field }: ConsoleKeys): void {
  useShortcuts([
    { keys: 'j', description: 'Next line, whose address can be copied', run: () => move(1) },
    { keys: 'k', description: 'Previous line', run: () => move(-1) },
    { keys: 'f', description: 'Follow the end of the console', run: toggleFollow },
    { keys: 'Ctrl f', description: 'Search in the console', run: () => field.current?.focus() },
    { keys: 'n', description: 'Next match', run: search.next },
    { keys: 'N', description: 'Previous match', run: search.previous },
    { keys: 'e', description: 'Next error', run: nextError },
  ]);
}

/** The log behind an address; `version` changes with it. */
function useLog(address: string, isRunning: boolean): { log: Log; version: number; failure: ApiFailure | undefined } {
  const log = useMemo(() => new Log(), [address]);
  const [version, setVersion] = useState(0);
  const [failure, setFailure] = useState<ApiFailure>();
  const running = useRef(isRunning);
  running.current = isRunning;
  useEffect(() => {
    const controller = new AbortController();
    let frame = 0;
    // However fast it comes, it is drawn once in a frame.
    const onProgress = (): void => {
      frame ||= requestAnimationFrame(() => {
        frame = 0;
        setVersion((before) => before + 1);
      });
    };
    void pollConsole({ address, log, isRunning: () => running.current, onProgress, onFailure: setFailure }, controller.signal);
    return () => {
      controller.abort();
      cancelAnimationFrame(frame);
    };
  }, [address]);
  return { log, version, failure };
}
