// The records of backups in their table.
import type { CompiledQuery, Updateable } from 'kysely';
import type { Database } from '../store/database.ts';
import type { BackupRow } from '../store/rows/housekeeping.ts';
import type { BackupRecord, Status, Step, Via } from './record.ts';

type Row = Omit<BackupRow, 'id'> & { readonly id: number };

export class BackupTable {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async add(record: Omit<BackupRecord, 'id'>): Promise<BackupRecord> {
    const row = { ...rowOf(record), copy_state: null };
    const { id } = await this.#database.query.insertInto('backups').values(row).returning('id').executeTakeFirstOrThrow();
    return { id, ...record };
  }

  /** In one transaction with the extra statements. */
  async save({ id, ...record }: BackupRecord, extraStatements: readonly CompiledQuery[] = []): Promise<void> {
    const update = this.#database.query.updateTable('backups').set(rowOf(record)).where('id', '=', id).compile();
    await this.#database.writeTransaction([update, ...extraStatements]);
  }

  async find(id: number): Promise<BackupRecord | undefined> {
    const row = await this.#database.query.selectFrom('backups').selectAll().where('id', '=', id).executeTakeFirst();
    return row && recordOf(row);
  }

  /** The newest first. */
  async list(limit: number, before = Number.MAX_SAFE_INTEGER): Promise<BackupRecord[]> {
    const rows = await this.#database.query
      .selectFrom('backups')
      .selectAll()
      .where('id', '<', before)
      .orderBy('id', 'desc')
      .limit(limit)
      .execute();
    return rows.map(recordOf);
  }

  /** When the last one that succeeded ended. */
  async lastSuccess(): Promise<string | undefined> {
    const row = await this.#database.query
      .selectFrom('backups')
      .select('ended_at')
      .where('status', '=', 'COMPLETED')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst();
    return row?.ended_at ?? undefined;
  }

  /** Backups whose folder should be there, the newest first. */
  async withFolder(): Promise<BackupRecord[]> {
    const rows = await this.#database.query
      .selectFrom('backups')
      .selectAll()
      .where('removed_at', 'is', null)
      .where('status', '<>', 'IN_PROGRESS')
      .orderBy('id', 'desc')
      .execute();
    return rows.map(recordOf);
  }

  /** For the start of the server: those that were cut off. */
  async unfinished(): Promise<BackupRecord[]> {
    const rows = await this.#database.query.selectFrom('backups').selectAll().where('status', '=', 'IN_PROGRESS').orderBy('id').execute();
    return rows.map(recordOf);
  }

  async copyState(id: number): Promise<unknown> {
    const row = await this.#database.query.selectFrom('backups').select('copy_state').where('id', '=', id).executeTakeFirst();
    return row?.copy_state ? JSON.parse(row.copy_state) : undefined;
  }

  async saveCopyState(id: number, state: unknown): Promise<void> {
    const copy_state = state === undefined ? null : JSON.stringify(state);
    await this.#database.query.updateTable('backups').set({ copy_state }).where('id', '=', id).execute();
  }
}

function rowOf(record: Omit<BackupRecord, 'id'>) {
  return {
    time: record.time,
    login_name: record.user,
    via: record.via,
    status: record.status,
    step: record.step,
    message: record.message,
    path: record.path,
    ended_at: record.endedAt,
    bytes: record.bytes,
    phases: JSON.stringify(record.phases),
    verified: record.verified === null ? null : Number(record.verified),
    verification: record.verification,
    script: record.script && JSON.stringify(record.script),
    copy: record.copy && JSON.stringify(record.copy),
    removed_at: record.removedAt,
  } satisfies Updateable<BackupRow>;
}

function recordOf(row: Row): BackupRecord {
  return {
    id: row.id,
    time: row.time,
    user: row.login_name,
    via: row.via as Via,
    status: row.status as Status,
    step: row.step as Step,
    message: row.message,
    path: row.path,
    endedAt: row.ended_at,
    bytes: row.bytes,
    phases: JSON.parse(row.phases),
    verified: row.verified === null ? null : row.verified === 1,
    verification: row.verification,
    script: row.script === null ? null : JSON.parse(row.script),
    copy: row.copy === null ? null : JSON.parse(row.copy),
    removedAt: row.removed_at,
  };
}
