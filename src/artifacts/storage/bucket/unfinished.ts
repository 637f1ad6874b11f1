// Files that are being received, and incomplete ones that wait for more. Their state is in the memory of this process.
import { Refusal } from '../../../kit/refusal.ts';
import { FileInUse, type Uploader } from '../storage.ts';
import type { BucketFile } from './bucket-file.ts';

/** Together with those that wait, they hold one part each. */
const MAX_OPEN = 64;
const MAX_WAITING = 16;
const RETRY_SECONDS = 5;
const TOO_MANY = `More than ${MAX_OPEN} large files are sent to the bucket at the same time. Try again in a moment.`;

export class UnfinishedFiles {
  /** undefined: it is being opened. */
  readonly #open = new Map<string, BucketFile | undefined>();
  readonly #waiting = new Map<string, BucketFile>();

  /** Keeps others from it. */
  take(uploader: Uploader, path: string): void {
    const lock = lockOf(uploader, path);
    if (this.#open.has(lock)) throw new FileInUse(this.#open.get(lock)?.length ?? 0);
    if (this.#open.size >= MAX_OPEN) throw new Refusal('unavailable', TOO_MANY, { retryAfter: RETRY_SECONDS });
    this.#open.set(lock, undefined);
  }

  /** The incomplete file of an earlier request. */
  takeWaiting(uploader: Uploader, path: string): BucketFile | undefined {
    const lock = lockOf(uploader, path);
    const file = this.#waiting.get(lock);
    this.#waiting.delete(lock);
    return file;
  }

  opened(uploader: Uploader, path: string, file: BucketFile): void {
    this.#open.set(lockOf(uploader, path), file);
  }

  release(uploader: Uploader, path: string): void {
    this.#open.delete(lockOf(uploader, path));
  }

  /** A later request may continue the file. Returns the file that has waited longest, when too many wait. */
  wait(uploader: Uploader, path: string, file: BucketFile): BucketFile | undefined {
    this.#waiting.set(lockOf(uploader, path), file);
    const [oldest] = this.#waiting;
    if (!oldest || this.#waiting.size <= MAX_WAITING) return undefined;
    this.#waiting.delete(oldest[0]);
    return oldest[1];
  }

  /** The files of an assignment, which are forgotten. */
  takeAll(uploader: Uploader): readonly BucketFile[] {
    const own = [...this.#waiting].filter(([lock]) => lock.startsWith(lockOf(uploader, '')));
    for (const [lock] of own) this.#waiting.delete(lock);
    return own.map(([, file]) => file);
  }
}

function lockOf({ job, epoch }: Uploader, path: string): string {
  return `${job}-${epoch}/${path}`;
}
