// Data that pages read from the server: kept while a page shows them, read again when the server reports a change.
import { QueryClient, QueryClientProvider, useInfiniteQuery, useQuery } from '@tanstack/preact-query';
import { useEffect } from 'preact/hooks';
import { getJson, getPage, type Page } from './client.ts';
import { ApiFailure } from './failure.ts';
import { type Notice, onNotices } from './live/live.ts';

const MAX_RETRIES = 3;
/** Read again at most this often, however much happens. */
const MIN_MS_BETWEEN_READS = 500;

export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      refetchOnWindowFocus: false,
      // A refusal is not retried. Only a server that is away may be back in a moment.
      retry: (count, failure) => failure instanceof ApiFailure && failure.isUnavailable && count < MAX_RETRIES,
      retryDelay: (count) => 500 * 2 ** count,
    },
  },
});

export const QueriesProvider = QueryClientProvider;

export interface ReadState<T> {
  readonly data: T | undefined;
  readonly failure: ApiFailure | undefined;
  readonly isLoading: boolean;
  /** When `data` was read, in milliseconds since 1970. With a failure beside it, the shown data are this old. */
  readonly readAt: number;
  readonly reload: () => void;
}

export interface ReadOptions {
  readonly isEnabled?: boolean;
  /** Which notices of the server mean that this has changed. */
  readonly changedBy?: (notice: Notice) => boolean;
  /** Where nothing reports changes: how often to look. */
  readonly everyMs?: number;
}

/** Reads an address of the API, and again when it changed. */
export function useApi<T>(address: string, version: number, options: ReadOptions = {}): ReadState<T> {
  const { data, error, isPending, dataUpdatedAt, refetch, fetchStatus } = useQuery<T>({
    queryKey: [address, version],
    queryFn: ({ signal }) => getJson<T>(address, version, signal),
    enabled: options.isEnabled ?? true,
    refetchInterval: options.everyMs ?? false,
  });
  useChanges([address, version], options.changedBy);
  return {
    data,
    failure: asFailure(error),
    isLoading: isPending && fetchStatus !== 'idle',
    readAt: dataUpdatedAt,
    reload: () => void refetch(),
  };
}

export interface Pages<T> {
  readonly pages: readonly T[];
  readonly failure: ApiFailure | undefined;
  readonly isLoading: boolean;
  readonly hasMore: boolean;
  readonly isLoadingMore: boolean;
  readonly loadMore: () => void;
  readonly reload: () => void;
}

/** A list read page by page; `next` gives the address of the page after this one. */
export function useApiPages<T>(first: string, version: number, next: (page: T) => string | undefined, options: ReadOptions = {}): Pages<T> {
  return usePages([first, version, 'pages'], first, (address, signal) => getJson<T>(address, version, signal), next, options);
}

/** A list of which the header `Link` says where it goes on. */
export function useLinkedPages<T>(first: string, options: ReadOptions = {}): Pages<Page<T>> {
  return usePages(
    [first, 'linked'],
    first,
    (address, signal) => getPage<T>(address, signal),
    ({ next }) => next,
    options,
  );
}

function usePages<T>(
  key: readonly unknown[],
  first: string,
  get: (address: string, signal: AbortSignal) => Promise<T>,
  next: (page: T) => string | undefined,
  options: ReadOptions,
): Pages<T> {
  const query = useInfiniteQuery({
    queryKey: key,
    initialPageParam: first,
    queryFn: ({ pageParam, signal }) => get(pageParam, signal),
    getNextPageParam: (page: T) => next(page),
    enabled: options.isEnabled ?? true,
  });
  useChanges(key, options.changedBy);
  return {
    pages: query.data?.pages ?? [],
    failure: asFailure(query.error),
    isLoading: query.isPending && query.fetchStatus !== 'idle',
    hasMore: query.hasNextPage,
    isLoadingMore: query.isFetchingNextPage,
    loadMore: () => void query.fetchNextPage(),
    reload: () => void query.refetch(),
  };
}

/** Data that were read lately, or reads them: for data that no component draws, such as the names that a field offers. */
export function fetchKept<T>(key: readonly unknown[], get: (signal: AbortSignal) => Promise<T>): Promise<T> {
  return queries.fetchQuery({ queryKey: key, queryFn: ({ signal }) => get(signal) });
}

/** Reads all data again whose address begins with the prefix. */
export function reloadAll(prefix = ''): void {
  void queries.invalidateQueries({ predicate: ({ queryKey: [address] }) => typeof address === 'string' && address.startsWith(prefix) });
}

/** Reads the data at exactly this address again, not at addresses below it: some of those may be gone. */
export function reloadOne(address: string): void {
  void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] === address });
}

/** Answers read before the live connection was open are read again. Requests under way are left alone: their answers are new enough. */
export function reloadRead(): void {
  void queries.invalidateQueries({ predicate: ({ state }) => state.status === 'success' }, { cancelRefetch: false });
}

/** Repeats the failed requests, because the server can be reached again. */
export function retryFailed(): void {
  void queries.invalidateQueries({ predicate: ({ state }) => state.status === 'error' || state.fetchFailureCount > 0 });
}

function useChanges(key: readonly unknown[], changedBy: ReadOptions['changedBy']): void {
  const name = JSON.stringify(key);
  useEffect(() => {
    if (changedBy === undefined) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let readAt = 0;
    const readAgain = (): void => {
      timer = undefined;
      readAt = Date.now();
      void queries.invalidateQueries({ queryKey: JSON.parse(name) as unknown[], exact: true });
    };
    const stop = onNotices((notices) => {
      if (timer !== undefined || !notices.some(changedBy)) return;
      timer = setTimeout(readAgain, Math.max(0, readAt + MIN_MS_BETWEEN_READS - Date.now()));
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [name]);
}

function asFailure(error: unknown): ApiFailure | undefined {
  if (error === null || error === undefined) return undefined;
  return error instanceof ApiFailure ? error : new ApiFailure(0, String(error));
}
