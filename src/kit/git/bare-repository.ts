// A bare repository without content, and the one branch it has.
import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { syncDirectory, writeFileDurably } from '../bytes/durable-file.ts';

const FOLDERS = ['objects/info', 'objects/pack', 'refs/heads', 'refs/tags'];
export const BRANCH = 'refs/heads/master';
const DIRECTORY_MODE = 0o700;
const MODE = 0o600;
/**
 * Git need not look for deltas when it serves the packs: useful ones are made already. And git must not tidy up on its own
 * account, for the writer knows which packs are still in use.
 */
const CONFIG = `[core]
\trepositoryformatversion = 0
\tfilemode = true
\tbare = true
\tlogAllRefUpdates = false
[gc]
\tauto = 0
[maintenance]
\tauto = false
[pack]
\twindow = 0
[receive]
\tdenyNonFastForwards = true
\tdenyDeletes = true
`;

export function makeBareRepository(directory: string): void {
  for (const folder of FOLDERS) mkdirSync(join(directory, folder), { recursive: true, mode: DIRECTORY_MODE });
  writeFileDurably(join(directory, 'config'), CONFIG, MODE);
  writeFileDurably(join(directory, 'HEAD'), `ref: ${BRANCH}\n`, MODE);
  for (const folder of [...FOLDERS, 'objects', 'refs']) syncDirectory(join(directory, folder));
  syncDirectory(dirname(directory));
}

/** The last commit; undefined: there is none yet. */
export function readBranch(directory: string): string | undefined {
  try {
    return readFileSync(join(directory, BRANCH), 'utf8').trim();
  } catch (failure) {
    if ((failure as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw failure;
  }
}

export function moveBranch(directory: string, commit: string | undefined): void {
  if (commit !== undefined) {
    prepareBranch(directory, commit)();
    return;
  }
  for (const file of [BRANCH, 'packed-refs']) rmSync(join(directory, file), { force: true });
  syncDirectory(dirname(join(directory, BRANCH)));
}

/** Does the slow part before the branch moves; the returned function moves it at once. */
export function prepareBranch(directory: string, commit: string): () => void {
  const path = join(directory, BRANCH);
  // Every other name in this folder would be a branch.
  const unfinished = `${path}.lock`;
  const file = openSync(unfinished, 'w', MODE);
  writeFileSync(file, `${commit}\n`);
  fsyncSync(file);
  closeSync(file);
  return () => {
    renameSync(unfinished, path);
    syncDirectory(dirname(path));
  };
}
