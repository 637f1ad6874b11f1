// A zip archive that is written while it is read: nothing of it is kept, however many entries there are.
import { crc32 } from 'node:zlib';
import { dataDescriptor, directory, localHeader, type ZipEntry } from './records.ts';

export interface StreamedEntry {
  readonly name: string;
  readonly content: string;
}

const MODE = 0o644;

/** The same entries and time give the same bytes. */
export async function* zipStream(entries: AsyncIterable<StreamedEntry>, time: Date): AsyncGenerator<Buffer, void> {
  const listed: ZipEntry[] = [];
  let at = 0;
  for await (const { name, content } of entries) {
    const bytes = Buffer.from(content);
    const entry = { name, mode: MODE, time, headerAt: at, bytes: bytes.length, crc: crc32(bytes) };
    const piece = Buffer.concat([localHeader(entry), bytes, dataDescriptor(entry)]);
    listed.push(entry);
    at += piece.length;
    yield piece;
  }
  yield directory(listed, at);
}
