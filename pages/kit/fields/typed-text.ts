// The text in a large field: kept while the window is open, also while another page is shown or a session has ended.
// It is not stored in the browser, because files of the configuration may hold secrets.
import { type Signal, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { forgetWithUser } from '../../api/session.ts';

export function typedText<T>(): Signal<T | undefined> {
  const typed = signal<T | undefined>(undefined);
  forgetWithUser(() => {
    typed.value = undefined;
  });
  return typed;
}

/** The browser asks before the window is closed or loaded anew. */
export function useLeaveWarning(wouldLose: boolean): void {
  useEffect(() => {
    if (!wouldLose) return undefined;
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [wouldLose]);
}
