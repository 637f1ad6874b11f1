// Leases: a replica holds one for a while, and no other replica holds it meanwhile. Time is that of the database.
import { sql } from 'kysely';
import type { Database } from './database.ts';
import type { Lease } from './lease.ts';

export class Leases {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Takes the lease, or extends it; undefined: another replica has it. */
  async take(name: string, holder: string, milliseconds: number): Promise<Lease | undefined> {
    const { query, clock } = this.#database;
    const until = sql<number>`${clock} + ${sql.lit(milliseconds)}`;
    const row = await query
      .insertInto('leases')
      .values({ name, holder, epoch: 1, until })
      .onConflict((conflict) =>
        conflict
          .column('name')
          .doUpdateSet({
            holder: sql`excluded.holder`,
            epoch: sql`case when leases.holder = excluded.holder then leases.epoch else leases.epoch + 1 end`,
            until: sql`excluded.until`,
          })
          .where((row) => row.or([row('leases.holder', '=', holder), row('leases.until', '<', clock)])),
      )
      .returning('epoch')
      .executeTakeFirst();
    return row && { name, holder, epoch: row.epoch };
  }

  /** Another replica can take it at once. */
  async release({ name, holder, epoch }: Lease): Promise<void> {
    const update = this.#database.query.updateTable('leases').set({ until: 0 });
    await update.where('name', '=', name).where('holder', '=', holder).where('epoch', '=', epoch).execute();
  }

  /** The replica that has it now. */
  async holder(name: string): Promise<string | undefined> {
    const { query, clock } = this.#database;
    const row = await query.selectFrom('leases').select('holder').where('name', '=', name).where('until', '>=', clock).executeTakeFirst();
    return row?.holder;
  }
}
