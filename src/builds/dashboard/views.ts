// The dashboard views of users: named selections of pipelines, each user's own, and which rows one of them shows.
import { sha256 } from '../../kit/bytes/hash.ts';
import type { Database } from '../../store/database.ts';
import type { DecideOptions, SerialTableWrites } from '../../store/serial-table-writes.ts';
import type { DashboardFacts } from './facts.ts';

export const VIEW_TYPES = ['blacklist', 'whitelist'] as const;
export const VIEW_STATES = ['building', 'failing'] as const;

export interface DashboardView {
  readonly name: string;
  /** `blacklist`: all but these pipelines; `whitelist`: these alone. */
  readonly type: (typeof VIEW_TYPES)[number];
  readonly pipelines: readonly string[];
  /** Only pipelines that build or fail now; empty: in any state. */
  readonly state: readonly (typeof VIEW_STATES)[number][];
}

/** The view of users who have not set any. */
export const DEFAULT_VIEW: DashboardView = { name: 'Default', type: 'blacklist', pipelines: [], state: [] };

const isNamed = (name: string) => (view: DashboardView) => view.name.toLowerCase() === name.toLowerCase();

/** The one of this name; the default one where there is none. */
export function viewNamed(views: readonly DashboardView[], name: string | null): DashboardView {
  return views.find(isNamed(name ?? DEFAULT_VIEW.name)) ?? views.find(isNamed(DEFAULT_VIEW.name)) ?? DEFAULT_VIEW;
}

/** Undefined: it shows everything. */
export function filterOf({ type, pipelines, state }: DashboardView): ((facts: DashboardFacts) => boolean) | undefined {
  if (type === 'blacklist' && pipelines.length === 0 && state.length === 0) return undefined;
  const keys = new Set(pipelines.map((name) => name.toLowerCase()));
  const isBuilding = state.includes('building');
  const isFailing = state.includes('failing');
  return ({ pipeline, runs }) => {
    if (keys.has(pipeline.key) !== (type === 'whitelist')) return false;
    if (state.length === 0) return true;
    const statuses = new Set(runs.flatMap(({ stages }) => stages.map(({ status }) => status)));
    const latest = new Set(runs[0]?.stages.map(({ status }) => status));
    return (
      (isBuilding && (statuses.has('Building') || statuses.has('Failing'))) ||
      (isFailing && (latest.has('Failed') || statuses.has('Failing')))
    );
  };
}

export function viewsEtag(views: readonly DashboardView[]): string {
  return sha256(JSON.stringify(views));
}

export class DashboardViews {
  readonly #database: Database;
  readonly #serialWrites: SerialTableWrites;

  /** `serialWrites` are shared with the table of users: deleting a user deletes their views, too. */
  constructor(database: Database, serialWrites: SerialTableWrites) {
    this.#database = database;
    this.#serialWrites = serialWrites;
  }

  /** There is always a default one. */
  async of(userKey: string): Promise<readonly DashboardView[]> {
    const { query } = this.#database;
    const row = await query.selectFrom('dashboard_views').select('views').where('user_key', '=', userKey).executeTakeFirst();
    return row ? withDefault(JSON.parse(row.views) as DashboardView[]) : [DEFAULT_VIEW];
  }

  /** Writes the views that `decide` makes of the present ones. Concurrent changes wait. */
  replace(
    userKey: string,
    decide: (known: readonly DashboardView[]) => readonly DashboardView[],
    { dryRun = false }: DecideOptions = {},
  ): Promise<readonly DashboardView[]> {
    return this.#serialWrites.run(async () => {
      const views = withDefault(decide(await this.of(userKey)));
      const text = JSON.stringify(views);
      const write = this.#database.query
        .insertInto('dashboard_views')
        .values({ user_key: userKey, views: text })
        .onConflict((conflict) => conflict.column('user_key').doUpdateSet({ views: text }));
      if (!dryRun) await write.execute();
      return views;
    });
  }
}

function withDefault(views: readonly DashboardView[]): readonly DashboardView[] {
  return views.some(isNamed(DEFAULT_VIEW.name)) ? views : [DEFAULT_VIEW, ...views];
}
