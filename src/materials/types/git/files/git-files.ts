// The files of a commit, straight from a bare repository: nothing is checked out.
import { CommandFailure, CommandStopped } from '../../../../kit/process/command.ts';
import { isGitRevision } from '../../../../kit/text/git-ref.ts';
import type { Content, Difference, Entry, FileSource, RefusedPath } from '../../../files/source.ts';
import { readBlobs } from './blobs.ts';
import type { Commit } from './commit.ts';
import { MODULES_FILE, type Submodules } from './submodules.ts';
import { DIFFERENCE_ARGS, differencesIn, LIST_ARGS, listedEntry, TREE_SEPARATOR, type TreeEntry } from './tree-reader.ts';

/** Two for each difference. */
const MAX_RECORDS = 400_000;

export class GitFiles implements FileSource {
  readonly #commit: Commit;
  readonly #submodules: Submodules;
  readonly #onClose: () => Promise<void>;
  #inner: readonly GitFiles[] = [];

  constructor(commit: Commit, submodules: Submodules, onClose = async () => {}) {
    this.#commit = commit;
    this.#submodules = submodules;
    this.#onClose = onClose;
  }

  get revision(): string {
    return this.#commit.revision;
  }

  async *all(): AsyncGenerator<readonly (Entry | RefusedPath)[], void> {
    const { git, directory, revision, prefix } = this.#commit;
    const submodules: TreeEntry[] = [];
    this.#inner = [];
    for await (const records of git.program.records([`--git-dir=${directory}`, ...LIST_ARGS, revision], TREE_SEPARATOR)) {
      const listed = records.map(listedEntry).filter((entry) => entry !== undefined);
      submodules.push(...listed.filter(({ kind }) => kind === 'submodule'));
      yield listed.filter(isFileOrLink).map((entry) => ({ ...entry, path: `${prefix}${entry.path}` }));
    }
    if (submodules.length === 0) return;
    for await (const inner of this.#submodules.open(this.#commit, submodules)) {
      if ('message' in inner) yield [{ ...inner, kind: 'refused' }];
      else {
        const files = new GitFiles(inner, this.#submodules);
        this.#inner = [...this.#inner, files];
        yield* files.all();
      }
    }
  }

  /** Submodules are followed in a complete list only, so a change that concerns them asks for one. */
  async since(before: string): Promise<Difference | undefined> {
    const records = isGitRevision(before) ? await this.#differencesSince(before) : undefined;
    if (!records) return undefined;
    const changed: Entry[] = [];
    const removed: string[] = [];
    for (const { path, before: old, after } of differencesIn(records)) {
      if (old?.kind === 'submodule' || after?.kind === 'submodule' || path === MODULES_FILE) return undefined;
      if (!after) removed.push(path);
      else if (isFileOrLink(after) && (after.id !== old?.id || after.kind !== old.kind)) changed.push(after);
    }
    return { changed, removed };
  }

  async *contents(entries: readonly Pick<Entry, 'path' | 'id'>[], maxBytes: number): AsyncGenerator<Content, void> {
    const { git, directory } = this.#commit;
    const byHome = Map.groupBy(entries, ({ path }) => this.#inner.find((inner) => inner.#holds(path)));
    for (const [inner, some] of byHome) yield* inner ? inner.contents(some, maxBytes) : readBlobs(git.program, directory, some, maxBytes);
  }

  close(): Promise<void> {
    return this.#onClose();
  }

  #holds(path: string): boolean {
    return path.startsWith(this.#commit.prefix);
  }

  /** undefined: one of the commits is not there, or so much is different that a complete list is no worse. */
  async #differencesSince(before: string): Promise<readonly string[] | undefined> {
    const { git, directory, revision } = this.#commit;
    const found: string[] = [];
    try {
      for await (const some of git.program.records([`--git-dir=${directory}`, ...DIFFERENCE_ARGS, before, revision], TREE_SEPARATOR)) {
        found.push(...some);
        if (found.length > MAX_RECORDS) return undefined;
      }
    } catch (failure) {
      if (!(failure instanceof CommandFailure) || failure instanceof CommandStopped) throw failure;
      return undefined;
    }
    return found;
  }
}

function isFileOrLink(entry: TreeEntry): entry is TreeEntry & { readonly kind: Entry['kind'] } {
  return entry.kind !== 'submodule';
}
