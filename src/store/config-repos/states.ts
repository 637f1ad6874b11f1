// How far each config repo is, and how the last attempt to bring it into force ended.
import type { CompiledQuery } from 'kysely';
import type { Database } from '../database.ts';
import type { ConfigRepoStateRow } from '../rows/config-repos.ts';

/** `published`: in force. `unread`: its files could not be read. `unparsed`: they could not be understood. `refused`: they do not fit, or may not. */
export type Outcome = 'published' | 'unread' | 'unparsed' | 'refused';

export interface RepoState {
  readonly repo: string;
  readonly settings: string | null;
  readonly cursor: string | null;
  readonly inForce: string;
  readonly rules: string;
  readonly revision: string | null;
  readonly goodRevision: string | null;
  readonly outcome: Outcome;
  readonly message: string;
  readonly detail: string;
  readonly modification: object | null;
  readonly goodModification: object | null;
}

export class ConfigRepoStates {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async all(): Promise<RepoState[]> {
    return (await this.#database.query.selectFrom('config_repo_states').selectAll().execute()).map(fromRow);
  }

  put(state: RepoState): CompiledQuery {
    const { repo, ...rest } = toRow(state);
    return this.#database.query
      .insertInto('config_repo_states')
      .values({ repo, ...rest })
      .onConflict((conflict) => conflict.column('repo').doUpdateSet(rest))
      .compile();
  }

  remove(repo: string): CompiledQuery {
    return this.#database.query.deleteFrom('config_repo_states').where('repo', '=', repo).compile();
  }
}

function toRow({ cursor, inForce, goodRevision, modification, goodModification, ...same }: RepoState): ConfigRepoStateRow {
  const text = (value: object | null) => value && JSON.stringify(value);
  return {
    ...same,
    mark: cursor,
    in_force: inForce,
    good_revision: goodRevision,
    modification: text(modification),
    good_modification: text(goodModification),
  };
}

function fromRow({ mark, in_force, good_revision, good_modification, modification, outcome, ...same }: ConfigRepoStateRow): RepoState {
  const value = (text: string | null) => (text === null ? null : (JSON.parse(text) as object));
  return {
    ...same,
    cursor: mark,
    inForce: in_force,
    goodRevision: good_revision,
    outcome: outcome as Outcome,
    modification: value(modification),
    goodModification: value(good_modification),
  };
}
