// The rows of materials: their polls, and the modifications found.
import type { Generated } from 'kysely';

/** Something that pipelines are built from, whichever of them name it, as of its last poll. */
export interface MaterialRow {
  id: Generated<number>;
  fingerprint: string;
  type: string;
  /** For people, without secrets. */
  description: string;
  /** The data that its plugin or client keeps for the next poll. */
  data: string | null;
  /** The name of the directory that belongs to it alone. */
  directory: string;
  /** The revision that the next poll starts from; not always that of the newest modification, for a repository can go back. */
  last_revision: string | null;
  /** The number of modifications, and so the ordinal of the newest. */
  modification_count: number;
  poll_count: number;
  polled_at: string | null;
  /** In a row. */
  failures: number;
  failed_at: string | null;
  failed_before_at: string | null;
  failure: string | null;
}

export interface ModificationRow {
  /** Grows over all materials. */
  id: number;
  material_id: number;
  /** 1, 2, 3 … in each material: a page is found by it, however far down it is. */
  ordinal: number;
  revision: string;
  user_name: string | null;
  email: string | null;
  comment: string | null;
  /** Milliseconds. */
  modified_time: number;
  pipeline_label: string | null;
  pipeline_id: number | null;
  additional_data: string | null;
}

export interface ModifiedFileRow {
  modification_id: number;
  position: number;
  name: string;
  action: string;
}

/** The table `material_wishes`: materials with a requested poll that has not ended. */
export interface RequestedPollRow {
  fingerprint: string;
}
