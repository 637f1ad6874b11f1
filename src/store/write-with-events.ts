// Statements that are written together with the events about them.
import type { CompiledQuery } from 'kysely';
import type { Database } from './database.ts';

/** One of the things that an event is about. */
export interface Subject {
  /** Their kind, as addresses have it: `environments`. */
  readonly resource: string;
  readonly id: string;
  /** The operation on it, in a change of the configuration. */
  readonly operation?: string;
  /** The ETag it has since. */
  readonly etag?: string;
}

type Value = null | boolean | number | string | readonly Value[] | { readonly [key: string]: Value };

/** A new event. All its fields are kept for ever and shown to administrators: no secrets. */
export interface NewEvent {
  readonly type: string;
  /** The user who did it; null: no known user. */
  readonly actor: string | null;
  readonly about: readonly Subject[];
  readonly data: { readonly [key: string]: Value };
  /** Now, unless it says otherwise. */
  readonly time?: string;
}

export interface WriteWithEvents {
  readonly events: readonly NewEvent[];
  /** Run after the rows of its events, and before those of the next write. */
  readonly statements: readonly CompiledQuery[];
}

/** All of it is on disk when it returns, or nothing. */
export type CommitWithEvents = (writes: readonly WriteWithEvents[]) => Promise<void>;

/** For where no events are kept. */
export function withoutEvents(database: Pick<Database, 'writeTransaction'>): CommitWithEvents {
  return (writes) => database.writeTransaction(writes.flatMap(({ statements }) => statements));
}
