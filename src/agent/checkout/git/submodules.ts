// The submodules of a checkout, and theirs. They get the login only where they are at the host of the repository itself.
import { existsSync } from 'node:fs';
import { lstat, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CommandFailure } from '../../../kit/process/command-failure.ts';
import { ignoreMissing } from '../destination.ts';
import { wouldFailAgain } from '../explain.ts';
import { DamagedSubmodules } from '../problem.ts';
import type { Git, GitMaterial } from './git.ts';
import { areSubmodulesOurs } from './submodule-settings.ts';

const SUBMODULE = /^160000 [^\t]*\t(.*)$/s;
/** The other repository does not have the wanted commit, or there is no other one. */
const NOT_THERE =
  /not our ref|unadvertised object|did not contain|Unable to find current revision|No url found|transport '.*' not allowed|pathspec '.*' did not match/i;

/** `isFresh`: the files in their folders are of an earlier checkout. */
export async function updateSubmodules(git: Git, { submodule_folder }: GitMaterial, cwd: string, isFresh: boolean): Promise<void> {
  if (!existsSync(join(cwd, '.gitmodules'))) return;
  const options = { cwd, env: { GIT_CEILING_DIRECTORIES: dirname(cwd) } };
  if (isFresh || !(await areSubmodulesOurs(cwd, (gitFolder) => pathsIn(git, cwd, gitFolder)))) await removeSubmodules(git, cwd);
  const which = submodule_folder === null || submodule_folder === '' ? [] : ['--', submodule_folder];
  try {
    await git.run(['submodule', 'sync', '--recursive', '--quiet'], options);
    await git.ask(['submodule', 'update', '--init', '--recursive', '--force', ...which], options);
    await git.run(['submodule', 'foreach', '--recursive', '--quiet', 'git clean -ffdq'], options);
  } catch (failure) {
    if (wouldFailAgain(failure) || (failure instanceof CommandFailure && NOT_THERE.test(failure.stderr))) throw failure;
    throw new DamagedSubmodules('The submodules cannot be used.', { cause: failure });
  }
}

async function removeSubmodules(git: Git, cwd: string): Promise<void> {
  for (const path of await pathsIn(git, cwd, join(cwd, '.git'))) await removeFolder(cwd, path);
  await rm(join(cwd, '.git', 'modules'), { recursive: true, force: true });
}

async function pathsIn(git: Git, cwd: string, gitFolder: string): Promise<readonly string[]> {
  const listed = await git.run([`--git-dir=${gitFolder}`, `--work-tree=${cwd}`, 'ls-files', '--stage', '-z'], { cwd, isQuiet: true });
  return listed.split('\0').flatMap((record) => SUBMODULE.exec(record)?.[1] ?? []);
}

/** Removes a folder, unless its path leads through a link. */
async function removeFolder(cwd: string, path: string): Promise<void> {
  const names = path.split('/');
  for (let count = 1; count <= names.length; count++) {
    const found = await lstat(join(cwd, ...names.slice(0, count))).catch(ignoreMissing);
    if (!found?.isDirectory()) return;
  }
  await rm(join(cwd, path), { recursive: true, force: true });
}
