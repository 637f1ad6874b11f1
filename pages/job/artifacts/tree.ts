// The files that a job has left, as a tree.

export interface ListedFile {
  readonly name: string;
  readonly url: string;
  readonly type: 'file';
  /** In bytes; absent for files that the server itself adds. */
  readonly size?: number;
}

export interface ListedFolder {
  readonly name: string;
  readonly url: string;
  readonly type: 'folder';
  readonly files: readonly ListingEntry[];
}

export type ListingEntry = ListedFile | ListedFolder;

/** Joins the pages of a list: a page can end within a folder. */
export function mergePages(pages: readonly (readonly ListingEntry[])[]): readonly ListingEntry[] {
  return pages.reduce((one, other) => merge(one, other), []);
}

function merge(one: readonly ListingEntry[], other: readonly ListingEntry[]): readonly ListingEntry[] {
  const byName = new Map(one.map((item) => [item.name, item]));
  for (const item of other) {
    const known = byName.get(item.name);
    const isBoth = known?.type === 'folder' && item.type === 'folder';
    byName.set(item.name, isBoth ? { ...known, files: merge(known.files, item.files) } : item);
  }
  return [...byName.values()];
}

/** Folders first, then by name as people read it; the folder that the server itself adds comes last. */
export function sortItems(items: readonly ListingEntry[]): readonly ListingEntry[] {
  const rank = ({ name, type }: ListingEntry): number => (name === 'cruise-output' ? 2 : type === 'folder' ? 0 : 1);
  const names = collator();
  return items.toSorted((one, other) => rank(one) - rank(other) || names.compare(one.name, other.name));
}

let nameCollator: Intl.Collator | undefined;

/** Made when it is first needed: the page of a job is drawn without it. */
function collator(): Intl.Collator {
  nameCollator ??= new Intl.Collator(undefined, { numeric: true });
  return nameCollator;
}

export interface Total {
  readonly files: number;
  readonly bytes: number;
}

export function totalOf(items: readonly ListingEntry[]): Total {
  let [files, bytes] = [0, 0];
  for (const item of items) {
    const total = item.type === 'folder' ? totalOf(item.files) : { files: 1, bytes: item.size ?? 0 };
    files += total.files;
    bytes += total.bytes;
  }
  return { files, bytes };
}
