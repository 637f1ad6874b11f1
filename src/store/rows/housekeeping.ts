// The rows of the server's own work: mails, backups, maintenance mode.
import type { Generated } from 'kysely';

/** A mail that waits to be sent, or one that was not and is kept for a while so that its failure can be shown. */
export interface OutboxRow {
  id: Generated<number>;
  /** Every attempt has the same id. */
  message_id: string;
  recipient: string;
  subject: string;
  text: string;
  html: string;
  created_at: string;
  /** The time before which it is not to be tried. */
  due_at: string;
  attempts: number;
  /** How often the mail server had all of it and did not confirm it. */
  doubts: number;
  /** The mail server has all of it, and its answer is not known yet. */
  handed_over_at: string | null;
  last_error: string | null;
  ended_at: string | null;
  ended_as: string | null;
}

/** Something that is wrong, for as long as it is, of which administrators have had their mail. */
export interface MailedConditionRow {
  condition: string;
  since: string;
}

/** Maintenance mode that goes on after a restart: one row while it is on, none otherwise. */
export interface MaintenanceRow {
  by: string;
  since: string;
  reason: string | null;
  until: string | null;
}

export interface BackupRow {
  id: Generated<number>;
  time: string;
  login_name: string;
  via: string;
  status: string;
  step: string;
  message: string;
  path: string;
  ended_at: string | null;
  bytes: number | null;
  /** JSON, as are script, copy and copy_state. */
  phases: string;
  verified: number | null;
  verification: string | null;
  script: string | null;
  copy: string | null;
  /** The state from which the copy to the bucket goes on after a crash. */
  copy_state: string | null;
  removed_at: string | null;
}
