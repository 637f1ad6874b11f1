// Which entities come out of which file of a config repo: so that a change of one file is not looked for among those of all others.
import type { Changes } from '../../config/change.ts';
import type { Config } from '../../config/current.ts';
import { Draft } from '../../config/draft.ts';
import type { Edit } from '../../config/edit.ts';
import { nameOf } from '../../config/references.ts';
import { repoOriginOf } from '../../config/repo-origin.ts';
import { idOf } from '../../shape/resource.ts';
import type { Definition } from './withdraw.ts';

/** The definitions of a file, by the names of the entities. */
type OfFile = Map<string, Definition>;

export class DefinitionIndex {
  readonly #config: Config;
  /** The definitions by repo and file; only those of repos that `of` was called for. */
  readonly #repos = new Map<string, Map<string, OfFile>>();

  constructor(config: Config, changes: Pick<Changes, 'listen'>) {
    this.#config = config;
    changes.listen(({ edits }) => {
      for (const edit of edits) this.#note(edit);
    });
  }

  /** The definitions of a repo in force, by file. */
  of(repo: string): ReadonlyMap<string, ReadonlyMap<string, Definition>> {
    return this.#repos.getOrInsertComputed(repo, () => {
      const files = new Map<string, OfFile>();
      for (const { kind, entry } of new Draft(this.#config).referring('configRepos', repo)) {
        const origin = repoOriginOf(entry.value);
        if (origin) put(files, origin.file, nameOf(kind, entry.key), { kind, id: idOf(kind, entry.value) });
      }
      return files;
    });
  }

  #note({ kind, key, before, after }: Edit): void {
    const name = nameOf(kind, key);
    const was = before && repoOriginOf(before.value);
    const is = after && repoOriginOf(after.value);
    const left = was && this.#repos.get(was.repo);
    if (left) {
      const ofFile = left.get(was.file);
      ofFile?.delete(name);
      if (ofFile?.size === 0) left.delete(was.file);
    }
    const entered = is && this.#repos.get(is.repo);
    if (entered) put(entered, is.file, name, { kind, id: idOf(kind, after.value) });
    if (kind.name === 'configRepos' && !after) this.#repos.delete(key);
  }
}

function put(files: Map<string, OfFile>, file: string, name: string, definition: Definition): void {
  files.getOrInsertComputed(file, () => new Map()).set(name, definition);
}
