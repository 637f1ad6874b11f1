// Asks the server for its verdict on a text, a moment after the last key.
import { useEffect, useState } from 'preact/hooks';
import type { Verdict } from './document.ts';
import { checkDocument } from './requests.ts';

const PAUSE_MS = 700;

export interface Check {
  readonly verdict: Verdict | undefined;
  /** The verdict is about an older text. */
  readonly isChecking: boolean;
}

/** `text`: undefined where there is nothing to check. */
export function useCheck(text: string | undefined, md5: string): Check {
  const [checked, setChecked] = useState<{ readonly text: string; readonly verdict: Verdict }>();
  useEffect(() => {
    if (text === undefined) {
      setChecked(undefined);
      return undefined;
    }
    const stop = new AbortController();
    const timer = setTimeout(() => {
      checkDocument(text, md5, stop.signal).then(
        (verdict) => setChecked({ text, verdict }),
        () => undefined, // Stopped: there is a newer text.
      );
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [text, md5]);
  return { verdict: checked?.verdict, isChecking: text !== undefined && checked?.text !== text };
}
