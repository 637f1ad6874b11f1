// Notification filters: the events that each user wants mail about, and which filter is covered by another one.
import type { Database } from '../store/database.ts';
import type { FilterRow } from '../store/rows/users.ts';
import type { DecideOptions, SerialTableWrites } from '../store/serial-table-writes.ts';

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
  readonly #serialWrites: SerialTableWrites;

  /** `serialWrites` are shared with the table of users: a user who is deleted takes their filters along. */
  constructor(database: Database, serialWrites: SerialTableWrites) {
    this.#database = database;
    this.#serialWrites = serialWrites;
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

  /** The filters of all users, by the key of the user: for the decision about mail. */
  async byUser(): Promise<Map<string, Filter[]>> {
    const rows = await this.#database.query.selectFrom('notification_filters').selectAll().orderBy('id').execute();
    const byKey = new Map<string, Filter[]>();
    for (const row of rows) byKey.getOrInsertComputed(row.user_key, () => []).push(fromRow(row));
    return byKey;
  }

  // Each of these lets `decide` look at the filters of the user, and writes its decision before the next change gets its turn.

  add(userKey: string, decide: (own: readonly Filter[]) => FilterContent, options?: DecideOptions): Promise<Filter> {
    return this.#serially(userKey, async (own) => {
      const content = decide(own);
      return { id: options?.dryRun ? 0 : await this.#insert(userKey, content), ...content };
    });
  }

  replace(userKey: string, decide: (own: readonly Filter[]) => Filter, { dryRun = false }: DecideOptions = {}): Promise<Filter> {
    return this.#serially(userKey, async (own) => {
      const filter = decide(own);
      const change = this.#database.query.updateTable('notification_filters').set(toRow(filter)).where('id', '=', filter.id);
      if (!dryRun) await change.execute();
      return filter;
    });
  }

  remove(userKey: string, decide: (own: readonly Filter[]) => Filter, { dryRun = false }: DecideOptions = {}): Promise<Filter> {
    return this.#serially(userKey, async (own) => {
      const filter = decide(own);
      if (!dryRun) await this.#database.query.deleteFrom('notification_filters').where('id', '=', filter.id).execute();
      return filter;
    });
  }

  #serially<T>(userKey: string, work: (own: readonly Filter[]) => Promise<T>): Promise<T> {
    return this.#serialWrites.run(async () => work(await this.of(userKey)));
  }

  async #insert(userKey: string, content: FilterContent): Promise<number> {
    const row = { user_key: userKey, ...toRow(content) };
    const { id } = await this.#database.query.insertInto('notification_filters').values(row).returning('id').executeTakeFirstOrThrow();
    return id;
  }
}

function fromRow(row: Omit<FilterRow, 'id'> & { id: number }): Filter {
  return { id: row.id, pipeline: row.pipeline, stage: row.stage, event: row.event as FilterEvent, matchCommits: row.match_commits === 1 };
}

function toRow({ pipeline, stage, event, matchCommits }: FilterContent): Omit<FilterRow, 'id' | 'user_key'> {
  return { pipeline, stage, event, match_commits: matchCommits ? 1 : 0 };
}
