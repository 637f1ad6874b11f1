// One entity of the configuration, with its version. Read anew whenever a form is opened: kept data may be old.
// It is not read again while the user types: a change by another user is reported when the form is saved.
import { useEffect, useRef, useState } from 'preact/hooks';
import { request } from '../../api/client.ts';
import { ApiFailure, messageOf } from '../../api/failure.ts';
import type { JsonObject } from '../../api/json.ts';
import type { ReadState } from '../../api/queries.ts';
import { type SaveResult, undone } from './requests.ts';

export interface Entity<T = JsonObject> {
  readonly value: T;
  readonly etag: string | undefined;
}

export interface EntityRead<T> extends ReadState<Entity<T>> {
  /** Shows the version that a save has answered: with a second read, what is typed until its answer would be lost. */
  readonly show: (saved: SaveResult) => void;
}

interface State<T> {
  readonly of?: string;
  readonly data?: Entity<T>;
  readonly failure?: ApiFailure;
  readonly readAt: number;
}

async function readEntity<T>(address: string, version: number, signal: AbortSignal): Promise<Entity<T>> {
  const response = await request(address, { version, signal });
  return { value: (await response.json()) as T, etag: response.headers.get('ETag') ?? undefined };
}

/** Read again when something was undone, and when it is asked for. */
export function useEntity<T = JsonObject>(address: string, version: number): EntityRead<T> {
  const [state, setState] = useState<State<T>>({ readAt: 0 });
  const [times, setTimes] = useState(0);
  const undos = undone.value;
  const reading = useRef<AbortController>();
  useEffect(() => {
    const leaving = new AbortController();
    reading.current = leaving;
    readEntity<T>(address, version, leaving.signal).then(
      (data) => setState({ of: address, data, readAt: Date.now() }),
      (failure: unknown) => {
        if (!leaving.signal.aborted) setState({ of: address, failure: asFailure(failure), readAt: 0 });
      },
    );
    return () => leaving.abort();
  }, [address, version, times, undos]);
  const show = ({ value, etag }: SaveResult): void => {
    reading.current?.abort();
    setState({ of: address, data: { value: value as T, etag }, readAt: Date.now() });
  };
  const isOfThis = state.of === address;
  return {
    data: isOfThis ? state.data : undefined,
    failure: isOfThis ? state.failure : undefined,
    isLoading: !isOfThis,
    readAt: state.readAt,
    reload: () => setTimes(times + 1),
    show,
  };
}

function asFailure(failure: unknown): ApiFailure {
  return failure instanceof ApiFailure ? failure : new ApiFailure(0, messageOf(failure));
}
