// Follows the links below the folders of a repository on this machine: programs go wherever one of them leads.
import { constants, type Dirent } from 'node:fs';
import { access, opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { MaterialProblem } from '../clients/client.ts';

/** Maximum number of entries: large repositories have more only when they were never packed. */
const MAX_ENTRIES = 1_000_000;
const TOO_MANY_ENTRIES = `The repository has more than ${MAX_ENTRIES} files, so its links cannot be checked. Pack it with git gc or svnadmin pack, or serve it over the network.`;
/** Maximum number of links: following one takes longer than reading its name, and honest repositories have hardly any. */
const MAX_LINKS = 1000;
const TOO_MANY_LINKS = `The repository has more than ${MAX_LINKS} links. Copy what they lead to into the repository.`;
const AT_ONCE = 1000;
const GONE = new Set(['ENOENT', 'ENOTDIR']);
const CLOSED = 'EACCES';
const NOT_LISTED =
  'The repository has a folder whose files the server can open but not list, so its links cannot be checked. Allow its user to read the folder.';

/** `folders` are places as `follow` gives them; it throws for a closed path. */
export async function followLinksBelow(folders: readonly string[], follow: (path: string, from: string) => string): Promise<void> {
  const seen = new Set<string>();
  const ahead = [...folders];
  let entries = 0;
  let links = 0;
  for (let folder = ahead.pop(); folder !== undefined; folder = ahead.pop()) {
    if (seen.has(folder)) continue;
    seen.add(folder);
    for await (const entry of entriesOf(folder)) {
      if (++entries > MAX_ENTRIES) throw new MaterialProblem(TOO_MANY_ENTRIES);
      if (entry.isDirectory()) ahead.push(join(folder, entry.name));
      else if (entry.isSymbolicLink()) {
        if (++links > MAX_LINKS) throw new MaterialProblem(TOO_MANY_LINKS);
        ahead.push(...targetOf(entry.name, folder, follow));
      }
    }
  }
}

/** Empty when the path is no folder any more. The entries come in pieces, so that other work goes on: a folder can have very many. */
async function* entriesOf(folder: string): AsyncGenerator<Dirent, void> {
  try {
    yield* await opendir(folder, { bufferSize: AT_ONCE });
  } catch (failure) {
    if (GONE.has(codeOf(failure))) return;
    if (codeOf(failure) !== CLOSED) throw failure;
    // Programs could still open a file that they know by its name.
    if (await canBeEntered(folder)) throw new MaterialProblem(NOT_LISTED);
  }
}

async function canBeEntered(folder: string): Promise<boolean> {
  return access(folder, constants.X_OK).then(
    () => true,
    () => false,
  );
}

/** Empty when the link has gone: the locks of hg are links. */
function targetOf(name: string, folder: string, follow: (path: string, from: string) => string): readonly string[] {
  try {
    return [follow(name, folder)];
  } catch (failure) {
    if (GONE.has(codeOf(failure))) return [];
    throw failure;
  }
}

function codeOf(failure: unknown): string {
  return (failure instanceof Error && 'code' in failure && String(failure.code)) || '';
}
