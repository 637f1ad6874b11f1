// How much room the artifacts of each pipeline take. It is kept up with each publication and each purge.
import { sql } from 'kysely';
import type { Database } from '../database.ts';
import type { ArtifactUsageRow } from '../rows/artifacts.ts';

export interface UsageTotal {
  readonly pipelines: number;
  readonly files: number;
  readonly bytes: number;
}

export class ArtifactUsage {
  readonly #database: Pick<Database, 'query'>;

  constructor(database: Pick<Database, 'query'>) {
    this.#database = database;
  }

  /** The pipelines that take most come first. */
  page(offset: number, limit: number): Promise<readonly Readonly<ArtifactUsageRow>[]> {
    return this.#used().selectAll().orderBy('bytes', 'desc').orderBy('pipeline_key').offset(offset).limit(limit).execute();
  }

  async total(): Promise<UsageTotal> {
    const sum = (column: 'files' | 'bytes') => sql<number>`coalesce(sum(${sql.ref(column)}), 0)`;
    const row = await this.#used()
      .select([sql<number>`count(*)`.as('pipelines'), sum('files').as('files'), sum('bytes').as('bytes')])
      .executeTakeFirstOrThrow();
    return { pipelines: Number(row.pipelines), files: Number(row.files), bytes: Number(row.bytes) };
  }

  #used() {
    return this.#database.query.selectFrom('artifact_usage').where((one) => one.or([one('files', '>', 0), one('bytes', '>', 0)]));
  }
}
