// Takes the files that people send: staged and published like those of agents.
import { KeyedMutex } from '../../kit/concurrency/keyed-mutex.ts';
import { NoForm } from '../../kit/form/multipart-stream.ts';
import { Refusal } from '../../kit/refusal.ts';
import { ArchiveTooLarge, BadArchive } from '../../kit/zip/bad-archive.ts';
import type { Artifact } from '../../store/builds/artifacts.ts';
import { artifactGone } from '../artifact-gone.ts';
import { pathBlocked } from '../path-blocked.ts';
import { TOO_LONG } from '../paths.ts';
import { Spool } from './spool.ts';
import { Upload } from './upload.ts';
import { NO_ROOM, type UploadParts, type UploadTarget, withinRoom } from './upload-parts.ts';

export interface UploadOptions {
  readonly isDryRun: boolean;
}

const CHANGED_MEANWHILE = 'Others change this file all the time. Try again.';
const FULL_DISK: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT']);
const MAX_TRIES = 10;
/** Agents count their assignments from one on. */
const FIRST_NUMBER = 100_000_000_000_000;

export class Uploads {
  readonly #parts: UploadParts;
  /** Bytes appended to a file go after those that others have appended. */
  readonly #mutex = new KeyedMutex();
  #number = FIRST_NUMBER;

  constructor(parts: UploadParts) {
    this.#parts = parts;
  }

  /** Its files are discarded when the caller disposes of it, unless they were published. */
  open(target: UploadTarget): Upload {
    return new Upload(this.#parts, target, ++this.#number);
  }

  spool(content: AsyncIterable<Buffer>): Promise<Spool> {
    return Spool.of(this.#parts.root(), withinRoom(this.#parts, content));
  }

  find(job: number, path: string): Promise<Artifact | undefined> {
    return this.#parts.artifacts.find(job, path);
  }

  /** Appends a complete body to a file, or creates the file from it. */
  async append(target: UploadTarget, path: string, spool: Spool, options: UploadOptions): Promise<void> {
    await this.#mutex.run(`${target.id}/${path}`, async () => {
      for (let tries = 0; tries < MAX_TRIES; tries++) if (await this.#append(target, path, spool, options)) return;
      throw new Refusal('conflict', CHANGED_MEANWHILE);
    });
  }

  /** A whole new file takes the place of the old one: until that is committed, readers get as many bytes of it as the old one had. */
  async #append(target: UploadTarget, path: string, spool: Spool, { isDryRun }: UploadOptions): Promise<boolean> {
    const before = await this.#parts.artifacts.find(target.id, path);
    await target.mustTake();
    if (isDryRun) return true;
    await using upload = this.open(target);
    await upload.take(path, before ? this.#appended(target, before, spool) : spool.pieces());
    return before ? await upload.extend(before) : (await upload.publish()) === undefined;
  }

  async *#appended({ identifier }: UploadTarget, { path, bytes }: Artifact, spool: Spool): AsyncGenerator<Buffer, void> {
    const old = bytes === 0 ? [] : await this.#parts.storage.read(identifier, path, { start: 0, end: bytes - 1 });
    if (!old) throw new Refusal('notFound', artifactGone(path));
    yield* old;
    yield* spool.pieces();
  }
}

/** The failure of an upload as the client gets it. */
export function uploadFailure(failure: unknown): unknown {
  if (failure instanceof ArchiveTooLarge) return new Refusal('tooLarge', failure.message);
  if (failure instanceof NoForm) return new Refusal('malformed', failure.message);
  if (failure instanceof BadArchive) return new Refusal('invalid', failure.message);
  const { code } = failure as NodeJS.ErrnoException;
  if (code === 'ENAMETOOLONG') return new Refusal('invalid', TOO_LONG);
  return FULL_DISK.has(code) ? new Refusal('tooLarge', NO_ROOM) : (pathBlocked(failure) ?? failure);
}
