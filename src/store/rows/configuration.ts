// The rows of the configuration: its current state, its change log, and the tables beside it.

/** The configuration as it is now, one row an entity. */
export interface EntityRow {
  kind: string;
  key: string;
  /** Grows with each creation: lists are in this order. */
  created: number;
  revision: number;
  etag: string;
  value: string;
}

/** The change log: one row a revision … */
export interface RevisionRow {
  revision: number;
  time: string;
  actor: string;
  token: number | null;
  address: string | null;
  reason: string | null;
}

export type ChangeOperation = 'create' | 'update' | 'delete';

/** … and one row for each entity it touched. */
export interface ChangeRow {
  revision: number;
  position: number;
  operation: ChangeOperation;
  kind: string;
  key: string;
  /** The values; null where the entity is not there. Compacted values are null, too: the operation distinguishes them. */
  before: string | null;
  after: string | null;
  /** The place of the entity among its kind, as in `entities`. */
  created: number;
  /** The entity that shows it, in lower case, after the change and before it; null where there is none. */
  owner: string | null;
  former_owner: string | null;
  /** Its name, where that differs from its key. */
  label: string | null;
}

/** A revision that a user has given a name: it stays whole when older ones are compacted. */
export interface RevisionNameRow {
  revision: number;
  name: string;
  named_by: string;
  named_at: string;
}

/** How far the change log is compacted: one row, or none when it never was. */
export interface CompactionRow {
  /** From this revision on everything is kept; of those before it, only revisions with a name. */
  kept_from: number;
  /** Values that are not kept are gone up to this revision. */
  done_to: number;
}

/** A change of the configuration that was looked at and may be applied. */
export interface PlanRow {
  id: string;
  made_at: string;
  expires_at: string;
  actor: string;
  /** JSON; secrets as cipher texts. */
  content: string;
}
