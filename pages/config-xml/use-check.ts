// Asks the server whether a text would be accepted, a moment after the last key.
import { useEffect, useState } from 'preact/hooks';
import type { CheckResult } from './document.ts';
import { checkDocument } from './requests.ts';

const PAUSE_MS = 700;

export interface Check {
  readonly result: CheckResult | undefined;
  /** The result is about an older text. */
  readonly isChecking: boolean;
}

/** `text`: undefined where there is nothing to check. */
export function useCheck(text: string | undefined, md5: string): Check {
  const [checked, setChecked] = useState<{ readonly text: string; readonly result: CheckResult }>();
  useEffect(() => {
    if (text === undefined) {
      setChecked(undefined);
      return undefined;
    }
    const stop = new AbortController();
    const timer = setTimeout(() => {
      checkDocument(text, md5, stop.signal).then(
        (result) => setChecked({ text, result }),
        () => undefined, // Stopped: there is a newer text.
      );
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [text, md5]);
  return { result: checked?.result, isChecking: text !== undefined && checked?.text !== text };
}
