// The commit that a checkout of git is at, read from its files: git itself need not be installed.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** Undefined: the folder is no checkout, or has no commit. */
export function checkoutCommit(folder: string): string | undefined {
  const directory = gitDirectoryOf(folder);
  if (directory === undefined) return undefined;
  const head = textOf(join(directory, 'HEAD'));
  const [, ref] = /^ref: (.+)$/.exec(head) ?? [];
  if (ref === undefined) return head || undefined;
  // A worktree shares its branches with the repository that it belongs to.
  const shared = resolve(directory, textOf(join(directory, 'commondir')));
  return textOf(join(shared, ref)) || packedCommit(textOf(join(shared, 'packed-refs')), ref);
}

/** In a worktree `.git` is a file that names it. */
function gitDirectoryOf(folder: string): string | undefined {
  const path = join(folder, '.git');
  const facts = statSync(path, { throwIfNoEntry: false });
  if (!facts?.isFile()) return facts && path;
  const [, named] = /^gitdir: (.+)$/m.exec(textOf(path)) ?? [];
  return named === undefined ? undefined : resolve(folder, named);
}

/** `git gc` moves branches into one file, a line for each. */
function packedCommit(packed: string, ref: string): string | undefined {
  const line = packed.split('\n').find((one) => one.endsWith(` ${ref}`));
  return line?.slice(0, line.indexOf(' '));
}

/** Empty: there is no such file. */
function textOf(path: string): string {
  return existsSync(path) ? readFileSync(path, 'utf8').trim() : '';
}
