// A zip archive that is written while it is read: nothing of its contents is kept, however large they are.
import { crc32 } from 'node:zlib';
import { pause } from '../concurrency/time-slices.ts';
import { dataDescriptor, directory, localHeader, type ZipEntry } from './records.ts';

export interface StreamedEntry {
  /** One that ends with a slash is an empty folder. */
  readonly name: string;
  readonly content: string | AsyncIterable<Buffer>;
}

const MODE = 0o644;
const FOLDER_MODE = 0o755;

/** Equal entries and an equal time give equal bytes. */
export async function* zipStream(entries: AsyncIterable<StreamedEntry>, time: Date): AsyncGenerator<Buffer, void> {
  const listed: ZipEntry[] = [];
  let at = 0;
  for await (const { name, content } of entries) {
    const header = localHeader({ name, time });
    const sizes = { bytes: 0, crc: 0 };
    if (typeof content === 'string') {
      const bytes = Buffer.from(content);
      Object.assign(sizes, { bytes: bytes.length, crc: crc32(bytes) });
      yield Buffer.concat([header, bytes, dataDescriptor(sizes)]);
    } else {
      yield header;
      for await (const piece of content) {
        sizes.bytes += piece.length;
        sizes.crc = crc32(piece, sizes.crc);
        yield piece;
      }
      yield dataDescriptor(sizes);
    }
    listed.push({ name, mode: name.endsWith('/') ? FOLDER_MODE : MODE, time, headerAt: at, ...sizes });
    at += header.length + sizes.bytes + dataDescriptor(sizes).length;
  }
  for (const piece of directory(listed, at)) {
    yield piece;
    await pause();
  }
}
