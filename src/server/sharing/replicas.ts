// The servers that share a database: each announces to the others that it is there, and where.
import { hostname } from 'node:os';
import type { Database } from '../../store/database.ts';
import type { ReplicaRow } from '../../store/rows/sharing.ts';

export interface OwnReplica extends Pick<ReplicaRow, 'id' | 'url' | 'version' | 'plugins'> {
  readonly startedAt: Date;
}

export interface Replica extends Readonly<ReplicaRow> {
  /** Milliseconds since its last contact. */
  readonly silence: number;
  /** The number of writes that are not known there yet. */
  readonly lag: number;
}

/** A replica without contact for so long counts as gone. */
export const SILENT_MS = 5000;
/** A replica without contact for so long is forgotten. */
const FORGOTTEN_MS = 24 * 60 * 60_000;

export class Replicas {
  readonly #database: Database;
  readonly #facts: OwnReplica;

  constructor(database: Database, facts: OwnReplica) {
    this.#database = database;
    this.#facts = facts;
  }

  /** The heartbeat: the other servers see by it that this one is there. */
  async sendHeartbeat(commit: number): Promise<void> {
    const { query, clock } = this.#database;
    const { id, url, version, plugins, startedAt } = this.#facts;
    const facts = { url, host: hostname(), version, plugins, started_at: startedAt.toISOString(), seen_at: clock, commit };
    const put = query.insertInto('replicas').values({ id, ...facts });
    await this.#database.writeRelaxed([put.onConflict((conflict) => conflict.column('id').doUpdateSet(facts)).compile()]);
  }

  async leave(): Promise<void> {
    await this.#database.query.deleteFrom('replicas').where('id', '=', this.#facts.id).execute();
  }

  /** For the keeper. */
  async forgetGone(): Promise<void> {
    const { query, clock } = this.#database;
    await query
      .deleteFrom('replicas')
      .where((row) => row('seen_at', '<', row(clock, '-', FORGOTTEN_MS)))
      .execute();
  }

  async all(): Promise<Replica[]> {
    const { query, clock } = this.#database;
    const { commit: newest } = await query.selectFrom('head').select('commit').executeTakeFirstOrThrow();
    const rows = await query.selectFrom('replicas').selectAll().select(clock.as('now')).orderBy('started_at').execute();
    return rows.map(({ now, ...row }) => ({ ...row, silence: now - row.seen_at, lag: Math.max(0, newest - row.commit) }));
  }

  /** Where one of them is reached; undefined: it is not there. */
  async urlOf(id: string): Promise<string | undefined> {
    const row = await this.#database.query.selectFrom('replicas').select('url').where('id', '=', id).executeTakeFirst();
    return row?.url;
  }
}
