// Many small files that come together: written side by side, brought to the disk with one call, and finished all at once.
import { constants } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sha256 } from '../../kit/bytes/hash.ts';
import { inParallel } from '../../kit/concurrency/in-parallel.ts';
import { syncMany } from '../../kit/files/sync-many.ts';
import { FILE_MODE, syncFolder } from '../../kit/files/without-links.ts';
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
}

interface Written {
  readonly part: string;
  readonly name: string;
  readonly key: string;
}

const AT_A_TIME = 16;
const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW = 0 } = constants;
const ANEW = O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW;

/** How many there were. */
export async function receiveAll(many: ManyFiles): Promise<number> {
  const { folder, finished } = many;
  const taken: (() => void)[] = [];
  const written: Written[] = [];
  try {
    try {
      await writeParts(many, taken, written);
      await syncMany(
        folder,
        written.map(({ part }) => part),
      );
    } catch (failure) {
      await inParallel(written, AT_A_TIME, ({ part }) => rm(part, { force: true }));
      throw failure;
    }
    await inParallel(written, AT_A_TIME, async ({ key, part, name }) => {
      const older = finished.get(key);
      if (older) await rm(join(folder, older.name), { force: true });
      await rename(part, name);
    });
    await syncFolder(folder);
    return written.length;
  } finally {
    for (const release of taken) release();
  }
}

/** Goes on with the next files while the ones before are written. */
async function writeParts({ folder, files, take }: ManyFiles, taken: (() => void)[], written: Written[]): Promise<void> {
  const writing = new Set<Promise<void>>();
  const failures: unknown[] = [];
  try {
    for await (const { path, bytes } of files) {
      taken.push(take(path));
      const key = keyOf(path);
      const facts = { sha256: sha256(bytes), bytes: bytes.length };
      const one = { key, part: join(folder, partName(key)), name: join(folder, finishedName(key, facts)) };
      written.push(one);
      const work = writeFile(one.part, bytes, { flag: ANEW, mode: FILE_MODE })
        .catch((failure: unknown) => void failures.push(failure))
        .finally(() => writing.delete(work));
      writing.add(work);
      if (writing.size >= AT_A_TIME) await Promise.race(writing);
      if (failures.length > 0) break;
    }
  } finally {
    await Promise.all(writing);
  }
  if (failures.length > 0) throw failures[0];
}
