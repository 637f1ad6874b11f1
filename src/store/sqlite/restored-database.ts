// The database of a backup, as a restore reads it and completes it before a server opens it.
import { DatabaseSync } from 'node:sqlite';

/** The record of the backup that is restored. */
export interface RestoredRecord {
  readonly id: number;
  readonly message: string;
  readonly endedAt: string;
  readonly isVerified: boolean;
}

/** The artifacts directory of the configuration; empty: it has none. */
export function artifactsDirectoryIn(path: string): string {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    const row = database.prepare("select value from entities where kind = 'artifactsConfig'").get();
    return row ? String((JSON.parse(String(row.value)) as { artifactsDir?: string }).artifactsDir ?? '') : '';
  } finally {
    database.close();
  }
}

/** The jobs that were not completed, as the folders of their artifacts. */
export function activeJobsIn(path: string): ReadonlySet<string> {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    const rows = database
      .prepare(
        'select r.pipeline as pipeline, r.counter as run, s.stage as stage, s.counter as counter, j.name as job from jobs j' +
          ' join stage_runs s on s.id = j.stage_run_id join runs r on r.id = s.run_id where j.completed_at is null',
      )
      .all();
    return new Set(rows.map(({ pipeline, run, stage, counter, job }) => `pipelines/${pipeline}/${run}/${stage}/${counter}/${job}`));
  } finally {
    database.close();
  }
}

/** Adds facts from after the backup, which it cannot hold itself. */
export function completeRestored(path: string, { id, message, endedAt, isVerified }: RestoredRecord): void {
  const database = new DatabaseSync(path);
  try {
    // In the backup itself, its record can only say that it is being made.
    database
      .prepare("update backups set status = 'COMPLETED', message = ?, ended_at = ?, verified = ? where id = ? and status = 'IN_PROGRESS'")
      .run(message, endedAt, isVerified ? 1 : null, id);
    // The old server had time to send the waiting mails, and nothing is sent twice.
    database
      .prepare("update outbox set ended_at = ?, ended_as = 'unconfirmed', last_error = ? where ended_at is null")
      .run(new Date().toISOString(), 'It waited when the backup was made, and may have been sent since.');
    // Users who have logged out since must not be logged in again. An older backup has no such table.
    const hasSessions = database.prepare("select 1 from sqlite_master where type = 'table' and name = 'sessions'").get();
    if (hasSessions) database.exec('delete from sessions');
  } finally {
    database.close();
  }
}
