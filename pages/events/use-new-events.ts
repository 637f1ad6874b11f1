// How many events came since those that are shown. They wait behind a button, so that nothing moves under the pointer.
import { useEffect, useState } from 'preact/hooks';
import { addressOf } from '../api/address.ts';
import { EVENTS_ADDRESS, type EventFilter, queryOf } from './event.ts';

/** `shown`: the newest that is shown, `none` where nothing is; undefined: not read yet. */
export function useNewEvents(filter: EventFilter, shown: number | 'none' | undefined): number {
  const [count, setCount] = useState(0);
  const query = queryOf(filter).toString();
  useEffect(() => {
    setCount(0);
    if (shown === undefined) return undefined;
    const all = new URLSearchParams(query);
    if (shown !== 'none') all.set('after', String(shown));
    // After a broken connection the browser goes on from the last event by itself.
    const source = new EventSource(`${addressOf(EVENTS_ADDRESS)}?${all}`);
    source.addEventListener('message', () => setCount((before) => before + 1));
    return () => source.close();
  }, [query, shown]);
  return count;
}
