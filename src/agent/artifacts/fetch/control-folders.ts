// The folders in which git and Mercurial keep their settings and hooks: the next command in a checkout would run files fetched into them.
import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { isWithin } from '../../task/contained-paths.ts';
import { ArtifactFailure } from '../context.ts';

const CONTROL_FOLDERS = ['.git', '.hg'] as const;
/** Short names of these folders on Windows. */
const SHORT_NAMES: Readonly<Record<string, string>> = { 'git~1': '.git', 'hg~1': '.hg' };
/** macOS does not see these in a name. */
const INVISIBLE = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/** Which of them a name means on any file system; undefined: none. */
export function controlFolderIn(name: string): string | undefined {
  const plain = name
    .replace(INVISIBLE, '')
    .toLowerCase()
    .split(':')[0]!
    .replace(/[ .]+$/, '');
  return CONTROL_FOLDERS.find((one) => one === plain) ?? SHORT_NAMES[plain];
}

/** `root` is the folder of the pipeline. A whole repository may be fetched to where no material is checked out. */
export function mustNotControl(root: string, checkouts: readonly string[], target: string): void {
  let folder = root;
  for (const name of relative(root, target).split(sep)) {
    const control = controlFolderIn(name);
    const checkout = control && checkouts.find((one) => isWithin(realOf(one), realOf(folder)));
    if (checkout !== undefined)
      throw new ArtifactFailure(
        `${relative(root, target)} is not fetched: a material is checked out in ${checkout}, and what lies in a folder "${control}" there could run programs.`,
      );
    folder = join(folder, name);
  }
}

/** Of a folder that may not be there yet. */
function realOf(folder: string): string {
  if (existsSync(folder) || folder === dirname(folder)) return realpathSync(folder);
  return join(realOf(dirname(folder)), basename(folder));
}
