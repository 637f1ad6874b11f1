// Reads the changed files of a config repo, and stores their definitions.
import type { CompiledQuery } from 'kysely';
import type { ChosenFile, ConfigRepoPlugin } from '../../../contracts/plugins/config-repo.ts';
import type { Cipher } from '../../../kit/bytes/cipher.ts';
import { chunksOf } from '../../../kit/chunks.ts';
import { pause } from '../../../kit/concurrency/time-slices.ts';
import type { Choose, FileChanges, FileContent, PathProblem, RevisionFiles } from '../../../materials/files/contract.ts';
import type { ConfigRepoFiles, FileToStore, StoredFile } from '../../../store/config-repos/files.ts';
import { type PackedFile, unreadable } from '../../parsing/packed.ts';
import { ParseFailure } from '../../parsing/pool.ts';
import type { RepoConfig } from '../repo-config.ts';
import { type FilePlan, filePlan, summaryOf } from './file-plan.ts';

export interface FilesRead {
  /** The files that have just been read, by path. */
  readonly fresh: ReadonlyMap<string, PackedFile>;
  readonly notes: readonly PathProblem[];
  /** null: all files have to be compared the next time. */
  readonly cursor: string | null;
  /** The statements that are still to be written. */
  readonly statements: readonly CompiledQuery[];
}

export interface ReadingParts {
  readonly files: Pick<ConfigRepoFiles, 'all' | 'at' | 'put' | 'remove'>;
  readonly cipher: Pick<Cipher, 'encrypt' | 'digest'>;
  parse(plugin: string, file: ChosenFile, bytes: Uint8Array, signal?: AbortSignal): Promise<PackedFile>;
  /** Writes some of the files read, when they are too much for one transaction. */
  writePart(statements: readonly CompiledQuery[]): Promise<void>;
  onFault(failure: unknown, message: string): void;
}

const PATHS_AT_ONCE = 1000;
/** Maximum number of files of one repo that are parsed at a time: other repos need their turn, too. */
const PARSED_AT_ONCE = 4;
const MAX_IN_PART = 200;
const MAX_CHARACTERS_IN_PART = 1_000_000;
/** A repo whose files cost a thread each is not read to its end. */
const MAX_UNPARSED = 3;

export class FileReading {
  readonly #repo: RepoConfig & { readonly plugin: ConfigRepoPlugin };
  readonly #parts: ReadingParts;
  readonly #fresh = new Map<string, PackedFile>();
  #waiting: CompiledQuery[] = [];
  #charactersWaiting = 0;
  #unparsed = 0;
  readonly #digests = new Map<string, string>();
  /** Settings are part of how a file is read, and may be secret. */
  readonly #digestOf = (as: string) => this.#digests.getOrInsertComputed(as, (text) => this.#parts.cipher.digest(text));

  constructor(repo: RepoConfig & { readonly plugin: ConfigRepoPlugin }, parts: ReadingParts) {
    this.#repo = repo;
    this.#parts = parts;
  }

  async run(from: RevisionFiles, since: string | undefined, onListed: () => void): Promise<FilesRead> {
    const readAs = new Map<string, string>();
    const changes = await from.changes(since, this.#chooser(readAs));
    onListed();
    const plan = filePlan(await this.#knownOf(changes), changes, readAs, this.#repo.parser, this.#digestOf);
    for (const file of plan.unreadable) this.#keep(file);
    if (plan.toRead.length > 0) await this.#readAll(from, plan);
    for (const path of plan.gone) this.#waiting.push(this.#parts.files.remove(this.#repo.id, path));
    const cursor = this.#unparsed > 0 ? null : changes.cursor;
    return { fresh: this.#fresh, notes: changes.notes, cursor, statements: this.#waiting };
  }

  /** The stored rows of the files concerned. */
  #knownOf({ isComplete, changed, removed, problems }: FileChanges): Promise<readonly StoredFile[]> {
    const { files } = this.#parts;
    const { id } = this.#repo;
    return isComplete ? files.all(id) : files.at(id, [...[...changed, ...problems].map(({ path }) => path), ...removed]);
  }

  #chooser(readAs: Map<string, string>): Choose {
    const { plugin, configuration, pluginSettings } = this.#repo;
    return async (paths) => {
      const chosen: string[] = [];
      for (const some of chunksOf(paths, PATHS_AT_ONCE)) {
        for (const { path, as } of plugin.choose(some, configuration, pluginSettings)) {
          readAs.set(path, as);
          chosen.push(path);
        }
        await pause();
      }
      return chosen;
    };
  }

  async #readAll(from: RevisionFiles, { toRead }: FilePlan): Promise<void> {
    const byPath = new Map(toRead.map((file) => [file.path, file]));
    const underWay = new Set<Promise<void>>();
    try {
      for await (const content of from.read(toRead)) {
        const { as, id } = byPath.get(content.path)!;
        const task = this.#parse(content, as, id).finally(() => underWay.delete(task));
        underWay.add(task);
        if (underWay.size >= PARSED_AT_ONCE) await Promise.race(underWay);
        if (this.#waiting.length >= MAX_IN_PART || this.#charactersWaiting >= MAX_CHARACTERS_IN_PART) await this.#writePart();
      }
      await Promise.all(underWay);
    } finally {
      await Promise.allSettled(underWay);
    }
  }

  async #parse(content: FileContent | PathProblem, readAs: string, contentId: string): Promise<void> {
    const { path } = content;
    const { parser, pluginId } = this.#repo;
    const known = { path, readAs: this.#digestOf(readAs), contentId, parser };
    if ('message' in content) return this.#keepFresh(known, { outline: unreadable(path, content.message), rest: '' });
    try {
      if (this.#unparsed >= MAX_UNPARSED) throw new ParseFailure('Not read, because others of this repository could not be.');
      this.#keepFresh(known, await this.#parts.parse(pluginId, { path, as: readAs }, content.bytes));
    } catch (failure) {
      if (!(failure instanceof ParseFailure)) throw failure;
      this.#unparsed++;
      if (failure.cause) this.#parts.onFault(failure.cause, `the file ${path} of the config repo ${this.#repo.id} could not be parsed`);
      // Without the name of a parser, so that the file does not count as parsed.
      this.#keepFresh({ ...known, parser: '' }, { outline: unreadable(path, failure.message), rest: '' });
    }
  }

  #keepFresh(known: Pick<FileToStore, 'path' | 'readAs' | 'contentId' | 'parser'>, fresh: PackedFile): void {
    this.#fresh.set(known.path, fresh);
    const parsed = fresh.rest === '' ? '' : this.#parts.cipher.encrypt(fresh.rest);
    this.#keep({ ...known, ...summaryOf(fresh.outline), parsed });
  }

  #keep(file: FileToStore): void {
    this.#waiting.push(this.#parts.files.put(this.#repo.id, file));
    this.#charactersWaiting += file.outline.length + file.parsed.length;
  }

  async #writePart(): Promise<void> {
    const part = this.#waiting;
    this.#waiting = [];
    this.#charactersWaiting = 0;
    await this.#parts.writePart(part);
  }
}
