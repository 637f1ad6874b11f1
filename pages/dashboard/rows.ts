// All pipelines that the user may see, kept up to date: read once, and then only the changed rows.
import { signal } from '@preact/signals';
import { getJson } from '../api/client.ts';
import { ApiFailure } from '../api/failure.ts';
import { connection, onNotices, whenMissed, whenOpened, whenReturned } from '../api/live/live.ts';
import { onUserChange } from '../api/session.ts';
import { type DashboardRow, type RowsAnswer, rowOf } from './row.ts';

export interface Rows {
  /** By name, in the order of their names. The same map as long as only some pipelines change: users would notice a copy of ten thousand. */
  readonly all: ReadonlyMap<string, DashboardRow>;
  /** Another number when a pipeline was added, removed, or belongs to another group or environment. */
  readonly arrangement: number;
  readonly readAt: number;
}

const VERSION = 1;
const ADDRESS = '/api/dashboard/rows';
const RETRY_MS = 3_000;
/** However much happens, users do not read faster. */
const MIN_MS_BETWEEN_READS = 250;

export const rows = signal<Rows | undefined>(undefined);
export const rowsFailure = signal<ApiFailure | undefined>(undefined);
const all = new Map<string, DashboardRow>();
let arrangement = 0;
let token: string | undefined;
/** Grows with each user: answers to requests of the last user are dropped. */
let generation = 0;
let reading: Promise<void> | undefined;
let isOutdated = false;
let retry: ReturnType<typeof setTimeout> | undefined;

/** Reads the changed rows. One request at a time: changes that are reported meanwhile are read by the next request. */
export function readRows(): Promise<void> {
  if (reading !== undefined) {
    isOutdated = true;
    return reading;
  }
  reading = readOnce().finally(() => {
    reading = undefined;
    if (!isOutdated) return;
    isOutdated = false;
    void readRows();
  });
  return reading;
}

async function readOnce(): Promise<void> {
  clearTimeout(retry);
  const asked = generation;
  try {
    const since = token === undefined ? '' : `?since=${encodeURIComponent(token)}`;
    const answer = await getJson<RowsAnswer>(`${ADDRESS}${since}`, VERSION);
    if (asked !== generation) return void (isOutdated = true);
    if (merge(answer, all)) arrangement++;
    rows.value = { all, arrangement, readAt: Date.now() };
    rowsFailure.value = undefined;
    token = answer.token;
  } catch (failure) {
    rowsFailure.value = failure instanceof ApiFailure ? failure : new ApiFailure(0, String(failure));
    if (rowsFailure.value.isUnavailable) retry = setTimeout(() => void readRows(), RETRY_MS);
  }
}

onUserChange(() => {
  all.clear();
  rows.value = undefined;
  rowsFailure.value = undefined;
  token = undefined;
  generation++;
});

/** Takes an answer into the rows that are known. Returns whether a pipeline was added, removed, or belongs to another group or environment. */
export function merge(answer: RowsAnswer, known: Map<string, DashboardRow>): boolean {
  let isArrangedAnew = answer.full;
  let isAdded = false;
  if (answer.full) known.clear();
  for (const name of answer.removed ?? []) isArrangedAnew = known.delete(name) || isArrangedAnew;
  for (const columns of answer.rows) {
    const row = rowOf(columns, answer);
    const before = known.get(row.name);
    isAdded ||= before === undefined;
    isArrangedAnew ||= before?.group !== row.group || before.environment !== row.environment;
    known.set(row.name, row);
  }
  if (isAdded && !answer.full) sortByName(known);
  return isArrangedAnew;
}

/** As the server does: a reload changes no order. */
function sortByName(known: Map<string, DashboardRow>): void {
  const sorted = [...known].toSorted(([, { key: one }], [, { key: other }]) => Number(one > other) - Number(one < other));
  known.clear();
  for (const [name, row] of sorted) known.set(name, row);
}

/** Until the function that is given back is called. */
export function followRows(): () => void {
  const again = (): void => void readRows();
  // The first read may have been made while the code of the page was loaded; what changes until the connection opens is read then.
  const isRead = reading !== undefined || Date.now() - (rows.peek()?.readAt ?? 0) < MIN_MS_BETWEEN_READS;
  if (!isRead || connection.peek() === 'live') again();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let readAt = 0;
  const readSoon = (): void => {
    timer ??= setTimeout(
      () => {
        timer = undefined;
        readAt = Date.now();
        again();
      },
      Math.max(0, readAt + MIN_MS_BETWEEN_READS - Date.now()),
    );
  };
  const stop = onNotices((notices) => {
    if (notices.some(({ kind }) => kind === 'pipeline' || kind === 'stage' || kind === 'config')) readSoon();
  });
  const stops = [stop, whenMissed(again), whenOpened(again), whenReturned(again)];
  return () => {
    for (const one of stops) one();
    clearTimeout(timer);
    clearTimeout(retry);
  };
}
