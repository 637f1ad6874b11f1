// The attempts to bring revisions of config repos into force: the last ones of each repo.
import type { CompiledQuery, Selectable } from 'kysely';
import type { Database } from '../database.ts';
import type { ConfigRepoParseRow } from '../rows/config-repos.ts';

export interface ParseToRecord {
  readonly at: Date;
  /** Empty: the repository could not be reached. */
  readonly revision: string;
  readonly outcome: string;
  /** Files that the plugin reads, and how many of them had to be read this time. */
  readonly matched: number;
  readonly parsed: number;
  readonly durationMs: number;
  readonly errors: readonly object[];
  readonly warnings: readonly object[];
}

export interface RecordedParse extends ParseToRecord {
  readonly id: number;
}

type Row = Selectable<ConfigRepoParseRow>;

const MAX_KEPT = 100;

export class ConfigRepoParses {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** The newest first; `before`: only those with a lower id. */
  async page(repo: string, limit: number, before = Number.MAX_SAFE_INTEGER): Promise<RecordedParse[]> {
    const rows = await this.#database.query
      .selectFrom('config_repo_parses')
      .selectAll()
      .where('repo', '=', repo)
      .where('id', '<', before)
      .orderBy('id', 'desc')
      .limit(limit)
      .execute();
    return rows.map(fromRow);
  }

  /** Adds one, and forgets those that are too old. */
  add(repo: string, { at, durationMs, errors, warnings, ...same }: ParseToRecord): CompiledQuery[] {
    const { query } = this.#database;
    const texts = { at: at.toISOString(), errors: JSON.stringify(errors), warnings: JSON.stringify(warnings) };
    const row = { ...same, ...texts, repo, duration_ms: durationMs };
    const tooOld = query
      .selectFrom('config_repo_parses')
      .select('id')
      .where('repo', '=', repo)
      .orderBy('id', 'desc')
      .offset(MAX_KEPT)
      .limit(1);
    return [
      query.insertInto('config_repo_parses').values(row).compile(),
      query.deleteFrom('config_repo_parses').where('repo', '=', repo).where('id', '<=', tooOld).compile(),
    ];
  }

  removeAll(repo: string): CompiledQuery {
    return this.#database.query.deleteFrom('config_repo_parses').where('repo', '=', repo).compile();
  }
}

function fromRow({ repo: _, at, duration_ms: durationMs, errors, warnings, ...same }: Row): RecordedParse {
  const list = (text: string) => JSON.parse(text) as object[];
  return { ...same, at: new Date(at), durationMs, errors: list(errors), warnings: list(warnings) };
}
