// Requested polls that have not ended: they are repeated after a restart.
import { NotKeeper } from '../../kit/concurrency/periodic/keeper.ts';
import type { Database } from '../database.ts';

export class RequestedPolls {
  readonly #database: Database;
  /** undefined: it is not known, because another server polls. */
  #requested: Set<string> | undefined;

  constructor(database: Database) {
    this.#database = database;
  }

  async load(): Promise<void> {
    const rows = await this.#database.query.selectFrom('material_wishes').select('fingerprint').execute();
    this.#requested = new Set(rows.map(({ fingerprint }) => fingerprint));
  }

  unload(): void {
    this.#requested = undefined;
  }

  has(fingerprint: string): boolean {
    return this.#loaded.has(fingerprint);
  }

  /** Returns when it is on disk. */
  async add(fingerprint: string): Promise<void> {
    this.#loaded.add(fingerprint);
    const { query } = this.#database;
    const statement = query
      .insertInto('material_wishes')
      .values({ fingerprint })
      .onConflict((conflict) => conflict.doNothing());
    await this.#database.writeTransaction([statement.compile()]);
  }

  async remove(fingerprint: string): Promise<void> {
    if (!this.#loaded.delete(fingerprint)) return;
    await this.#database.writeRelaxed([
      this.#database.query.deleteFrom('material_wishes').where('fingerprint', '=', fingerprint).compile(),
    ]);
  }

  get #loaded(): Set<string> {
    if (!this.#requested) throw new NotKeeper();
    return this.#requested;
  }
}
