// Reads the XML output of svn about files.
import { childrenOf, contentOf, elementAtEnd, rootOf, textOf } from '../../../clients/xml-records.ts';
import { pathBelow } from './address.ts';

export const LISTED = 'entry';

export interface ListedFile {
  readonly path: string;
  readonly size: number;
}

/** The file in a record of `svn list`; undefined: the record is of something else. */
export function listedFile(record: string): ListedFile | undefined {
  const entry = elementAtEnd(record, LISTED);
  if (entry?.attributes.get('kind') !== 'file') return undefined;
  return { path: textOf(entry, 'name') ?? '', size: Number(textOf(entry, 'size')) };
}

/** The addresses in an answer of `svn propget`. */
export function addressesWithProperty(printed: string): string[] {
  return childrenOf(rootOf(printed), 'target').map((target) => target.attributes.get('path') ?? '');
}

/** The sizes in an answer of `svn info`, in the order in which files were asked for. */
export function sizesIn(printed: string): number[] {
  return childrenOf(rootOf(printed), 'entry').map((entry) => Number(entry.attributes.get('size')));
}

export interface SvnDifference {
  readonly changed: readonly string[];
  /** The changed paths that may be symbolic links now. */
  readonly possibleLinks: readonly string[];
  readonly removed: readonly string[];
}

/** The changes that `svn diff --summarize` found below an address; undefined: a path is elsewhere. */
export function differenceIn(printed: string, base: string): SvnDifference | undefined {
  const [paths] = childrenOf(rootOf(printed), 'paths');
  const changed: string[] = [];
  const possibleLinks: string[] = [];
  const removed = new Set<string>();
  for (const element of childrenOf(paths, 'path')) {
    const path = pathBelow(base, contentOf(element));
    const { attributes } = element;
    if (path === undefined && attributes.get('kind') === 'dir') continue; // the root itself
    if (path === undefined) return undefined;
    if (attributes.get('kind') === 'dir') continue;
    const item = attributes.get('item');
    if (item === 'deleted') removed.add(path);
    else {
      changed.push(path);
      if (item === 'added' || attributes.get('props') !== 'none') possibleLinks.push(path);
    }
  }
  // A replaced path is listed twice.
  for (const path of changed) removed.delete(path);
  return { changed, possibleLinks, removed: [...removed] };
}
