// Reads something to change it. It is not read again behind the back of whoever types: a change by others is told when it is saved.
import { useEffect, useState } from 'preact/hooks';
import { ApiFailure, messageOf } from '../../api/failure.ts';
import type { Read } from '../../api/queries.ts';
import { type Loaded, load } from './change.ts';
import { undone } from './requests.ts';

type Outcome<T> = { readonly data?: Loaded<T>; readonly failure?: ApiFailure };

/** With an `address` of undefined nothing is read. */
export function useLoaded<T>(address: string | undefined, version: number): Read<Loaded<T>> {
  const [{ data, failure }, setOutcome] = useState<Outcome<T>>({});
  const [round, setRound] = useState(0);
  const [readAt, setReadAt] = useState(0);
  const undos = undone.value;
  useEffect(() => {
    if (address === undefined) return undefined;
    const leaving = new AbortController();
    setOutcome({});
    load<T>(address, version, leaving.signal).then(
      (loaded) => {
        setReadAt(Date.now());
        setOutcome({ data: loaded });
      },
      (problem: unknown) => {
        if (leaving.signal.aborted) return;
        setOutcome({ failure: problem instanceof ApiFailure ? problem : new ApiFailure(0, messageOf(problem)) });
      },
    );
    return () => leaving.abort();
  }, [address, version, round, undos]);
  const isLoading = address !== undefined && data === undefined && failure === undefined;
  return { data, failure, isLoading, readAt, reload: () => setRound(round + 1) };
}
