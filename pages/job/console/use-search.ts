// The search in a console: the text, the matches, and which match is shown.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Log } from './log.ts';
import { type SearchMatches, searchLog } from './search.ts';

export interface Search {
  readonly text: string;
  readonly setText: (text: string) => void;
  readonly found: SearchMatches;
  /** Which of the lines found is shown; -1: none. */
  readonly at: number;
  readonly next: () => void;
  readonly previous: () => void;
}

const NONE: SearchMatches = { lines: [], isComplete: true };
const SEARCHING: SearchMatches = { lines: [], isComplete: false };
const TYPING_MS = 150;

export function useSearch(log: Log, version: number, goTo: (line: number) => void): Search {
  const [text, setShownText] = useState('');
  const [result, setResult] = useState({ of: '', found: NONE });
  const [at, setAt] = useState(-1);
  // The next key may come before the typed text is drawn.
  const typed = useRef('');
  /** The step to take as soon as something is found: the user pressed the key before the search had a result. */
  const wanted = useRef(0);
  // Of a console that grows: once a second is enough.
  const looked = useMemo(() => Math.floor(log.lineCount / 5_000), [version]);
  const setText = (next: string): void => {
    typed.current = next;
    wanted.current = 0;
    setAt(-1);
    setShownText(next);
  };
  useEffect(() => {
    if (text === '') return undefined;
    const setFound = (found: SearchMatches): void => setResult({ of: text, found });
    const controller = new AbortController();
    const timer = setTimeout(() => void searchLog(log, text, controller.signal, setFound), TYPING_MS);
    return () => {
      controller.abort();
      clearTimeout(timer);
    };
  }, [text, looked, log]);
  /** The matches of another text do not count for this text. */
  const foundOf = (searched: string): SearchMatches => {
    if (searched === '') return NONE;
    return result.of === searched ? result.found : SEARCHING;
  };
  const step = (by: number): void => {
    const found = foundOf(typed.current);
    if (found.lines.length === 0) {
      wanted.current = found.isComplete ? 0 : by;
      return;
    }
    const next = at < 0 && by < 0 ? found.lines.length - 1 : (at + by + found.lines.length) % found.lines.length;
    setAt(next);
    goTo(found.lines[next]!);
  };
  useEffect(() => {
    const by = wanted.current;
    const { lines, isComplete } = foundOf(typed.current);
    // The last match is known at the end.
    if (by === 0 || lines.length === 0 || (by < 0 && !isComplete)) return;
    wanted.current = 0;
    step(by);
  }, [result]);
  return { text, setText, found: foundOf(text), at, next: () => step(1), previous: () => step(-1) };
}
