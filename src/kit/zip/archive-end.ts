// Finds the list of a zip archive, by the record at its end.
import type { FileHandle } from 'node:fs/promises';
import { BadArchive, damagedArchive, NOT_AN_ARCHIVE, toSafeNumber } from './bad-archive.ts';

export interface ArchiveEnd {
  readonly entries: number;
  readonly directoryAt: number;
  readonly directoryBytes: number;
}

const END = Buffer.from('PK\x05\x06', 'latin1');
const END_BYTES = 22;
const MAX_COMMENT_LENGTH = 0xffff;
const WIDE_LOCATOR = 0x07064b50;
const WIDE_LOCATOR_BYTES = 20;
const WIDE_END = 0x06064b50;
const WIDE_END_BYTES = 56;

export async function readEnd(archive: FileHandle, size: number): Promise<ArchiveEnd> {
  const tail = Buffer.alloc(Math.min(size, END_BYTES + MAX_COMMENT_LENGTH + WIDE_LOCATOR_BYTES));
  await readAll(archive, tail, size - tail.length);
  const at = endIn(tail);
  const end = (await wideEnd(archive, tail, at)) ?? narrowEnd(tail, at);
  if (end.directoryAt + end.directoryBytes > size) throw damagedArchive();
  return end;
}

/** Where it begins: the comment after it ends with the file. */
function endIn(tail: Buffer): number {
  for (let at = tail.lastIndexOf(END, tail.length - END_BYTES); at >= 0; at = at === 0 ? -1 : tail.lastIndexOf(END, at - 1)) {
    if (at + END_BYTES + tail.readUInt16LE(at + 20) === tail.length) return at;
  }
  throw new BadArchive(NOT_AN_ARCHIVE);
}

function narrowEnd(tail: Buffer, at: number): ArchiveEnd {
  const entries = tail.readUInt16LE(at + 10);
  mustBeOneFile(tail.readUInt16LE(at + 4) === 0 && tail.readUInt16LE(at + 8) === entries);
  return { entries, directoryBytes: tail.readUInt32LE(at + 12), directoryAt: tail.readUInt32LE(at + 16) };
}

/** The record of large archives (ZIP64) stands before the usual one, which has no room for their numbers. */
async function wideEnd(archive: FileHandle, tail: Buffer, at: number): Promise<ArchiveEnd | undefined> {
  const locatorAt = at - WIDE_LOCATOR_BYTES;
  if (locatorAt < 0 || tail.readUInt32LE(locatorAt) !== WIDE_LOCATOR) return undefined;
  const record = Buffer.alloc(WIDE_END_BYTES);
  await readAll(archive, record, toSafeNumber(tail.readBigUInt64LE(locatorAt + 8)));
  if (record.readUInt32LE(0) !== WIDE_END) throw damagedArchive();
  const entries = toSafeNumber(record.readBigUInt64LE(32));
  mustBeOneFile(record.readUInt32LE(16) === 0 && toSafeNumber(record.readBigUInt64LE(24)) === entries);
  return { entries, directoryBytes: toSafeNumber(record.readBigUInt64LE(40)), directoryAt: toSafeNumber(record.readBigUInt64LE(48)) };
}

function mustBeOneFile(isOne: boolean): void {
  if (!isOne) throw new BadArchive('The archive is one of several parts.');
}

async function readAll(archive: FileHandle, into: Buffer, at: number): Promise<void> {
  if ((await archive.read(into, 0, into.length, at)).bytesRead < into.length) throw damagedArchive();
}
