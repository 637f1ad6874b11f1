// The rows by which several servers share a database.
import type { Generated } from 'kysely';

/** Which replica does the work that only one may do at a time. */
export interface LeaseRow {
  name: string;
  /** The replica that has it, or had it last. */
  holder: string;
  /** Grows whenever another replica gets the lease: by it, late writes of the former holder are refused. */
  epoch: number;
  /** Milliseconds, by the clock of the database. */
  until: number;
}

/** The end of the order of writes: one row. A server that runs serialized work locks it first. */
export interface HeadRow {
  id: number;
  commit: number;
  revision: number;
  event: number;
  event_hash: string;
  /** Milliseconds: of the last write. */
  time: number;
}

/** One write of serialized work. */
export interface CommitRow {
  number: number;
  /** The newest ones after it. */
  revision: number;
  event: number;
  /** The tables in which something was written, with spaces between. */
  touched: string;
  /** Made up by the server that writes the commit, to find out whether it was written. */
  mark: Generated<string>;
}

/** A server that uses this database. */
export interface ReplicaRow {
  id: string;
  /** Where the others reach it. */
  url: string;
  host: string;
  version: string;
  /** A digest of its plugins. */
  plugins: string;
  started_at: string;
  /** Milliseconds, by the clock of the database. */
  seen_at: number;
  /** The last write that it knows. */
  commit: number;
}

/** A small file that all servers need. */
export interface SharedFileRow {
  name: string;
  /** Encrypted. */
  content: string;
}
