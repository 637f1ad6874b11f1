// The description of a change by `p4 describe`, as a modification.
import type { FileAction, ModifiedFile, NewModification } from '../../clients/client.ts';
import type { Dictionary } from './marshal.ts';

const ACTIONS: Readonly<Record<string, FileAction>> = {
  add: 'added',
  branch: 'added',
  import: 'added',
  'move/add': 'added',
  edit: 'modified',
  integrate: 'modified',
  delete: 'deleted',
  purge: 'deleted',
  'move/delete': 'deleted',
};

export function modificationOf(change: Dictionary): NewModification {
  return {
    revision: change.get('change') ?? '',
    userName: `${change.get('user') ?? ''}@${change.get('client') ?? ''}`,
    email: null,
    comment: (change.get('desc') ?? '').trimEnd(),
    modifiedTime: new Date(Number(change.get('time') ?? 0) * 1000),
    files: [...filesOf(change)],
  };
}

function* filesOf(change: Dictionary): Generator<ModifiedFile> {
  for (let index = 0; ; index++) {
    const path = change.get(`depotFile${index}`);
    if (path === undefined) return;
    yield { name: plainPath(path), action: ACTIONS[change.get(`action${index}`) ?? ''] ?? 'unknown' };
  }
}

const ESCAPED: Readonly<Record<string, string>> = { '%40': '@', '%23': '#', '%2A': '*', '%25': '%' };

/** Without the name of the depot, and with the characters that Perforce has a use for as they are in the file's name. */
export function plainPath(path: string): string {
  return path.replace(/^\/\/[^/]*\//, '').replace(/%(?:40|23|2A|25)/g, (escaped) => ESCAPED[escaped]!);
}
