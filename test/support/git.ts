// The stock git client, without the settings of the user who runs the tests.
import { execFileSync } from 'node:child_process';
import { CommandFailure, runCommand } from '../../src/kit/process/command.ts';

const ENVIRONMENT = {
  PATH: process.env.PATH!,
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_TERMINAL_PROMPT: '0',
  LC_ALL: 'C',
};
const MAX_OUTPUT = 256 * 1024 * 1024;

/** Runs git and returns its output; throws when git fails. */
export async function git(directory: string, ...args: readonly string[]): Promise<string> {
  return (await run(directory, args)).stdout;
}

/** Started by a small process: to start one stops a process of tests, which has hundreds of megabytes, for long. */
function run(directory: string, args: readonly string[]) {
  return runCommand('git', args, { cwd: directory, env: ENVIRONMENT, maxOutputBytes: MAX_OUTPUT });
}

export interface GitOutcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a git command that may fail; of a failure only standard error is known. */
export async function tryGit(directory: string, ...args: readonly string[]): Promise<GitOutcome> {
  try {
    return { code: 0, ...(await run(directory, args)) };
  } catch (failure) {
    if (!(failure instanceof CommandFailure) || failure.exitCode === null) throw failure;
    return { code: failure.exitCode, stdout: '', stderr: failure.stderr };
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
