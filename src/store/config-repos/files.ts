// The files of config repos as they were read last.
import type { CompiledQuery } from 'kysely';
import { sql } from 'kysely';
import type { Database } from '../database.ts';
import { fill } from '../fill.ts';
import type { ConfigRepoFileRow } from '../rows/config-repos.ts';

export interface StoredFile {
  readonly path: string;
  /** A digest of the type that the plugin took it for. */
  readonly readAs: string;
  /** Empty: it cannot be read. */
  readonly contentId: string;
  readonly parser: string;
  readonly isInForce: boolean;
  /** JSON. */
  readonly outline: string;
}

export interface FileToStore extends Omit<StoredFile, 'isInForce'> {
  /** Of the format; 0: it does not say. */
  readonly version: number;
  /** It has problems or warnings, which are reported at each attempt. */
  readonly isReported: boolean;
  readonly parsed: string;
}

/** The files that declare the same version. */
export interface OfVersion {
  readonly version: number;
  readonly count: number;
  readonly firstPath: string;
}

/** The files that the next publication depends on: changed since the last one, or with problems or warnings. */
export interface FilesToCheck {
  /** In the order of their paths. */
  readonly files: readonly StoredFile[];
  /** The paths of files that were removed, and whose definitions may still be in force. */
  readonly removedPaths: readonly string[];
}

/** Always the same number of places, so that it is always the same statement. */
const PATHS_AT_ONCE = 50;
const COLUMNS = ['path', 'read_as', 'content_id', 'parser', 'is_in_force', 'outline'] as const;

interface Row {
  readonly path: string;
  readonly read_as: string;
  readonly content_id: string;
  readonly parser: string;
  readonly is_in_force: number;
  readonly outline: string;
}

/** In the order in which they are written. */
const WRITTEN = [
  'repo',
  'path',
  'read_as',
  'content_id',
  'parser',
  'version',
  'is_in_force',
  'is_told',
  'is_gone',
  'outline',
  'parsed',
] as const satisfies readonly (keyof ConfigRepoFileRow)[];

export class ConfigRepoFiles {
  readonly #database: Database;
  readonly #put: CompiledQuery;

  constructor(database: Database) {
    this.#database = database;
    const empty = Object.fromEntries(WRITTEN.map((column) => [column, ''])) as unknown as ConfigRepoFileRow;
    this.#put = database.query
      .insertInto('config_repo_files')
      .values(empty)
      .onConflict((conflict) =>
        conflict
          .columns(['repo', 'path'])
          .doUpdateSet(({ ref }) => Object.fromEntries(WRITTEN.slice(2).map((column) => [column, ref(`excluded.${column}`)]))),
      )
      .compile();
  }

  /** The outlines of all files, in the order of their paths. */
  async all(repo: string): Promise<StoredFile[]> {
    return (await this.#select(repo).execute()).map(fromRow).sort(byPath);
  }

  /** The outlines of the files at these paths; unknown ones are left out. */
  async at(repo: string, paths: readonly string[]): Promise<StoredFile[]> {
    const found: StoredFile[] = [];
    for (const some of groupsOf(paths)) found.push(...(await this.#select(repo).where('path', 'in', some).execute()).map(fromRow));
    return found;
  }

  /** The outlines of files that are not in force as they are, or have problems or warnings; and the paths of removed ones. */
  async toCheck(repo: string): Promise<FilesToCheck> {
    // Only columns of the index, so that no other rows are read.
    const rows = await this.#database.query
      .selectFrom('config_repo_files')
      .select(['path', 'is_gone'])
      .where('repo', '=', repo)
      .where((row) => row.or([row('is_in_force', '=', 0), row('is_told', '=', 1)]))
      .execute();
    const [removed, present] = [rows.filter((row) => row.is_gone === 1), rows.filter((row) => row.is_gone === 0)];
    const files = await this.at(
      repo,
      present.map(({ path }) => path),
    );
    return { files: files.sort(byPath), removedPaths: removed.map(({ path }) => path) };
  }

  /** How many there are, by version. */
  async versions(repo: string): Promise<OfVersion[]> {
    return this.#database.query
      .selectFrom('config_repo_files')
      .select(['version', sql<number>`count(*)`.as('count'), sql<string>`min(path)`.as('firstPath')])
      .where('repo', '=', repo)
      .where('is_gone', '=', 0)
      .groupBy('version')
      .orderBy('version')
      .execute();
  }

  /** All that some of them say, as it was handed in. */
  async *parsed(repo: string, paths: readonly string[]): AsyncGenerator<{ readonly path: string; readonly parsed: string }, void> {
    for (const some of groupsOf(paths))
      yield* await this.#database.query
        .selectFrom('config_repo_files')
        .select(['path', 'parsed'])
        .where('repo', '=', repo)
        .where('path', 'in', some)
        .execute();
  }

  /** It is not in force yet. */
  put(repo: string, { readAs, contentId, isReported, ...same }: FileToStore): CompiledQuery {
    const row = { ...same, repo, read_as: readAs, content_id: contentId, is_in_force: 0, is_told: isReported ? 1 : 0, is_gone: 0 };
    return fill(
      this.#put,
      WRITTEN.map((column) => row[column]),
    );
  }

  /** The file is gone; its row stays until its definitions are out of force. */
  remove(repo: string, path: string): CompiledQuery {
    return this.#database.query
      .updateTable('config_repo_files')
      .set({ is_gone: 1, is_in_force: 0, is_told: 0, outline: '', parsed: '' })
      .where('repo', '=', repo)
      .where('path', '=', path)
      .compile();
  }

  /** Puts the files that are there in force as they are, and nothing else. */
  allInForce(repo: string): CompiledQuery[] {
    const { query } = this.#database;
    return [
      query.deleteFrom('config_repo_files').where('repo', '=', repo).where('is_gone', '=', 1).compile(),
      query.updateTable('config_repo_files').set({ is_in_force: 1 }).where('repo', '=', repo).where('is_in_force', '=', 0).compile(),
    ];
  }

  removeAll(repo: string): CompiledQuery {
    return this.#database.query.deleteFrom('config_repo_files').where('repo', '=', repo).compile();
  }

  #select(repo: string) {
    return this.#database.query.selectFrom('config_repo_files').select(COLUMNS).where('repo', '=', repo).where('is_gone', '=', 0);
  }
}

function* groupsOf(paths: readonly string[]): Generator<string[]> {
  for (let start = 0; start < paths.length; start += PATHS_AT_ONCE)
    yield Array.from({ length: PATHS_AT_ONCE }, (_, index) => paths[start + index] ?? paths[start]!);
}

/** As JavaScript compares texts, and so do plugins; databases differ. */
function byPath({ path: one }: StoredFile, { path: other }: StoredFile): number {
  return one < other ? -1 : 1;
}

function fromRow({ path, read_as, content_id, parser, is_in_force, outline }: Row): StoredFile {
  return { path, readAs: read_as, contentId: content_id, parser, isInForce: is_in_force === 1, outline };
}
