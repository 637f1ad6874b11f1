// Deletes some files of a job, and the folders that become empty. Other files beside them stay.
import { rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { inParallel } from '../../kit/concurrency/in-parallel.ts';
import { findFolder } from '../../kit/files/without-links.ts';
import { foldersAbove } from '../paths.ts';

const AT_A_TIME = 16;
const IN_USE: ReadonlySet<unknown> = new Set(['ENOTEMPTY', 'EEXIST', 'ENOENT']);

/** Returns the problems of files that could not be deleted, in words. */
export async function removeListed(root: string, jobFolder: readonly string[], paths: readonly string[]): Promise<readonly string[]> {
  const problems: string[] = [];
  const attempt = (work: () => Promise<unknown>) => work().catch((failure: Error) => problems.push(failure.message));
  await inParallel(paths, AT_A_TIME, (path) =>
    attempt(async () => {
      const folder = await findFolder(
        root,
        [...jobFolder, ...dirname(path).split('/')].filter((part) => part !== '.'),
      );
      if (folder !== undefined && !path.endsWith('/')) await rm(join(root, ...jobFolder, path), { force: true });
    }),
  );
  const folders = [...foldersAbove(paths)].toSorted((one, other) => other.length - one.length);
  for (const folder of [...folders, '']) await attempt(() => rmdir(join(root, ...jobFolder, folder)).catch(noneIfInUse));
  return problems;
}

function noneIfInUse(failure: NodeJS.ErrnoException): void {
  if (!IN_USE.has(failure.code)) throw failure;
}
