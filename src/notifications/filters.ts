// Notification filters: what each user wants mail about, and which filter says what another one says already.
import type { Database } from '../store/database.ts';
import type { FilterRow } from '../store/tables.ts';

export const ANY_PIPELINE = '[Any Pipeline]';
export const ANY_STAGE = '[Any Stage]';
export const EVENTS = ['Fails', 'Passes', 'Breaks', 'Fixed', 'Cancelled', 'All'] as const;
export type FilterEvent = (typeof EVENTS)[number];

export interface FilterContent {
  readonly pipeline: string;
  readonly stage: string;
  readonly event: FilterEvent;
  readonly matchCommits: boolean;
}

export interface Filter extends FilterContent {
  readonly id: number;
}

/** The filter that already covers this one: for the same stage, with the same event or all of them. */
export function coveringFilter(filters: readonly Filter[], { pipeline, stage, event }: FilterContent): Filter | undefined {
  return filters.find((one) => one.pipeline === pipeline && one.stage === stage && (one.event === 'All' || one.event === event));
}

export class Filters {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async of(userKey: string): Promise<Filter[]> {
    const rows = await this.#database.query
      .selectFrom('notification_filters')
      .selectAll()
      .where('user_key', '=', userKey)
      .orderBy('id')
      .execute();
    return rows.map(fromRow);
  }

  /** Those of all users, by the key of the user: for whoever decides about mail. */
  async byUser(): Promise<Map<string, Filter[]>> {
    const rows = await this.#database.query.selectFrom('notification_filters').selectAll().orderBy('id').execute();
    const byKey = new Map<string, Filter[]>();
    for (const row of rows) byKey.getOrInsertComputed(row.user_key, () => []).push(fromRow(row));
    return byKey;
  }

  async add(userKey: string, content: FilterContent): Promise<Filter> {
    const row = { user_key: userKey, ...toRow(content) };
    const { id } = await this.#database.query.insertInto('notification_filters').values(row).returning('id').executeTakeFirstOrThrow();
    return { id, ...content };
  }

  async replace({ id, ...content }: Filter): Promise<void> {
    await this.#database.query.updateTable('notification_filters').set(toRow(content)).where('id', '=', id).execute();
  }

  async remove(id: number): Promise<void> {
    await this.#database.query.deleteFrom('notification_filters').where('id', '=', id).execute();
  }
}

function fromRow(row: Omit<FilterRow, 'id'> & { id: number }): Filter {
  return { id: row.id, pipeline: row.pipeline, stage: row.stage, event: row.event as FilterEvent, matchCommits: row.match_commits === 1 };
}

function toRow({ pipeline, stage, event, matchCommits }: FilterContent): Omit<FilterRow, 'id' | 'user_key'> {
  return { pipeline, stage, event, match_commits: matchCommits ? 1 : 0 };
}
