// One entity of the configuration, with its version. Read anew whenever a form is opened: kept data may be old.
// It is not read again while the user types: a change by another user is told when the form is saved.
import { useEffect, useState } from 'preact/hooks';
import { request } from '../../api/client.ts';
import { ApiFailure, messageOf } from '../../api/failure.ts';
import type { JsonObject } from '../../api/json.ts';
import type { Read } from '../../api/queries.ts';
import { undone } from './requests.ts';

export interface Entity<T = JsonObject> {
  readonly value: T;
  readonly etag: string | undefined;
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
export function useEntity<T = JsonObject>(address: string, version: number): Read<Entity<T>> {
  const [state, setState] = useState<State<T>>({ readAt: 0 });
  const [times, setTimes] = useState(0);
  const undos = undone.value;
  useEffect(() => {
    const leaving = new AbortController();
    readEntity<T>(address, version, leaving.signal).then(
      (data) => setState({ of: address, data, readAt: Date.now() }),
      (failure: unknown) => {
        if (!leaving.signal.aborted) setState({ of: address, failure: asFailure(failure), readAt: 0 });
      },
    );
    return () => leaving.abort();
  }, [address, version, times, undos]);
  const isOfThis = state.of === address;
  return {
    data: isOfThis ? state.data : undefined,
    failure: isOfThis ? state.failure : undefined,
    isLoading: !isOfThis,
    readAt: state.readAt,
    reload: () => setTimes(times + 1),
  };
}

function asFailure(failure: unknown): ApiFailure {
  return failure instanceof ApiFailure ? failure : new ApiFailure(0, messageOf(failure));
}
