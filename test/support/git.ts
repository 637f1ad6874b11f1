// The stock git client, without the settings of whoever runs the tests.
import { execFile, execFileSync } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ENVIRONMENT = {
  PATH: process.env.PATH,
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_TERMINAL_PROMPT: '0',
  LC_ALL: 'C',
};
const MAX_OUTPUT = 256 * 1024 * 1024;

/** What it prints; it throws when git fails. */
export async function git(directory: string, ...words: readonly string[]): Promise<string> {
  return (await run('git', words, { cwd: directory, env: ENVIRONMENT, maxBuffer: MAX_OUTPUT })).stdout;
}

export interface GitOutcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The same for commands that may fail. */
export async function tryGit(directory: string, ...words: readonly string[]): Promise<GitOutcome> {
  try {
    return { code: 0, ...(await run('git', words, { cwd: directory, env: ENVIRONMENT, maxBuffer: MAX_OUTPUT })) };
  } catch (failure) {
    const { code, stdout, stderr } = failure as GitOutcome;
    return { code, stdout, stderr };
  }
}

/** Everything git finds wrong with a repository, and everything that nothing leads to. */
export async function fsck(directory: string): Promise<string> {
  const { code, stdout, stderr } = await tryGit(directory, 'fsck', '--full', '--strict', '--no-progress');
  return `${code === 0 ? '' : `code ${code} `}${stdout}${stderr}`;
}

/** The content of many objects, in their order, from one process. */
export function showAll(directory: string, names: readonly string[]): readonly string[] {
  const input = names.map((name) => `${name}\n`).join('');
  const shown = execFileSync('git', ['cat-file', '--batch'], { cwd: directory, env: ENVIRONMENT, input, maxBuffer: MAX_OUTPUT });
  let at = 0;
  return names.map((name) => {
    const begin = shown.indexOf('\n', at) + 1;
    const head = shown.toString('utf8', at, begin).trim();
    const size = Number(/^\w+ blob (\d+)$/.exec(head)?.[1]);
    if (Number.isNaN(size)) throw new Error(`git has no ${name}: ${head}`);
    at = begin + size + 1;
    return shown.toString('utf8', begin, begin + size);
  });
}
