// Many small files that come together: written in batches, brought to the disk with one call, and finished all at once.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { sha256 } from '../../kit/bytes/hash.ts';
import { withHandledRejection } from '../../kit/concurrency/handled-rejection.ts';
import { inParallel } from '../../kit/concurrency/in-parallel.ts';
import { syncMany } from '../../kit/files/sync-many.ts';
import { syncFolder } from '../../kit/files/without-links.ts';
import type { DiskBatches } from './batch/disk-batches.ts';
import { finishedName, keyOf, partName, type StagedFile } from './staging.ts';
import type { SmallFile } from './storage.ts';

export interface ManyFiles {
  /** The staging area. */
  readonly folder: string;
  readonly files: AsyncIterable<SmallFile>;
  /** Of files that came before, by key: these take their place. */
  readonly finished: ReadonlyMap<string, StagedFile>;
  /** Locks a file against others; returns a function that unlocks it. */
  readonly take: (path: string) => () => void;
  readonly disk: DiskBatches;
}

interface WrittenPart {
  readonly part: string;
  readonly name: string;
  readonly key: string;
}

interface Batch {
  readonly files: { readonly path: string; readonly bytes: Buffer }[];
  length: number;
}

const BATCH_FILES = 200;
const BATCH_BYTES = 1024 * 1024;
const REMOVED_AT_A_TIME = 16;

/** How many there were. */
export async function receiveAll(many: ManyFiles): Promise<number> {
  const { folder, finished, disk } = many;
  const taken: (() => void)[] = [];
  const written: WrittenPart[] = [];
  try {
    try {
      await writeParts(many, taken, written);
      await syncMany(
        folder,
        written.map(({ part }) => part),
      );
    } catch (failure) {
      await inParallel(written, REMOVED_AT_A_TIME, ({ part }) => rm(part, { force: true }));
      throw failure;
    }
    await disk.rename(
      written.map(({ key, part, name }) => {
        const older = finished.get(key);
        return { from: part, to: name, older: older && join(folder, older.name) };
      }),
    );
    await syncFolder(folder);
    return written.length;
  } finally {
    for (const release of taken) release();
  }
}

/** Goes on with the next batch while the one before is written. */
async function writeParts({ folder, files, take, disk }: ManyFiles, taken: (() => void)[], written: WrittenPart[]): Promise<void> {
  let batch: Batch = { files: [], length: 0 };
  let writing: Promise<void> = Promise.resolve();
  const flush = async () => {
    await writing;
    writing = withHandledRejection(disk.write(batch.files));
    batch = { files: [], length: 0 };
  };
  try {
    for await (const { path, bytes } of files) {
      taken.push(take(path));
      const key = keyOf(path);
      const part = join(folder, partName(key));
      written.push({ key, part, name: join(folder, finishedName(key, { sha256: sha256(bytes), bytes: bytes.length })) });
      batch.files.push({ path: part, bytes });
      batch.length += bytes.length;
      if (batch.files.length >= BATCH_FILES || batch.length >= BATCH_BYTES) await flush();
    }
    await flush();
  } finally {
    // The files of a failed upload are deleted next: none may come after that.
    await writing.catch(() => {});
  }
  await writing;
}
