// Files that the server itself shows among those of a job: its console, and the checksums of its files.
import { Readable } from 'node:stream';
import { OUTPUT_FOLDER } from '../../../artifacts/stage-run.ts';
import { CHECKSUM_FILE } from '../../../artifacts/storage/checksum-file.ts';
import type { ArtifactStorage } from '../../../artifacts/storage/storage.ts';
import type { Consoles } from '../../../builds/console/consoles.ts';
import type { FoundJob } from '../consoles/jobs.ts';
import { allBelow, hasFolder, type PublishedFiles } from './published.ts';

export interface ServerFileParts {
  readonly files: PublishedFiles;
  readonly consoles: Pick<Consoles, 'size' | 'read'>;
  readonly storage: Pick<ArtifactStorage, 'readChecksums'>;
}

export const CONSOLE = `${OUTPUT_FOLDER}/console.log`;
/** Made from the rows of artifacts, as clients of GoCD ask for it. A purge removes the rows, and leaves the stored file. */
export const CHECKSUMS = CHECKSUM_FILE;

/** The files of the server that there are for a job. */
export async function serverFiles(parts: ServerFileParts, job: FoundJob): Promise<readonly string[]> {
  const found: string[] = [];
  if ((await parts.consoles.size(job.identifier)) !== undefined) found.push(CONSOLE);
  if (await hasChecksums(parts, job)) found.push(CHECKSUMS);
  return found;
}

export async function readServerFile(parts: ServerFileParts, job: FoundJob, path: string): Promise<Readable | undefined> {
  if (path === CONSOLE) return (await parts.consoles.read(job.identifier, 0, job.isActive))?.stream;
  if (job.isPurged) return parts.storage.readChecksums(job.identifier);
  return Readable.from(checksumLines(parts.files, job), { objectMode: false });
}

async function hasChecksums({ files, storage }: ServerFileParts, { id, identifier, isPurged }: FoundJob): Promise<boolean> {
  if (!isPurged) return hasFolder(files, id, '');
  const stored = await storage.readChecksums(identifier);
  stored?.destroy();
  return stored !== undefined;
}

async function* checksumLines(files: PublishedFiles, { id }: FoundJob): AsyncGenerator<Buffer> {
  for await (const { path, md5 } of allBelow(files, id, '')) if (md5 !== '') yield Buffer.from(`${path}=${md5}\n`);
}
