// The files that a job has published, as the database knows them.
import type { Artifact, Artifacts } from '../../../store/builds/artifacts.ts';

export type PublishedFiles = Pick<Artifacts, 'find' | 'page' | 'listed' | 'pathAt'>;

/** The most in one list; the rest follows page by page. A page takes well below a tenth of a second, in which the server does nothing else. */
export const MAX_LISTED = 5000;
const PAGE = 1000;
/** Counted without a break: a few milliseconds. */
const COUNTED_AT_ONCE = 20_000;

/** `folder` is empty for all of the job. */
export function prefixOf(folder: string): string {
  return folder === '' ? '' : `${folder}/`;
}

export async function hasFolder(files: PublishedFiles, job: number, folder: string): Promise<boolean> {
  return (await files.page(job, { below: prefixOf(folder) }, 1)).length > 0;
}

/** Whether there are more than `limit` below the folder. */
export async function hasMoreThan(files: PublishedFiles, job: number, folder: string, limit: number): Promise<boolean> {
  let after = '';
  for (let left = limit; left >= 0; ) {
    const step = Math.min(left, COUNTED_AT_ONCE);
    const path = await files.pathAt(job, { below: prefixOf(folder), after }, step);
    if (path === undefined) return false;
    after = path;
    left -= step + 1;
  }
  return true;
}

export async function* allBelow(files: PublishedFiles, job: number, folder: string): AsyncGenerator<Artifact> {
  for (let after = ''; ; ) {
    const page = await files.page(job, { below: prefixOf(folder), after }, PAGE);
    yield* page;
    const last = page.at(-1);
    if (!last || page.length < PAGE) return;
    after = last.path;
  }
}
