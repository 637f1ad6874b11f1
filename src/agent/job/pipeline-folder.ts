// The folder in which the jobs of a pipeline work: made, emptied, and freed of folders that no material uses any more.
import { chmodSync, lstatSync, mkdirSync, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join, normalize, sep } from 'node:path';
import { BadFolder } from '../task/contained-paths.ts';

const NAME = /^[\w.-]+$/;
const OWNER_MAY_ALL = 0o700;

export function pipelineFolderIn(workDir: string, pipeline: string): string {
  if (!NAME.test(pipeline) || pipeline === '.' || pipeline === '..')
    throw new BadFolder(`"${pipeline}" cannot be the name of a pipeline: it would not be a folder of its own.`);
  return join(workDir, 'pipelines', pipeline);
}

/** A file or link at this path is replaced by a folder. */
export async function makeFolder(folder: string): Promise<void> {
  const facts = lstatSync(folder, { throwIfNoEntry: false });
  if (facts && !facts.isDirectory()) await rm(folder);
  mkdirSync(folder, { recursive: true });
}

export async function emptyFolder(folder: string): Promise<void> {
  for (const name of readdirSync(folder)) await removeAll(join(folder, name));
}

/** Folders below that neither contain a destination nor lie in one. Files are not listed: their owner cannot be determined. */
export function unknownFolders(folder: string, destinations: readonly (string | null)[]): readonly string[] {
  const kept = destinations.map((destination) => normalize(`${destination ?? '.'}${sep}`));
  if (kept.includes(`.${sep}`)) return [];
  return unknownBelow(folder, '', kept);
}

function unknownBelow(folder: string, below: string, kept: readonly string[]): readonly string[] {
  const folders = readdirSync(join(folder, below), { withFileTypes: true }).filter((one) => one.isDirectory());
  return folders.flatMap(({ name }) => {
    const path = `${below}${name}${sep}`;
    if (kept.includes(path)) return [];
    return kept.some((one) => one.startsWith(path)) ? unknownBelow(folder, path, kept) : [path.slice(0, -sep.length)];
  });
}

/** Also folders that their owner has closed to itself, as caches of some tools are. */
export async function removeAll(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true, maxRetries: 3 });
  } catch (failure) {
    const { code } = failure as NodeJS.ErrnoException;
    if (code !== 'EACCES' && code !== 'EPERM' && code !== 'ENOTEMPTY') throw failure;
    openFolders(path);
    await rm(path, { recursive: true, force: true, maxRetries: 3 });
  }
}

function openFolders(path: string): void {
  if (!lstatSync(path).isDirectory()) return;
  chmodSync(path, OWNER_MAY_ALL);
  for (const one of readdirSync(path, { withFileTypes: true })) if (one.isDirectory()) openFolders(join(path, one.name));
}
