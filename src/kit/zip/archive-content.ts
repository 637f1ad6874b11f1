// The content of a file in an uploaded zip archive, checked against the size and checksum that the archive states.
import type { FileHandle } from 'node:fs/promises';
import { pipeline, Readable } from 'node:stream';
import { promisify } from 'node:util';
import { crc32, createInflateRaw, inflateRaw } from 'node:zlib';
import { BadArchive, damagedArchive } from './bad-archive.ts';
import { type ListedEntry, LOCAL_HEADER_BYTES } from './sent-archive.ts';

const LOCAL_HEADER = 0x04034b50;
const PIECE_BYTES = 64 * 1024;
const SMALL_BYTES = 256 * 1024;
const inflated = promisify(inflateRaw);

/** Fails where the content differs from its entry in the list; it is never longer than listed. */
export async function* contentOf(archive: FileHandle, entry: ListedEntry): AsyncGenerator<Buffer, void> {
  const at = await contentAt(archive, entry);
  let bytes = 0;
  let crc = 0;
  for await (const piece of unpacked(archive, entry, at)) {
    bytes += piece.length;
    if (bytes > entry.bytes) throw notAsListed(entry);
    crc = crc32(piece, crc);
    yield piece;
  }
  if (bytes !== entry.bytes || crc !== entry.crc) throw notAsListed(entry);
}

/** The header before the content must name the same file. */
async function contentAt(archive: FileHandle, { name, headerAt }: ListedEntry): Promise<number> {
  const expected = Buffer.from(name);
  const header = Buffer.alloc(LOCAL_HEADER_BYTES + expected.length);
  const { bytesRead } = await archive.read(header, 0, header.length, headerAt);
  if (bytesRead < header.length || header.readUInt32LE(0) !== LOCAL_HEADER) throw damagedArchive();
  const isSame = header.readUInt16LE(26) === expected.length && header.subarray(LOCAL_HEADER_BYTES).equals(expected);
  if (!isSame) throw new BadArchive(`'${name.slice(0, 200)}' has another name inside of the archive.`);
  return headerAt + header.length + header.readUInt16LE(28);
}

async function* unpacked(archive: FileHandle, entry: ListedEntry, at: number): AsyncGenerator<Buffer, void> {
  const { name, isDeflated, packedBytes, bytes } = entry;
  if (packedBytes === 0) return;
  const packed = freshPieces(archive, at, packedBytes);
  try {
    if (!isDeflated) yield* packed;
    // A stream costs more than a small file.
    else if (packedBytes <= PIECE_BYTES && bytes <= SMALL_BYTES) {
      for await (const piece of packed) yield await inflated(piece, { maxOutputLength: bytes + 1 });
      // Failures come from the stream that is read.
    } else yield* pipeline(Readable.from(packed), createInflateRaw({ chunkSize: PIECE_BYTES }), () => {});
  } catch (failure) {
    const { code = '' } = failure as NodeJS.ErrnoException;
    if (code === 'ERR_BUFFER_TOO_LARGE') throw notAsListed(entry);
    if (!code.startsWith('Z_')) throw failure;
    throw new BadArchive(`'${name.slice(0, 200)}' cannot be unpacked.`);
  }
}

/** The consumer may keep each piece. */
async function* freshPieces(archive: FileHandle, from: number, bytes: number): AsyncGenerator<Buffer, void> {
  for (let at = from, end = from + bytes; at < end; ) {
    const { buffer, bytesRead } = await archive.read(Buffer.allocUnsafe(Math.min(PIECE_BYTES, end - at)), 0, null, at);
    if (bytesRead === 0) throw damagedArchive();
    yield buffer.subarray(0, bytesRead);
    at += bytesRead;
  }
}

function notAsListed({ name }: ListedEntry): BadArchive {
  return new BadArchive(`'${name.slice(0, 200)}' is not what the archive says of it.`);
}
