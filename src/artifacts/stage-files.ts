// The files of a stage run on disk: what can be deleted, how large it is, and deleting it. Links are never followed.
import type { Dirent } from 'node:fs';
import { lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { cacheFolderOf, folderOf, KEPT_FOLDERS, type StageRun } from './stage-run.ts';

export interface Deletable {
  readonly path: string;
  readonly files: number;
  readonly bytes: number;
}

/** What was found, and what was left alone because it is not what it should be. */
export interface StageFiles {
  readonly deletable: readonly Deletable[];
  readonly problems: readonly string[];
}

export async function findStageFiles(root: string, run: StageRun): Promise<StageFiles> {
  const problems: string[] = [];
  const deletable: Deletable[] = [];
  const folder = folderOf(run);
  const cache = cacheFolderOf(run);
  if (!folder || !cache) return { deletable, problems: [`The run ${run.id} has a name that is none.`] };
  for (const job of await entriesOf(root, folder, problems)) {
    const name = String(job.name);
    if (!job.isDirectory()) continue; // what lies beside the jobs is not an artifact
    for (const entry of await entriesOf(root, [...folder, name], problems)) {
      if (!KEPT_FOLDERS.includes(entry.name)) deletable.push(await measured(join(root, ...folder, name, entry.name)));
    }
  }
  for (const entry of await entriesOf(root, cache, problems)) deletable.push(await measured(join(root, ...cache, entry.name)));
  return { deletable, problems };
}

/** Deletes what it can; a link is deleted itself, not what it leads to. */
export async function deleteFiles(deletable: readonly Deletable[]): Promise<readonly string[]> {
  const problems: string[] = [];
  for (const { path } of deletable) {
    try {
      await rm(path, { recursive: true, force: true, maxRetries: 2 });
    } catch (failure) {
      problems.push(`${path}: ${(failure as Error).message}`);
    }
  }
  return problems;
}

/** The entries of a folder; none when it does not exist, and none when any part of its path is a link that could lead elsewhere. */
async function entriesOf(root: string, parts: readonly string[], problems: string[]): Promise<readonly Dirent[]> {
  let path = root;
  try {
    for (const part of parts) {
      path = join(path, part);
      if ((await lstat(path)).isDirectory()) continue;
      problems.push(`${path} is not a folder.`);
      return [];
    }
    return await readdir(path, { withFileTypes: true });
  } catch (failure) {
    if ((failure as NodeJS.ErrnoException).code !== 'ENOENT') problems.push(`${path}: ${(failure as Error).message}`);
    return [];
  }
}

async function measured(path: string): Promise<Deletable> {
  let files = 0;
  let bytes = 0;
  const visit = async (place: string): Promise<void> => {
    const found = await lstat(place).catch(() => undefined);
    if (!found) return;
    if (!found.isDirectory()) {
      files++;
      // Bytes on the disk; a file with holes is longer than that, and a file with another name beside this one frees nothing.
      bytes += found.nlink > 1 ? 0 : Math.min(found.size, found.blocks * 512);
      return;
    }
    for (const name of await readdir(place).catch(() => [])) await visit(join(place, name));
  };
  await visit(path);
  return { path, files, bytes };
}
