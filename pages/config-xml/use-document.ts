// The document that is shown, and whether there is a newer one.
import { useEffect, useState } from 'preact/hooks';
import { ApiFailure, messageOf } from '../api/failure.ts';
import { type ReadState, useApi } from '../api/queries.ts';
import { type ConfigDocument, NEWEST_ADDRESS, NEWEST_VERSION } from './document.ts';
import { type Newest, readDocument } from './requests.ts';

interface Outcome {
  /** Which moment was asked for. */
  readonly of: string | undefined;
  readonly data?: ConfigDocument;
  readonly failure?: ApiFailure;
  readonly readAt: number;
}

const NOTHING: Outcome = { of: undefined, readAt: 0 };

/** `kept`: the present document that the user is editing already. */
export function useDocument(at: string | undefined, kept: ConfigDocument | undefined): ReadState<ConfigDocument> {
  const [count, setCount] = useState(0);
  const [outcome, setOutcome] = useState<Outcome>();
  useEffect(() => {
    if (kept !== undefined && at === undefined) {
      setOutcome({ of: at, data: kept, readAt: Date.now() });
      return undefined;
    }
    const stop = new AbortController();
    readDocument(at, stop.signal).then(
      (data) => setOutcome({ of: at, data, readAt: Date.now() }),
      (problem: unknown) => {
        if (!stop.signal.aborted) setOutcome({ of: at, failure: asFailure(problem), readAt: Date.now() });
      },
    );
    return () => stop.abort();
  }, [at, count]);
  // A document of another moment is not shown for this moment.
  const shown = outcome !== undefined && outcome.of === at ? outcome : NOTHING;
  const { data, failure, readAt } = shown;
  return { data, failure, readAt, isLoading: data === undefined && failure === undefined, reload: () => setCount(count + 1) };
}

function asFailure(failure: unknown): ApiFailure {
  return failure instanceof ApiFailure ? failure : new ApiFailure(0, messageOf(failure));
}

/** The number of the last revision; undefined: not known yet. */
export function useNewestRevision(): number | undefined {
  const { data } = useApi<Newest>(NEWEST_ADDRESS, NEWEST_VERSION, { changedBy: ({ kind }) => kind === 'config' });
  return data?._embedded.revisions[0]?.revision;
}
