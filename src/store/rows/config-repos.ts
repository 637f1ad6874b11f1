// The rows of config repos: how far they are, their files, and each attempt.
import type { Generated } from 'kysely';

/** How far a config repo is, and how the last attempt to bring it into force ended. */
export interface ConfigRepoStateRow {
  repo: string;
  /** A digest of all that decided which files were read and how; null: the rows of its files must not be relied on. */
  settings: string | null;
  /** The cursor up to where its files are known, see `FileChanges`; null: all have to be listed. */
  mark: string | null;
  /** The settings, rules and versions that the files in force were read with; empty: no file counts as in force. */
  in_force: string;
  /** A digest of its rules. */
  rules: string;
  /** The last one that was tried to the end. */
  revision: string | null;
  /** The last one that came into force. */
  good_revision: string | null;
  outcome: string;
  /** The message for administrators; empty when all is well. */
  message: string;
  detail: string;
  /** JSON, as is good_modification. */
  modification: string | null;
  good_modification: string | null;
}

/** A file of a config repo, and its definitions. */
export interface ConfigRepoFileRow {
  repo: string;
  path: string;
  read_as: string;
  /** Empty: it cannot be read. */
  content_id: string;
  /** The plugin that has read it, with its version. */
  parser: string;
  /** Of the format, as it declares it; 0: it does not. */
  version: number;
  /** Whether exactly its definitions are in force. */
  is_in_force: number;
  /** Whether there is something wrong with it, or said in vain. */
  is_told: number;
  /** The file is gone, and its definitions may still be in force. */
  is_gone: number;
  /** JSON: its definitions without their bodies, and its problems. */
  outline: string;
  /** The whole, encrypted: people do write passwords into their files. */
  parsed: string;
}

/** One attempt to bring a revision of a config repo into force. */
export interface ConfigRepoParseRow {
  id: Generated<number>;
  repo: string;
  at: string;
  revision: string;
  outcome: string;
  matched: number;
  parsed: number;
  duration_ms: number;
  /** JSON, as are warnings. */
  errors: string;
  warnings: string;
}
