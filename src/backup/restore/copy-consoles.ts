// Puts consoles of a backup among the artifacts: only where there is none, and never through a link.
import { constants, copyFileSync, lstatSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { RestoreRefused } from './refused.ts';

export interface CopiedConsoles {
  /** Takes them away again: the rest could not be restored. */
  undo(): void;
}

/** `isLeftOut`: by the name below the artifacts. A console that exists already is newer, or the same. */
export function copyConsoles(from: string, artifactsDir: string, isLeftOut: (name: string) => boolean): CopiedConsoles {
  const copied: string[] = [];
  const undo = () => {
    for (const path of copied) rmSync(path, { force: true });
  };
  try {
    for (const name of filesIn(from)) {
      if (isLeftOut(name)) continue;
      const to = targetPath(artifactsDir, name);
      if (to === undefined) continue;
      move(join(from, name), to);
      copied.push(to);
    }
  } catch (failure) {
    undo();
    throw new RestoreRefused(
      'The consoles of jobs could not be put among the artifacts. Nothing was changed.',
      [(failure as Error).message],
      {
        cause: failure,
      },
    );
  }
  return { undo };
}

function filesIn(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return entries.map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'));
}

/** Undefined: something is there already. */
function targetPath(artifactsDir: string, name: string): string | undefined {
  mkdirSync(artifactsDir, { recursive: true, mode: 0o700 });
  const steps = name.split('/');
  let path = artifactsDir;
  for (const step of steps.slice(0, -1)) {
    path = join(path, step);
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (!found) mkdirSync(path, { mode: 0o700 });
    else if (!found.isDirectory()) return undefined;
  }
  path = join(path, steps.at(-1)!);
  return lstatSync(path, { throwIfNoEntry: false }) ? undefined : path;
}

function move(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (failure) {
    // Artifacts can have a disk of their own.
    if ((failure as NodeJS.ErrnoException).code !== 'EXDEV') throw failure;
    copyFileSync(from, to, constants.COPYFILE_EXCL);
  }
}
