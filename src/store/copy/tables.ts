// Which tables are copied from one engine to the other.
import { NEWEST_TABLES } from '../newest-schema.ts';
import { POSTGRES_TABLES } from '../postgres/newest-schema.ts';

export const VERSION_TABLE = 'schema_version';
/** As the migrations make it on SQLite. */
export const MAKE_VERSION_TABLE = `create table "${VERSION_TABLE}" ("version" integer not null)`;
/** Of running servers and logged-in browsers, which do not come along. */
const LEFT_OUT: readonly string[] = ['leases', 'sessions', 'used_once'];

/** Ordered so that a table comes after the tables that it refers to. */
export const COPIED_TABLES: readonly string[] = namesIn(NEWEST_TABLES).filter((name) => !LEFT_OUT.includes(name));

/** All that a database of Slipway on PostgreSQL has. */
export const POSTGRES_NAMES: readonly string[] = [VERSION_TABLE, ...namesIn(POSTGRES_TABLES)];

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

function namesIn(statements: readonly string[]): string[] {
  return statements.flatMap((statement) => /^create table "?(\w+)/i.exec(statement)?.[1] ?? []);
}
