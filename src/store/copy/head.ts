// Where the order of writes of a copied database begins: after all that was written before.
import type { Ends } from '../sqlite/whole-tables.ts';

export interface Head {
  readonly commit: number;
  readonly revision: number;
  readonly event: number;
  readonly eventHash: string;
  /** Milliseconds: of the newest revision or event, whichever is later. Nothing is written with an earlier one. */
  readonly time: number;
}

const NO_EVENT = { number: 0, hash: '0'.repeat(64) };

export function headOf({ revisionTime, event }: Ends, revision: number): Head {
  const { number, hash } = event ?? NO_EVENT;
  const times = [revisionTime, event && timeIn(event.body)].flatMap((time) => (time === undefined ? [] : [Date.parse(time)]));
  return { commit: 1, revision, event: number, eventHash: hash, time: Math.max(0, ...times.filter((time) => !Number.isNaN(time))) };
}

function timeIn(body: string): string {
  return String((JSON.parse(body) as { readonly time?: unknown }).time);
}
