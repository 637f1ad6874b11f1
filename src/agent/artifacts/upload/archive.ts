// Many small files as one tar stream.
import { ARTIFACT_ARCHIVE_PATH, type ArtifactFile, MAX_ARCHIVED_BYTES } from '../../../contracts/agent-protocol/messages.ts';
import { pause } from '../../../kit/concurrency/time-slices.ts';
import { TAR_END, tarHead, tarTail } from '../../../kit/tar/write.ts';
import { type ArtifactContext, ArtifactFailure } from '../context.ts';
import { readSmall, type SmallFile } from '../files/small-file.ts';
import { ARTIFACT_TIMEOUT_MS, pathFor, sendUntilTaken } from '../requests.ts';
import type { SizedFile } from './batch.ts';
import { uploadDenied } from './upload-denied.ts';

/** A connection takes few large pieces faster than many small ones. */
const PIECE_BYTES = 256 * 1024;
/** The maximum size of one entry: its content, and its headers with the name. */
const ENTRY_BYTES = MAX_ARCHIVED_BYTES + 64 * 1024;
const READS = 3;
const READ_AGAIN_MS = 100;

export interface ArchiveResult {
  readonly sent: readonly ArtifactFile[];
  /** Files that have grown meanwhile: too large for an archive now. */
  readonly grown: readonly SizedFile[];
}

export async function sendArchive(files: readonly SizedFile[], context: ArtifactContext): Promise<ArchiveResult> {
  const { client, signal } = context;
  const bytes = files.reduce((sum, one) => sum + one.bytes, 0);
  let archive = new Archive(files, context);
  const name = files.length === 1 ? files[0]!.name : `${files[0]!.name} and ${files.length - 1} more`;
  await sendUntilTaken(
    context,
    () => uploadDenied(name, bytes),
    () => {
      archive = new Archive(files, context);
      return client.upload({
        method: 'PUT',
        path: pathFor(ARTIFACT_ARCHIVE_PATH, context),
        headers: { 'Content-Type': 'application/x-tar', 'X-Svc-Artifact-Size': bytes },
        body: archive.pieces(),
        timeoutMs: ARTIFACT_TIMEOUT_MS,
        signal,
      });
    },
  );
  return archive;
}

class Archive implements ArchiveResult {
  readonly sent: ArtifactFile[] = [];
  readonly grown: SizedFile[] = [];
  readonly #files: readonly SizedFile[];
  readonly #context: ArtifactContext;
  readonly #room = Buffer.allocUnsafe(MAX_ARCHIVED_BYTES + 1);

  constructor(files: readonly SizedFile[], context: ArtifactContext) {
    this.#files = files;
    this.#context = context;
  }

  /** A piece is good until the next one is asked for: all lie in the same memory, so that nothing has to be collected. */
  async *pieces(): AsyncGenerator<Buffer> {
    const piece = Buffer.allocUnsafe(PIECE_BYTES + ENTRY_BYTES);
    let length = 0;
    const add = (bytes: Buffer) => {
      length += bytes.copy(piece, length);
    };
    for (const file of this.#files) {
      const read = await this.#read(file);
      if (read === 'large') {
        this.grown.push(file);
        continue;
      }
      const { content, sha256, md5 } = read;
      const { path } = file;
      const bytes = content.length;
      this.sent.push({ path, bytes, sha256, md5 });
      for (const part of [tarHead({ path, bytes }), content, tarTail(bytes)]) add(part);
      if (length >= PIECE_BYTES) {
        yield piece.subarray(0, length);
        length = 0;
      }
      await pause();
    }
    add(TAR_END);
    yield piece.subarray(0, length);
  }

  /** A file that is being written may be done soon. */
  async #read({ real, name }: SizedFile): Promise<SmallFile | 'large'> {
    const { signal } = this.#context;
    for (let reads = 1; reads <= READS; reads++) {
      const read = readSmall(real, name, this.#room);
      if (read !== 'changed') return read;
      if (reads < READS) await new Promise((resolve) => setTimeout(resolve, READ_AGAIN_MS));
      signal.throwIfAborted();
    }
    throw new ArtifactFailure(fileChanged(name));
  }
}

export function fileChanged(name: string): string {
  return `${name} changed again and again while it was uploaded. Something still writes into it.`;
}
