// The files of a job as a tree: folders with what is in them, each with its address.

export interface ListedFile {
  readonly name: string;
  readonly url: string;
  readonly type: 'file';
}

export interface ListedFolder {
  readonly name: string;
  readonly url: string;
  readonly type: 'folder';
  readonly files: readonly Listed[];
}

export type Listed = ListedFile | ListedFolder;

interface OpenFolder extends ListedFolder {
  readonly files: Listed[];
}

/** `paths` in the order of their bytes; one that ends with a slash is an empty folder. `at`: the address of the folder they are in. */
export function treeOf(paths: Iterable<string>, at: string): readonly Listed[] {
  const root: Listed[] = [];
  const folders = new Map<string, OpenFolder>();
  const urlOf = (path: string) => `${at}/${path.split('/').map(encodeURIComponent).join('/')}`;
  const inside = (path: string): Listed[] => {
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
    else inside(path).push({ name: nameOf(path), url: urlOf(path), type: 'file' });
  }
  return root;
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
