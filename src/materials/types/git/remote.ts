// The answers of the repository itself about the ref that a material follows.
import { CommandFailure } from '../../../kit/process/command.ts';
import { MaterialProblem } from '../../clients/client.ts';
import type { Git } from './git.ts';
import { runRemoteGit } from './run-remote-git.ts';

const REF_MISSING = /^fatal: (?:Remote branch .* not found|couldn't find remote ref|Couldn't find remote ref)/im;

/** The commit it points to. As cheap as asking can be: nothing is fetched. */
export async function remoteTip(git: Git, ref: string): Promise<string> {
  // Lists only the heads where they are enough: some servers have a ref for each pull request they ever had.
  const scope = ref.startsWith('refs/heads/') ? ['--heads'] : [];
  const { stdout } = await runRemoteGit(git, ['ls-remote', '--quiet', ...scope, '--', git.source, ref, `${ref}^{}`], { isQuick: true });
  const found = new Map(
    stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t').toReversed() as [string, string]),
  );
  const tip = found.get(`${ref}^{}`) ?? found.get(ref);
  if (tip === undefined) throw await refMissing(git, ref);
  return tip;
}

/** Replaces the error of git for a missing ref with a message of ours. */
export async function explainMissingRef(failure: unknown, git: Git, ref: string): Promise<unknown> {
  return failure instanceof CommandFailure && REF_MISSING.test(failure.stderr) ? refMissing(git, ref) : failure;
}

async function refMissing(git: Git, ref: string): Promise<MaterialProblem> {
  const { stdout } = await runRemoteGit(git, ['ls-remote', '--quiet', '--', git.source], { isQuick: true });
  const hint = stdout.trim() === '' ? ' The repository is empty.' : '';
  return new MaterialProblem(`The ref ${ref} could not be found.${hint}`);
}
