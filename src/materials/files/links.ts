// Resolves the symbolic links of a repository from the names of its files alone, without the disk: no link can lead out of it.
import type { Entry } from './source.ts';

/** The entry at a path that a link leads to; or why there is none. */
export type LinkedPath =
  | { readonly path: string; readonly entry: Entry }
  | { readonly path: string; readonly message: string; readonly isOutside: boolean };

type Folder = Map<string, Folder | Node>;

interface Node {
  readonly entry: Entry;
  /** Where a link leads to, as it is written. */
  readonly target: string | undefined;
}

type LinkTarget = { readonly entry: Entry } | { readonly folder: Folder; readonly path: string } | { readonly reason: RefusalReason };
type RefusalReason = 'outside' | 'missing' | 'loop';

/** Maximum number of links in a row: the limit of operating systems. */
const MAX_LINKS_IN_A_ROW = 40;
const MAX_CHARACTERS = 4096;

const MESSAGES: Readonly<Record<RefusalReason, string>> = {
  outside: 'is a symbolic link that leads out of the repository.',
  missing: 'is a symbolic link that leads to nothing in the repository.',
  loop: 'is a symbolic link that leads back to itself.',
};

export class LinkTree {
  readonly #root: Folder = new Map();

  add(entry: Entry, target?: string): void {
    const parts = entry.path.split('/');
    const name = parts.pop()!;
    let folder = this.#root;
    for (const part of parts) {
      const inner = folder.get(part);
      if (inner && !(inner instanceof Map)) return; // two things cannot be in one place; the first counts
      const next = inner ?? new Map();
      if (!inner) folder.set(part, next);
      folder = next;
    }
    if (!folder.has(name)) folder.set(name, { entry, target });
  }

  /** All entries that exist because of one link: its target, or everything below that. */
  *through(link: Entry, target: string): Generator<LinkedPath> {
    yield* this.#through(link.path, folderOf(link.path), target, []);
  }

  /** `at` is the path by which we came to a link, `location` the folder it is really in, `passed` where those before it were. */
  *#through(at: string, location: string, target: string, passed: readonly string[]): Generator<LinkedPath> {
    const goal = this.#resolve(location, target);
    if ('entry' in goal) yield { path: at, entry: goal.entry };
    else if ('reason' in goal) yield refused(at, goal.reason);
    else {
      const locations = [...passed, location];
      if (locations.some((one) => isWithin(one, goal.path))) yield refused(at, 'loop');
      else yield* this.#below(at, goal.folder, goal.path, locations);
    }
  }

  *#below(at: string, folder: Folder, location: string, passed: readonly string[]): Generator<LinkedPath> {
    for (const [name, inner] of folder) {
      const path = `${at}/${name}`;
      if (path.length > MAX_CHARACTERS) continue;
      if (inner instanceof Map) yield* this.#below(path, inner, joined(location, name), passed);
      else if (inner.entry.kind === 'file') yield { path, entry: inner.entry };
      else yield* this.#through(path, location, inner.target ?? '', passed);
    }
  }

  #resolve(location: string, target: string): LinkTarget {
    const folders = [this.#root];
    const names: string[] = [];
    const todo = [...partsOf(location), ...partsOf(target)].reverse();
    if (target.startsWith('/')) return { reason: 'outside' };
    if (target === '') return { reason: 'missing' };
    for (let links = 0; todo.length > 0; ) {
      const part = todo.pop()!;
      if (part === '..') {
        if (names.length === 0) return { reason: 'outside' };
        names.pop();
        folders.pop();
        continue;
      }
      const inner = folders.at(-1)!.get(part);
      if (!inner) return { reason: 'missing' };
      if (inner instanceof Map) {
        folders.push(inner);
        names.push(part);
      } else if (inner.entry.kind === 'file') return todo.length === 0 ? { entry: inner.entry } : { reason: 'missing' };
      else if (++links > MAX_LINKS_IN_A_ROW) return { reason: 'loop' };
      else if (!inner.target) return { reason: 'missing' };
      else if (inner.target.startsWith('/')) return { reason: 'outside' };
      else todo.push(...partsOf(inner.target).reverse());
    }
    return { folder: folders.at(-1)!, path: names.join('/') };
  }
}

function refused(path: string, reason: RefusalReason): LinkedPath {
  return { path, message: `${path} ${MESSAGES[reason]}`, isOutside: reason === 'outside' };
}

function partsOf(path: string): string[] {
  return path.split('/').filter((part) => part !== '' && part !== '.');
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

function joined(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}

function isWithin(path: string, folder: string): boolean {
  return folder === '' || path === folder || path.startsWith(`${folder}/`);
}
