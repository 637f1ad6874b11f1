// Where the database is, and what reads it from beside the server.
import type { ChangeFeed } from './readers/change-feed.ts';
import type { EventRows } from './readers/event-rows.ts';
import type { ReadOnlyRows } from './readers/read-only-rows.ts';
import { openChangeFeed as openEmbeddedFeed } from './sqlite/change-feed.ts';
import { openEventRows as openEmbeddedEvents } from './sqlite/event-rows.ts';
import { readOnlyRows as readEmbedded } from './sqlite/read-only-rows.ts';

/** Can be handed to another thread. */
export interface DatabaseSource {
  /** The path of its file. */
  readonly sqlite: string;
}

export async function openChangeFeed(source: DatabaseSource): Promise<ChangeFeed> {
  return openEmbeddedFeed(source.sqlite);
}

/** Undefined: there is no such database. */
export async function openEventRows(source: DatabaseSource): Promise<EventRows | undefined> {
  return openEmbeddedEvents(source.sqlite);
}

/** Undefined: there is no such database. */
export async function readOnlyRows<T>(source: DatabaseSource, read: (rows: ReadOnlyRows) => Promise<T>): Promise<T | undefined> {
  return readEmbedded(source.sqlite, read);
}
