// A file of a job as an answer: all of it or a range, kept from acting as a page of this server.
import { Readable } from 'node:stream';
import { artifactGone } from '../../../artifacts/artifact-gone.ts';
import type { JobIdentifier } from '../../../artifacts/stage-run.ts';
import type { ArtifactStorage } from '../../../artifacts/storage/storage.ts';
import { Refusal } from '../../../kit/refusal.ts';
import type { Artifact } from '../../../store/builds/artifacts.ts';
import { type Answer, type ApiRequest, jsonAnswer } from '../../engine/route.ts';
import { byteRangeOf } from '../../http/headers/byte-range.ts';
import { contentTypeOf, dispositionOf, isScriptOfPage, NO_SCRIPT, SANDBOX } from './content-type.ts';
import { NO_SUCH_BYTES } from './docs.ts';

/** Without `linkTo` all files are read here. */
export type FileSource = Pick<ArtifactStorage, 'read' | 'linkTo'>;

export const JSON_TYPE = { type: 'application/json; charset=utf-8' } as const;

export async function fileAnswer(
  request: Pick<ApiRequest, 'header'>,
  storage: FileSource,
  job: JobIdentifier,
  { path, bytes, sha256: etag }: Artifact,
): Promise<Answer> {
  if (isScriptOfPage(request.header('sec-fetch-dest'), request.header('sec-fetch-site'))) throw new Refusal('forbidden', NO_SCRIPT);
  const isCurrent = [undefined, `"${etag}"`].includes(request.header('if-range')?.trim());
  const range = isCurrent ? byteRangeOf(request.header('range'), bytes) : undefined;
  if (range === 'unsatisfiable')
    return jsonAnswer({ message: NO_SUCH_BYTES }, { ...JSON_TYPE, status: 416, headers: ['Content-Range', `bytes */${bytes}`] });
  const link = await storage.linkTo?.(job, { path, bytes }, { type: contentTypeOf(path), disposition: dispositionOf(path, 'attachment') });
  if (link !== undefined)
    return { status: 302, text: '', bytes: 0, type: 'text/plain', cacheControl: 'no-store', headers: ['Location', link] };
  const body = await bytesOf(storage, job, { path, bytes }, range);
  if (!body) throw new Refusal('notFound', artifactGone(path));
  const headers = [
    'Accept-Ranges',
    'bytes',
    'Content-Length',
    String(range ? range.end - range.start + 1 : bytes),
    ...guarded(path, 'inline'),
  ];
  if (range) headers.push('Content-Range', `bytes ${range.start}-${range.end}/${bytes}`);
  return { status: range ? 206 : 200, body, type: contentTypeOf(path), etag, headers };
}

/** As many as the database knows of: where something was added to the file a moment ago, it begins with them. */
export async function bytesOf(
  storage: Pick<ArtifactStorage, 'read'>,
  job: JobIdentifier,
  { path, bytes }: Pick<Artifact, 'path' | 'bytes'>,
  range = { start: 0, end: bytes - 1 },
): Promise<Readable | undefined> {
  if (bytes > 0) return storage.read(job, path, range);
  const found = await storage.read(job, path);
  found?.destroy();
  return found && Readable.from([]);
}

export function guarded(path: string, how: 'inline' | 'attachment'): string[] {
  return ['Content-Security-Policy', SANDBOX, 'Content-Disposition', dispositionOf(path, how)];
}
