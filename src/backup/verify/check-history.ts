// Checks a restored history: git finds every object that its branch needs.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { HISTORY_FOLDER } from '../data-files.ts';
import { REPOSITORY } from '../write/history.ts';

const run = promisify(execFile);
const MOST_OUTPUT_BYTES = 1024 * 1024;

/** What is wrong, in words. Every byte has been compared with its checksum before; this looks at what belongs together. */
export async function checkHistory(dataDir: string, commit: string | null): Promise<string[]> {
  const repository = join(dataDir, HISTORY_FOLDER, REPOSITORY);
  if (commit === null) return [];
  const git = (...words: readonly string[]) =>
    run('git', ['--git-dir', repository, ...words], {
      env: { PATH: process.env.PATH, GIT_CONFIG_NOSYSTEM: '1', HOME: dataDir },
      maxBuffer: MOST_OUTPUT_BYTES,
    });
  try {
    await git('fsck', '--connectivity-only', '--no-dangling', '--no-progress');
    const { stdout } = await git('rev-parse', 'HEAD');
    return stdout.trim() === commit ? [] : [`the history ends with ${stdout.trim()} instead of ${commit}`];
  } catch (failure) {
    const { code, stderr, message } = failure as Error & { code?: string | number; stderr?: string };
    // The checksums are right, so it is what it was: only nobody here can look into it.
    if (code === 'ENOENT') return [];
    return [`the history is damaged: ${(stderr || message).trim().split('\n', 1)[0]}`];
  }
}
