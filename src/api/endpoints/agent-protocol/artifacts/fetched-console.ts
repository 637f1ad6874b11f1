// The console of a job as a file that can be fetched. It has no row among the artifacts, so its digests are those of its bytes now.
import { createHash } from 'node:crypto';
import { plainPath } from '../../../../artifacts/paths.ts';
import { OUTPUT_FOLDER } from '../../../../artifacts/stage-run.ts';
import type { Consoles } from '../../../../builds/console/consoles.ts';
import type { Artifact } from '../../../../store/builds/artifacts.ts';
import type { FetchedFrom } from './jobs.ts';

const PATH = `${OUTPUT_FOLDER}/console.log`;

/** undefined: something else is fetched, or the console is gone. */
export async function consoleRow(consoles: Pick<Consoles, 'read'>, { source, job }: FetchedFrom): Promise<Artifact | undefined> {
  if (plainPath(source) !== PATH) return undefined;
  const text = await consoles.read(job.identifier, 0, false);
  if (!text) return undefined;
  const [sha256, md5] = [createHash('sha256'), createHash('md5')];
  let bytes = 0;
  for await (const piece of text.stream as AsyncIterable<Buffer>) {
    sha256.update(piece);
    md5.update(piece);
    bytes += piece.length;
  }
  return { job_id: job.id, path: PATH, bytes, sha256: sha256.digest('hex'), md5: md5.digest('hex'), created_at: 0 };
}
