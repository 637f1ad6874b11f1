// The ids of runs, stage runs and jobs. Only the server that runs builds gives them.
import { NotKeeper } from '../../kit/concurrency/periodic/keeper.ts';
import type { Database } from '../database.ts';

type NumberedTable = 'runs' | 'stage_runs' | 'jobs';

export class BuildIds {
  readonly #database: Database;
  /** undefined: they are not known, because another server may give some. */
  #last: Record<NumberedTable, number> | undefined;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Learns which are taken. From then on no other server may give any, until `unload`. */
  async load(): Promise<void> {
    const [runs, stageRuns, jobs] = [await this.#newest('runs'), await this.#newest('stage_runs'), await this.#newest('jobs')];
    this.#last = { runs, stage_runs: stageRuns, jobs };
  }

  unload(): void {
    this.#last = undefined;
  }

  next(table: NumberedTable): number {
    if (!this.#last) throw new NotKeeper();
    return ++this.#last[table];
  }

  async #newest(table: NumberedTable): Promise<number> {
    const row = await this.#database.query.selectFrom(table).select('id').orderBy('id', 'desc').limit(1).executeTakeFirst();
    return row?.id ?? 0;
  }
}
