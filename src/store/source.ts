// The place of the database, and its readers beside the server. Modules for PostgreSQL are loaded only where they are used.
import type { PostgresAddress } from './postgres/connection.ts';
import type { ChangeFeed } from './readers/change-feed.ts';
import type { EventRows } from './readers/event-rows.ts';
import type { ReadOnlyRows } from './readers/read-only-rows.ts';
import type { SupportFacts } from './readers/support-facts.ts';
import { openChangeFeed as openEmbeddedFeed } from './sqlite/readers/change-feed.ts';
import { openEventRows as openEmbeddedEvents } from './sqlite/readers/event-rows.ts';
import { readOnlyRows as readEmbedded } from './sqlite/readers/read-only-rows.ts';

/** The path of a file, or the address of a server. It can be handed to another thread. */
export type DatabaseSource = { readonly sqlite: string } | { readonly postgres: PostgresAddress };

export async function openChangeFeed(source: DatabaseSource): Promise<ChangeFeed> {
  if ('sqlite' in source) return openEmbeddedFeed(source.sqlite);
  return (await import('./postgres/readers/change-feed.ts')).openChangeFeed(source.postgres);
}

/** Undefined: there is no such file. */
export async function openEventRows(source: DatabaseSource): Promise<EventRows | undefined> {
  if ('sqlite' in source) return openEmbeddedEvents(source.sqlite);
  return (await import('./postgres/readers/event-rows.ts')).openEventRows(source.postgres);
}

/** Undefined: there is no such file, or nothing in the database. */
export async function readOnlyRows<T>(source: DatabaseSource, read: (rows: ReadOnlyRows) => Promise<T>): Promise<T | undefined> {
  if ('sqlite' in source) return readEmbedded(source.sqlite, read);
  return (await import('./postgres/readers/read-only-rows.ts')).readOnlyRows(source.postgres, read);
}

/** Undefined: there is no such file, or nothing in the database. */
export async function readSupportFacts(source: DatabaseSource): Promise<SupportFacts | undefined> {
  if ('sqlite' in source) return (await import('./sqlite/readers/support-facts.ts')).readSupportFacts(source.sqlite);
  return (await import('./postgres/readers/support-facts.ts')).readSupportFacts(source.postgres);
}

/** Whether a failure says only that the database cannot answer now. */
export async function isUnavailable(source: DatabaseSource, failure: unknown): Promise<boolean> {
  return 'postgres' in source && (await import('./postgres/refusals.ts')).isLostConnection(failure);
}
