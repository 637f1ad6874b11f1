// Local git repositories to be polled: all alike, each on its own.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

export const COMMITS = 100;
export const GIT_ENVIRONMENT = { PATH: process.env.PATH, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null', LC_ALL: 'C.UTF-8' };

/** Gives their paths; the branch is main. */
export function makeRepositories(root: string, count: number): readonly string[] {
  const paths = Array.from({ length: count }, (_, index) => join(root, `repository-${index}.git`));
  const [model = '', ...copies] = paths;
  mkdirSync(model, { recursive: true });
  const git = (args: readonly string[], input?: string) =>
    execFileSync('git', args, { cwd: model, env: GIT_ENVIRONMENT, input, stdio: 'pipe' });
  git(['init', '--quiet', '--bare', '--initial-branch=main', '.']);
  const commits = Array.from({ length: COMMITS }, (_, index) => {
    const [message, content] = [`change ${index}`, `content ${index}\n`.repeat(20)];
    const head = `commit refs/heads/main\ncommitter A <a@b.c> ${1_700_000_000 + index} +0000\ndata ${message.length}\n${message}\n`;
    return `${head}M 100644 inline folder/file-${index % 20}\ndata ${content.length}\n${content}\n`;
  });
  git(['fast-import', '--quiet'], commits.join(''));
  for (const copy of copies) cpSync(model, copy, { recursive: true });
  return paths;
}

/** One more commit in each. */
export function addCommits(repositories: readonly string[]): void {
  for (const path of repositories) {
    const parent = execFileSync('git', ['rev-parse', 'main'], { cwd: path, env: GIT_ENVIRONMENT, encoding: 'utf8' }).trim();
    const head = `commit refs/heads/main\ncommitter A <a@b.c> ${Math.floor(Date.now() / 1000)} +0000\ndata 3\nnew\nfrom ${parent}\n`;
    const input = `${head}M 100644 inline folder/new\ndata ${parent.length}\n${parent}\n`;
    execFileSync('git', ['fast-import', '--quiet'], { cwd: path, env: GIT_ENVIRONMENT, input, stdio: 'pipe' });
  }
}

/** Very many at once, three files each. */
export function addManyCommits(path: string, count: number): void {
  const parent = execFileSync('git', ['rev-parse', 'main'], { cwd: path, env: GIT_ENVIRONMENT, encoding: 'utf8' }).trim();
  const now = Math.floor(Date.now() / 1000);
  const commits = Array.from({ length: count }, (_, index) => {
    const message = `Change number ${index}: ${'words '.repeat(12)}`;
    const head = `commit refs/heads/main\ncommitter A <a@b.c> ${now} +0000\ndata ${message.length}\n${message}\n`;
    const files = [0, 1, 2].map((file) => `M 100644 inline src/file-${(index * 3 + file) % 500}\ndata ${String(index).length}\n${index}\n`);
    return `${head}${index === 0 ? `from ${parent}\n` : ''}${files.join('')}\n`;
  });
  execFileSync('git', ['fast-import', '--quiet'], { cwd: path, env: GIT_ENVIRONMENT, input: commits.join(''), stdio: 'pipe' });
}

/** The repository under an address that only git understands: its files cannot be read on the way, as if it were elsewhere. */
export function onlyForGit(path: string): string {
  return `file://${path.replace(/\.git$/, '%2Egit')}`;
}
