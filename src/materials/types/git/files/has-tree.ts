// Whether a commit is in a bare repository, with its files.
import { CommandFailure, CommandStopped } from '../../../../kit/process/command.ts';
import type { Program } from '../../../clients/program.ts';

export async function hasTree(git: Program, directory: string, commit: string): Promise<boolean> {
  try {
    await git.run([`--git-dir=${directory}`, 'cat-file', '-e', `${commit}^{tree}`]);
    return true;
  } catch (failure) {
    if (!(failure instanceof CommandFailure) || failure instanceof CommandStopped) throw failure;
    return false;
  }
}
