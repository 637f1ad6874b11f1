// The servers on one database, as the API gives them.

export interface Replica {
  readonly id: string;
  readonly url: string;
  readonly host: string;
  readonly version: string;
  readonly started_at: string;
  readonly silent_ms: number;
  readonly lag: number;
  readonly keeper: boolean;
  readonly this: boolean;
}

export interface ReplicaList {
  readonly _embedded: { readonly replicas: readonly Replica[] };
}

/** Servers tell of themselves every few seconds; after this something is wrong. */
const LATE_MS = 15_000;

export function isLate({ silent_ms: silent }: Replica): boolean {
  return silent > LATE_MS;
}

export function isAlone([first, ...others]: readonly Replica[]): boolean {
  return others.length === 0 && first?.id === 'embedded';
}
