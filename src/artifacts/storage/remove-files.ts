// Deletes the files of a stage run, or of one of its jobs. A link is deleted itself, not its target; one on the way is not followed.
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { findFolder } from '../../kit/files/without-links.ts';
import { cacheFolderOf, folderOf, isFolderName, type JobIdentifier, KEPT_FOLDERS, type StageIdentifier } from '../stage-run.ts';

type StageOrJob = StageIdentifier & Partial<Pick<JobIdentifier, 'job'>>;

/** Returns the problems of files that could not be deleted, in words. The files that the server itself writes there stay. */
export async function removeFiles(root: string, identifier: StageOrJob): Promise<readonly string[]> {
  const folder = folderOf(identifier);
  const cache = cacheFolderOf(identifier);
  if (!folder || !cache || (identifier.job !== undefined && !isFolderName(identifier.job)))
    return [`The run ${JSON.stringify(identifier)} has a name that is none.`];
  const problems: string[] = [];
  const attempt = async (work: () => Promise<unknown>) => {
    await work().catch((failure: Error) => problems.push(failure.message));
  };
  const jobs = identifier.job === undefined ? await foldersIn(root, folder, problems) : [identifier.job];
  for (const job of jobs)
    for (const name of await entriesIn(root, [...folder, job], problems))
      if (!KEPT_FOLDERS.includes(name)) await attempt(() => rm(join(root, ...folder, job, name), { recursive: true, maxRetries: 2 }));
  const copies = identifier.job === undefined ? cache : [...cache, identifier.job];
  for (const name of await entriesIn(root, copies, problems))
    await attempt(() => rm(join(root, ...copies, name), { recursive: true, maxRetries: 2 }));
  return problems;
}

/** A file beside the folders of the jobs is not an artifact. */
async function foldersIn(root: string, parts: readonly string[], problems: string[]): Promise<readonly string[]> {
  const path = await found(root, parts, problems);
  const entries = path === undefined ? [] : await readdir(path, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

async function entriesIn(root: string, parts: readonly string[], problems: string[]): Promise<readonly string[]> {
  const path = await found(root, parts, problems);
  return path === undefined ? [] : readdir(path);
}

async function found(root: string, parts: readonly string[], problems: string[]): Promise<string | undefined> {
  try {
    return await findFolder(root, parts);
  } catch (failure) {
    problems.push((failure as Error).message);
    return undefined;
  }
}
