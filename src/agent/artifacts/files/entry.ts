// The entry under a name: a file, a folder, or something that is not uploaded. Links count as their targets, and never lead out.
import type { Dirent, Stats } from 'node:fs';
import { lstat, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isWithin } from '../../task/contained-paths.ts';
import { unreadable } from '../context.ts';

export type Entry =
  | { readonly kind: 'file' | 'folder'; readonly real: string; readonly isLink: boolean }
  | { readonly kind: 'skipped'; readonly reason: string };

type Kind = Pick<
  Stats | Dirent,
  'isFile' | 'isDirectory' | 'isSymbolicLink' | 'isFIFO' | 'isSocket' | 'isBlockDevice' | 'isCharacterDevice'
>;

const GONE: ReadonlySet<string | undefined> = new Set(['ENOENT', 'ENOTDIR']);

/** Of something in a folder; `root` and `folder` are real paths. `name` is for people. */
export async function entryIn(root: string, folder: string, dirent: Dirent, name: string): Promise<Entry> {
  const path = join(folder, dirent.name);
  if (dirent.isFile()) return { kind: 'file', real: path, isLink: false };
  if (dirent.isDirectory()) return { kind: 'folder', real: path, isLink: false };
  const known = dirent.isSymbolicLink() || specialName(dirent) !== undefined;
  return (await entryAt(root, path, name, known ? dirent : undefined)) ?? { kind: 'skipped', reason: 'it is gone' };
}

/** Undefined: there is nothing. */
export async function entryAt(root: string, path: string, name: string, known?: Kind): Promise<Entry | undefined> {
  try {
    const own = known ?? (await lstat(path));
    const special = specialName(own);
    if (special) return { kind: 'skipped', reason: `it is ${special}` };
    return (await realEntry(root, path, own.isSymbolicLink())) ?? { kind: 'skipped', reason: 'it is a link that leads nowhere' };
  } catch (failure) {
    const { code } = failure as NodeJS.ErrnoException;
    if (GONE.has(code)) return undefined;
    if (code === 'ELOOP') return { kind: 'skipped', reason: 'it is a link that leads to itself' };
    throw unreadable(name, failure);
  }
}

/** Undefined for a link that leads nowhere. */
async function realEntry(root: string, path: string, isLink: boolean): Promise<Entry | undefined> {
  const real = await realpath(path).catch((failure: NodeJS.ErrnoException) => {
    if (isLink && GONE.has(failure.code)) return undefined;
    throw failure;
  });
  if (real === undefined) return undefined;
  if (!isWithin(root, real)) return { kind: 'skipped', reason: 'a link leads out of the folder of the pipeline' };
  const facts = await stat(real);
  if (facts.isFile()) return { kind: 'file', real, isLink: true };
  if (facts.isDirectory()) return { kind: 'folder', real, isLink: true };
  return { kind: 'skipped', reason: `it is ${specialName(facts) ?? 'neither a file nor a folder'}` };
}

function specialName(kind: Kind): string | undefined {
  if (kind.isFIFO()) return 'a pipe';
  if (kind.isSocket()) return 'a socket';
  if (kind.isBlockDevice() || kind.isCharacterDevice()) return 'a device';
  return undefined;
}

/** A folder, and the way that led to it. */
export interface NestedFolder {
  readonly real: string;
  readonly parent: NestedFolder | undefined;
}

/** Whether it is a link to a folder that it is in itself. */
export function leadsBack(entry: Entry, folder: NestedFolder): boolean {
  if (entry.kind !== 'folder' || !entry.isLink) return false;
  for (let one: NestedFolder | undefined = folder; one; one = one.parent) if (one.real === entry.real) return true;
  return false;
}
