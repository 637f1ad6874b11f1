// A form with a file or an archive, taken as it comes.
import type { Spool } from '../../../artifacts/uploads/spool.ts';
import type { Upload } from '../../../artifacts/uploads/upload.ts';
import type { Uploads } from '../../../artifacts/uploads/uploads.ts';
import { Semaphore } from '../../../kit/concurrency/limits/semaphore.ts';
import { boundaryIn } from '../../../kit/form/multipart.ts';
import { type StreamedPart, streamedParts } from '../../../kit/form/multipart-stream.ts';
import { Refusal } from '../../../kit/refusal.ts';
import type { ApiRequest } from '../../engine/route.ts';
import { piecesOf } from '../../http/body/long-bodies.ts';
import { mustMatch, readChecksums, type SentChecksums } from './sent-checksums.ts';
import { CUT_OFF, NO_FILE, NO_NAME, NOT_A_FORM, TOO_MANY_ARCHIVES, TWO_FILES } from './upload-docs.ts';

const MAX_CHECKSUM_BYTES = 16 * 1024 * 1024;
const RETRY_SECONDS = 10;
const MAX_WAIT_MS = 60_000;
/** The list of an archive is held in memory while it is unpacked. */
const archives = new Semaphore(2, 50, MAX_WAIT_MS);

/** Refused: it is no form. */
export function boundaryOf(request: ApiRequest): string {
  const boundary = boundaryIn(request.header('content-type') ?? '');
  if (request.raw.type !== 'multipart/form-data' || boundary === undefined) throw new Refusal('unsupportedContent', NOT_A_FORM);
  return boundary;
}

/** `path`: of the file, or of the folder for the files of an archive; empty: the folder of the job itself. */
export async function takeForm(request: ApiRequest, uploads: Uploads, upload: Upload, path: string): Promise<void> {
  const boundary = boundaryOf(request);
  let checksums: SentChecksums = new Map();
  let isFile = false;
  let archive: Spool | undefined;
  try {
    for await (const part of streamedParts(bodyOf(request), boundary)) {
      if (part.name === 'file_checksum') checksums = readChecksums(await textOf(part));
      if (part.name !== 'file' && part.name !== 'zipfile') continue;
      if (isFile || archive) throw new Refusal('malformed', TWO_FILES);
      if (part.name === 'file' && path === '') throw new Refusal('invalid', NO_NAME);
      if (part.name === 'zipfile') archive = await uploads.spool(part.content);
      else await upload.take(path, part.content);
      isFile = part.name === 'file';
    }
    if (!isFile && !archive) throw new Refusal('malformed', NO_FILE);
    if (archive) await unpack(upload, archive, path);
    mustMatch(upload.files, checksums);
  } finally {
    await archive?.[Symbol.asyncDispose]();
  }
}

/** The bytes of the body as they arrive. A caller that stops early can still answer the request. */
export async function* bodyOf({ raw }: ApiRequest): AsyncGenerator<Buffer, void> {
  try {
    yield* piecesOf(raw.stream);
  } catch (failure) {
    // Also one that stalled: then it was given up here.
    throw isCutOff(failure) || raw.stream.destroyed ? new Refusal('malformed', CUT_OFF) : failure;
  }
}

function unpack(upload: Upload, archive: Spool, path: string): Promise<void> {
  const refusal = () => new Refusal('unavailable', TOO_MANY_ARCHIVES, { retryAfter: RETRY_SECONDS });
  return archives.run(() => upload.takeArchive(archive, path), refusal);
}

async function textOf({ content }: StreamedPart): Promise<string> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of content) {
    length += piece.length;
    if (length > MAX_CHECKSUM_BYTES) throw new Refusal('tooLarge', `\`file_checksum\` is larger than ${MAX_CHECKSUM_BYTES} bytes.`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}

function isCutOff(failure: unknown): boolean {
  return ['ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE', 'ABORT_ERR'].includes((failure as NodeJS.ErrnoException).code ?? '');
}
