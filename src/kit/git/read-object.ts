// Reads objects from the packs of a repository; it works beside a writer, which replaces packs by larger ones.
import { type FileHandle, open } from 'node:fs/promises';
import { promisify } from 'node:util';
import { inflate } from 'node:zlib';
import { applyDelta } from './apply-delta.ts';
import type { Chunks, ObjectType } from './objects.ts';
import { findInIndex, type ReadAt } from './pack.ts';
import { type EntryHead, MAX_HEAD_BYTES, readHead } from './pack-entry.ts';
import { currentPacks, filesOf, hiddenFilesOf, hiddenNames, type PackPaths, packsIn } from './pack-files.ts';
import { type PackName, readPackName } from './pack-names.ts';

export interface StoredObject {
  readonly type: ObjectType;
  readonly content: Chunks;
  /** The pack it was found in, and where. */
  readonly pack: PackName;
  readonly offset: number;
  /** How many deltas lie between it and a whole object. */
  readonly depth: number;
}

const MAX_ATTEMPTS = 5;
const unpack = promisify(inflate);

export async function readObject(repository: string, id: string): Promise<StoredObject | undefined> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await lookFor(repository, id);
    } catch (failure) {
      // A pack was replaced by a larger one between being found and being read.
      if ((failure as NodeJS.ErrnoException).code !== 'ENOENT' || attempt === MAX_ATTEMPTS) throw failure;
    }
  }
}

/** The content of a blob in pieces; undefined: there is none of this id. */
export async function readBlob(repository: string, id: string): Promise<Chunks | undefined> {
  const found = await readObject(repository, id);
  return found?.type === 'blob' ? found.content : undefined;
}

async function lookFor(repository: string, id: string): Promise<StoredObject | undefined> {
  // Listed first: one that can be seen by the time it is opened is missed, and all are listed again.
  const hidden = hiddenNames(repository);
  const current = currentPacks(repository);
  const names = new Set(current.map(({ name }) => name));
  // Replaced packs hold nothing that is not in the others, unless packs of another time were left there.
  for (const pack of [...current, ...packsIn(repository).filter(({ name }) => !names.has(name))]) {
    const found = await lookInto(pack, filesOf(repository, pack.name), id);
    if (found) return found;
  }
  return lookIntoHidden(repository, hidden, id);
}

/** Objects that the writer has recorded already stay hidden for a moment. */
async function lookIntoHidden(repository: string, hidden: readonly string[], id: string): Promise<StoredObject | undefined> {
  for (const name of hidden) {
    try {
      const found = await lookInto(readPackName(name), hiddenFilesOf(repository, name), id);
      if (found) return found;
    } catch (failure) {
      // One that is gone can be seen by now; one that cannot be read is still being written, and nothing in it is noted.
      if ((failure as NodeJS.ErrnoException).code === 'ENOENT') throw failure;
    }
  }
  return undefined;
}

async function lookInto(pack: PackName, { idx, pack: path }: PackPaths, id: string): Promise<StoredObject | undefined> {
  await using index = await open(idx);
  const offsetOf = (wanted: string) => findInIndex(readerOf(index), wanted);
  const offset = await offsetOf(id);
  if (offset === undefined) return undefined;
  await using file = await open(path);
  return { pack, offset, ...(await readEntry(readerOf(file), offset, offsetOf)) };
}

async function readEntry(
  read: ReadAt,
  offset: number,
  offsetOf: (id: string) => Promise<number | undefined>,
): Promise<Pick<StoredObject, 'type' | 'content' | 'depth'>> {
  const deltas: Buffer[] = [];
  let at = offset;
  for (;;) {
    const head = readHead(await read(at, MAX_HEAD_BYTES));
    const { type } = head;
    const content = await unpack(await read(at + head.contentAt, maxPacked(head)));
    if (type !== 'delta' && type !== 'deltaOfId') {
      const whole: Chunks = [content];
      return { type, content: deltas.reduceRight(applyDelta, whole), depth: deltas.length };
    }
    deltas.push(content);
    at = type === 'delta' ? at - head.distance : (await offsetOf(head.baseId))!;
  }
}

/** The most bytes that the content can take when it is compressed. */
function maxPacked({ size }: EntryHead): number {
  return size + (size >> 8) + 256;
}

/** Gives fewer bytes than asked for where the file ends before. */
function readerOf(file: FileHandle): ReadAt {
  return async (position, length) => {
    const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(length), 0, length, position);
    return buffer.subarray(0, bytesRead);
  };
}
