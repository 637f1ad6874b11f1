// The table of the outbox: reads and writes its rows.
import type { CompiledQuery, Selectable } from 'kysely';
import type { Database } from '../store/database.ts';
import type { OutboxRow } from '../store/rows/housekeeping.ts';
import type { StampedMail } from './mail.ts';
import type { Ending, NextStep } from './retry.ts';

export interface OutboxMail extends StampedMail {
  readonly id: number;
  readonly attempts: number;
  readonly doubts: number;
}

export class OutboxTable {
  readonly #database: Database;
  /** Compiled beforehand: between this statement and the mail itself every microsecond counts. */
  readonly #mark: CompiledQuery;

  constructor(database: Database) {
    this.#database = database;
    this.#mark = database.query.updateTable('outbox').set({ handed_over_at: '' }).where('id', '=', 0).compile();
  }

  insertOf({ to, subject, text, html, messageId, createdAt }: StampedMail): CompiledQuery {
    const row = {
      message_id: messageId,
      recipient: to,
      subject,
      text,
      html,
      created_at: createdAt,
      due_at: createdAt,
      attempts: 0,
      doubts: 0,
      handed_over_at: null,
      last_error: null,
      ended_at: null,
      ended_as: null,
    };
    return this.#database.query.insertInto('outbox').values(row).compile();
  }

  async due(now: string, limit: number, except: readonly number[]): Promise<OutboxMail[]> {
    const rows = await this.#open(except).selectAll().where('due_at', '<=', now).orderBy('due_at').orderBy('id').limit(limit).execute();
    return rows.map(fromRow);
  }

  async nextDue(except: readonly number[]): Promise<string | undefined> {
    const first = await this.#open(except)
      .select((select) => select.fn.min('due_at').as('due_at'))
      .executeTakeFirst();
    return first?.due_at ?? undefined;
  }

  /** Mails that a process handed over to the mail server, and ended before it had the answer. */
  async handedOver(): Promise<OutboxMail[]> {
    const rows = await this.#database.query
      .selectFrom('outbox')
      .selectAll()
      .where('ended_at', 'is', null)
      .where('handed_over_at', 'is not', null)
      .execute();
    return rows.map(fromRow);
  }

  /** Does not wait for the disk: the wait would lie between the mark and the mail. */
  markHandedOver(id: number, now: string): Promise<void> {
    return this.#database.writeRelaxed([{ ...this.#mark, parameters: [now, id] }]);
  }

  async remove(id: number): Promise<void> {
    await this.#database.query.deleteFrom('outbox').where('id', '=', id).execute();
  }

  async postpone(id: number, { dueAt, attempts, doubts }: Extract<NextStep, { kind: 'retry' }>, reason: string): Promise<void> {
    const changed = { due_at: dueAt, attempts, doubts, handed_over_at: null, last_error: reason };
    await this.#database.query.updateTable('outbox').set(changed).where('id', '=', id).execute();
  }

  async end(id: number, as: Ending, reason: string, now: string): Promise<void> {
    const changed = { ended_at: now, ended_as: as, last_error: reason };
    await this.#database.query.updateTable('outbox').set(changed).where('id', '=', id).execute();
  }

  /** Mails that may have arrived keep their time. */
  async expedite(now: string): Promise<void> {
    await this.#database.query
      .updateTable('outbox')
      .set({ due_at: now })
      .where('ended_at', 'is', null)
      .where('doubts', '=', 0)
      .where('due_at', '>', now)
      .execute();
  }

  /** Deletes the mails that ended before this time, and counts the rest. */
  async endings(since: string): Promise<Readonly<Record<Ending, number>>> {
    const { query } = this.#database;
    const ended = query.selectFrom('outbox').select('id').where('ended_at', '<', since).limit(1);
    if (await ended.executeTakeFirst()) await query.deleteFrom('outbox').where('ended_at', '<', since).execute();
    const rows = await query
      .selectFrom('outbox')
      .select((select) => ['ended_as', select.fn.countAll().as('count')])
      .where('ended_at', 'is not', null)
      .groupBy('ended_as')
      .execute();
    const count = (as: Ending) => Number(rows.find(({ ended_as }) => ended_as === as)?.count ?? 0);
    return { refused: count('refused'), expired: count('expired'), unconfirmed: count('unconfirmed') };
  }

  #open(except: readonly number[]) {
    const open = this.#database.query.selectFrom('outbox').where('ended_at', 'is', null).where('handed_over_at', 'is', null);
    return except.length === 0 ? open : open.where('id', 'not in', except);
  }
}

function fromRow(row: Selectable<OutboxRow>): OutboxMail {
  return {
    id: row.id,
    messageId: row.message_id,
    to: row.recipient,
    subject: row.subject,
    text: row.text,
    html: row.html,
    createdAt: row.created_at,
    attempts: row.attempts,
    doubts: row.doubts,
  };
}
