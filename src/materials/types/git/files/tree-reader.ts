// Reads the output of `git ls-tree` and `git diff-tree` with -z, record by record.

export interface TreeEntry {
  readonly path: string;
  /** Of the content; of a submodule, its commit. */
  readonly id: string;
  readonly kind: 'file' | 'link' | 'submodule';
}

export interface TreeDifference {
  readonly path: string;
  readonly before: TreeEntry | undefined;
  readonly after: TreeEntry | undefined;
}

export const TREE_SEPARATOR = '\0';
export const LIST_ARGS = ['ls-tree', '-r', '-z', '--full-tree'];
export const DIFFERENCE_ARGS = ['diff-tree', '-r', '-z', '--raw', '--no-renames', '--no-ext-diff', '--no-textconv'];

const LISTED = /^(\d{6}) [a-z]+ ([0-9a-f]+)\t(.*)$/s;
const DIFFERENT = /^:(\d{6}) (\d{6}) ([0-9a-f]+) ([0-9a-f]+) [A-Z]\d*$/;
const NOTHING = '000000';

export function listedEntry(record: string): TreeEntry | undefined {
  const [, mode, id, path] = LISTED.exec(record) ?? [];
  return mode === undefined ? undefined : { path: path!, id: id!, kind: kindOf(mode) };
}

/** Each difference is a record, followed by one with the path. */
export function* differencesIn(records: readonly string[]): Generator<TreeDifference> {
  for (let at = 0; at + 1 < records.length; at += 2) {
    const [, modeBefore, modeAfter, before, after] = DIFFERENT.exec(records[at]!) ?? [];
    const path = records[at + 1]!;
    const entry = (mode: string | undefined, id: string | undefined): TreeEntry | undefined =>
      mode === undefined || mode === NOTHING ? undefined : { path, id: id!, kind: kindOf(mode) };
    yield { path, before: entry(modeBefore, before), after: entry(modeAfter, after) };
  }
}

function kindOf(mode: string): TreeEntry['kind'] {
  if (mode === '120000') return 'link';
  return mode === '160000' ? 'submodule' : 'file';
}
