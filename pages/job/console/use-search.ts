// The search in a console: what is looked for, what was found, and which match is shown.
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Log } from './log.ts';
import { type Found, searchLog } from './search.ts';

export interface Search {
  readonly text: string;
  readonly setText: (text: string) => void;
  readonly found: Found;
  /** Which of the lines found is shown; -1: none. */
  readonly at: number;
  readonly next: () => void;
  readonly previous: () => void;
}

const NONE: Found = { lines: [], isComplete: true };
const TYPING_MS = 150;

export function useSearch(log: Log, version: number, goTo: (line: number) => void): Search {
  const [text, setText] = useState('');
  const [found, setFound] = useState(NONE);
  const [at, setAt] = useState(-1);
  // Of a console that grows: once a second is enough.
  const looked = useMemo(() => Math.floor(log.lineCount / 5_000), [version]);
  useEffect(() => {
    setAt(-1);
  }, [text]);
  useEffect(() => {
    if (text === '') {
      setFound(NONE);
      return undefined;
    }
    const controller = new AbortController();
    const timer = setTimeout(() => void searchLog(log, text, controller.signal, setFound), TYPING_MS);
    return () => {
      controller.abort();
      clearTimeout(timer);
    };
  }, [text, looked, log]);
  const step = (by: number): void => {
    if (found.lines.length === 0) return;
    const next = at < 0 && by < 0 ? found.lines.length - 1 : (at + by + found.lines.length) % found.lines.length;
    setAt(next);
    goTo(found.lines[next]!);
  };
  return { text, setText, found, at, next: () => step(1), previous: () => step(-1) };
}
