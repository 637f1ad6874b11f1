// All pipelines that somebody may see, kept up to date: read once, and then only what changed.
import { signal } from '@preact/signals';
import { getJson } from '../api/client.ts';
import { ApiFailure } from '../api/failure.ts';
import { onNotices, whenMissed, whenReturned } from '../api/live/live.ts';
import { forgetWithUser } from '../api/session.ts';
import { type DashboardRow, type RowsAnswer, rowOf } from './row.ts';

export interface Rows {
  /** By name, in the order of the configuration. */
  readonly all: ReadonlyMap<string, DashboardRow>;
  readonly readAt: number;
}

const VERSION = 1;
const ADDRESS = '/api/dashboard/rows';
const RETRY_MS = 3_000;

export const rows = signal<Rows | undefined>(undefined);
export const rowsFailure = signal<ApiFailure | undefined>(undefined);
let token: string | undefined;
/** Grows with each user: what was asked for by the last one is not kept. */
let generation = 0;
let reading: Promise<void> | undefined;
let isOutdated = false;
let retry: ReturnType<typeof setTimeout> | undefined;

/** Reads what changed. One request at a time: what is told meanwhile is read by the next one. */
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
    rows.value = { all: merged(answer, rows.peek()?.all), readAt: Date.now() };
    rowsFailure.value = undefined;
    token = answer.token;
  } catch (failure) {
    rowsFailure.value = failure instanceof ApiFailure ? failure : new ApiFailure(0, String(failure));
    if (rowsFailure.value.isAway) retry = setTimeout(() => void readRows(), RETRY_MS);
  }
}

forgetWithUser(() => {
  rows.value = undefined;
  rowsFailure.value = undefined;
  token = undefined;
  generation++;
});

export function merged(answer: RowsAnswer, known: ReadonlyMap<string, DashboardRow> | undefined): ReadonlyMap<string, DashboardRow> {
  const next = new Map(answer.full ? [] : known);
  for (const name of answer.removed ?? []) next.delete(name);
  for (const columns of answer.rows) {
    const row = rowOf(columns, answer);
    next.set(row.name, row);
  }
  return next;
}

/** Until the function that is given back is called. */
export function followRows(): () => void {
  void readRows();
  const stop = onNotices((notices) => {
    if (notices.some(({ kind }) => kind === 'pipeline' || kind === 'stage' || kind === 'config')) void readRows();
  });
  const again = (): void => void readRows();
  const stops = [stop, whenMissed(again), whenReturned(again)];
  return () => {
    for (const one of stops) one();
    clearTimeout(retry);
  };
}
