// The files of a job as a tree: folders with their content, each with its address.
import { encodedPath } from '../common/encoded-path.ts';

export interface ListedFile {
  readonly name: string;
  readonly url: string;
  readonly type: 'file';
  /** In bytes. */
  readonly size?: number;
}

export interface ListedFolder {
  readonly name: string;
  readonly url: string;
  readonly type: 'folder';
  readonly files: readonly ListingEntry[];
}

export type ListingEntry = ListedFile | ListedFolder;

interface OpenFolder extends ListedFolder {
  readonly files: ListingEntry[];
}

/** A tree is held in memory, and builds choose the names in it. */
const MAX_TREE_BYTES = 16 * 1024 * 1024;

/** As many of the first paths as make a tree of a bearable size, but one at least: each folder in it has an address of its own. */
export function firstOf(paths: readonly string[], at: string, maxBytes = MAX_TREE_BYTES): readonly string[] {
  let bytes = 0;
  const end = paths.findIndex((path, index) => {
    bytes += newParts(path, paths[index - 1] ?? '') * (at.length + encodeURIComponent(path).length);
    return bytes > maxBytes && index > 0;
  });
  return end < 0 ? paths : paths.slice(0, end);
}

/** How many parts of the path are not in the one before, itself included. */
function newParts(path: string, before: string): number {
  let same = 0;
  while (same < path.length && path[same] === before[same]) same++;
  return path.slice(same).split('/').length;
}

/**
 * `paths` in the order of their bytes; one that ends with a slash is an empty folder. `at`: the address of the folder they are in.
 * `sizes`: of those whose size is known, in bytes.
 */
export function treeOf(paths: Iterable<string>, at: string, sizes: ReadonlyMap<string, number> = new Map()): readonly ListingEntry[] {
  const root: ListingEntry[] = [];
  const folders = new Map<string, OpenFolder>();
  const urlOf = (path: string) => `${at}/${encodedPath(path)}`;
  const inside = (path: string): ListingEntry[] => {
    const end = path.lastIndexOf('/');
    return end < 0 ? root : folderAt(path.slice(0, end)).files;
  };
  const folderAt = (path: string): OpenFolder => {
    const known = folders.get(path);
    if (known) return known;
    const folder: OpenFolder = { name: nameOf(path), url: urlOf(path), type: 'folder', files: [] };
    folders.set(path, folder);
    inside(path).push(folder);
    return folder;
  };
  for (const path of paths) {
    if (path.endsWith('/')) folderAt(path.slice(0, -1));
    else inside(path).push({ name: nameOf(path), url: urlOf(path), type: 'file', ...sizeIn(sizes, path) });
  }
  return root;
}

function sizeIn(sizes: ReadonlyMap<string, number>, path: string): Pick<ListedFile, 'size'> {
  const size = sizes.get(path);
  return size === undefined ? {} : { size };
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
