// Where a ref of a repository on this machine points to: its own files say so, and no program need be started.
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { smallText } from '../../addresses/small-file.ts';
import { SUFFIXES } from './followed-paths.ts';
import type { Git } from './git.ts';

export interface LocalRef {
  /** The directory that git would use. */
  readonly gitDir: string;
  /** A commit, or a tag that leads to one. */
  readonly revision: string;
}

const IS_PLAIN = /^(?:file:\/\/)?\/[^%]*$/;
/** Parts without which it is no repository. */
const PARTS = ['HEAD', 'objects', 'refs'];

/** undefined when the revision is not plain to see: git itself has to be asked then. */
export function localRef({ address, path }: Pick<Git, 'address' | 'path'>, ref: string): LocalRef | undefined {
  const gitDir = path !== undefined && IS_PLAIN.test(address.url) ? findGitDir(path) : undefined;
  if (gitDir === undefined) return undefined;
  const revision = revisionIn(gitDir, ref);
  return revision === undefined ? undefined : { gitDir, revision };
}

/** The revision that a ref of the repository in a directory points to; undefined when that is not plain to see. */
export function revisionIn(gitDir: string, ref: string): string | undefined {
  const own = smallText(join(gitDir, ref));
  // Refs that have not changed for long are written into one file.
  const [revision] = own === '' ? packed(gitDir, ref) : (/^[0-9a-f]{40}(?=\n$)/.exec(own ?? '') ?? []);
  return revision;
}

function packed(gitDir: string, ref: string): readonly string[] {
  const text = smallText(join(gitDir, 'packed-refs')) ?? '';
  const end = text.indexOf(` ${ref}\n`);
  return end < 0 ? [] : (/(?<=\n)[0-9a-f]{40}$/.exec(text.slice(Math.max(0, end - 41), end)) ?? []);
}

/** Where git finds the repository, when that is a plain directory. */
function findGitDir(path: string): string | undefined {
  const first = SUFFIXES.map((suffix) => `${path}${suffix}`).find((gitDir) => existsSync(join(gitDir, 'HEAD')) || smallText(gitDir) !== '');
  return first !== undefined && PARTS.every((part) => existsSync(join(first, part))) && isOurs(first) ? first : undefined;
}

/** Git trusts repositories of other people only when it is configured to, and says so: let it. */
function isOurs(gitDir: string): boolean {
  return statSync(gitDir, { throwIfNoEntry: false })?.uid === process.getuid?.();
}
