// The files that a job has published, as the database knows them.
import type { ArtifactRow } from '../../../store/rows/artifacts.ts';

export type PublishedFile = Readonly<Pick<ArtifactRow, 'path' | 'bytes' | 'sha256' | 'md5'>>;

export interface PublishedFiles {
  find(job: number, path: string): Promise<PublishedFile | undefined>;
  /** Below a folder, which is empty for all, behind a path, in the order of the bytes of their paths. */
  page(job: number, range: { readonly below: string; readonly after: string; readonly most: number }): Promise<readonly PublishedFile[]>;
}

/** The most in one list; the rest follows page by page. */
export const MAX_LISTED = 10_000;
/** An archive ends with a list of its files, which is kept until then. */
export const MAX_ZIPPED = 200_000;
/** Made from what the database knows, as clients of the reference product ask for it. */
export const CHECKSUMS = 'cruise-output/md5.checksum';
const PAGE = 1000;

export async function hasFolder(files: PublishedFiles, job: number, folder: string): Promise<boolean> {
  return (await files.page(job, { below: folder, after: '', most: 1 })).length > 0;
}

export async function* allBelow(files: PublishedFiles, job: number, folder: string): AsyncGenerator<PublishedFile> {
  for (let after = ''; ; ) {
    const page = await files.page(job, { below: folder, after, most: PAGE });
    yield* page;
    const last = page.at(-1);
    if (!last || page.length < PAGE) return;
    after = last.path;
  }
}
