// Checks a restored history: git finds every object that its branch needs.
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { GitProgram } from '../../kit/git/history.ts';
import { HISTORY_FOLDER } from '../data-files.ts';
import { REPOSITORY } from '../write/history.ts';

/** The problems, in words. Every byte has been compared with its checksum before; this checks that all referenced objects exist. */
export async function checkHistory(dataDir: string, commit: string | null): Promise<string[]> {
  const git = new GitProgram();
  // Without git the commits cannot be walked, and this check is left out; the checksums of the files have been verified before.
  if (commit === null || (await git.problem()) !== undefined) return [];
  const repository = join(dataDir, HISTORY_FOLDER, REPOSITORY);
  const fsck = await run(git, repository, ['fsck', '--connectivity-only', '--no-dangling', '--no-progress']);
  if (fsck.status !== 0) return [`the history is damaged: ${fsck.errors.trim().split('\n', 1)[0]}`];
  const { output } = await run(git, repository, ['rev-parse', 'HEAD']);
  return output.trim() === commit ? [] : [`the history ends with ${output.trim()} instead of ${commit}`];
}

async function run(git: GitProgram, repository: string, args: readonly string[]) {
  const child = git.start(['--git-dir', repository, ...args]);
  child.stdin.end();
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  const [status, output, errors] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  return { status, output, errors };
}
