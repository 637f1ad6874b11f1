// Reads tar archives of small files from a stream: ustar, with pax records for long names and names in Unicode. Anything but files and
// folders makes the whole archive a bad one.

import { BadArchive } from './bad-archive.ts';
import { ByteReader } from './byte-reader.ts';
import { type Header, readHeader } from './header.ts';
import { type PaxRecords, readRecords } from './pax.ts';

export interface TarLimits {
  readonly maxEntries: number;
  /** Of each file. */
  readonly maxBytes: number;
}

/** `path` as the archive has it, without the slash at the end of a folder: the caller has to check it. */
export type ReadEntry =
  | { readonly type: 'file'; readonly path: string; readonly bytes: Buffer }
  | { readonly type: 'folder'; readonly path: string };

const BLOCK = 512;
const MAX_RECORD_BYTES = 64 * 1024;

export async function* readTar(pieces: AsyncIterable<Buffer>, limits: TarLimits): AsyncGenerator<ReadEntry> {
  const reader = new ByteReader(pieces);
  try {
    yield* entriesIn(reader, limits);
  } finally {
    await reader.close();
  }
}

async function* entriesIn(reader: ByteReader, limits: TarLimits): AsyncGenerator<ReadEntry> {
  let records: PaxRecords = {};
  for (let entries = 0; ; ) {
    const header = await headerIn(reader);
    if (!header) break;
    if (header.type === 'records' || header.type === 'global records') {
      const found = readRecords(await contentOf(reader, header.bytes, MAX_RECORD_BYTES));
      // Records for all files are of no use here.
      if (header.type === 'records') records = found;
      continue;
    }
    if (++entries > limits.maxEntries) throw new BadArchive(`it has more than ${limits.maxEntries} entries`);
    const path = records.path ?? header.path;
    const size = records.bytes ?? header.bytes;
    records = {};
    if (header.type === 'folder' || path.endsWith('/')) {
      if (size > 0) throw new BadArchive('a folder has content');
      yield { type: 'folder', path: path.replace(/\/$/, '') };
    } else {
      yield { type: 'file', path, bytes: await contentOf(reader, size, limits.maxBytes) };
    }
  }
  await reader.drain();
}

/** undefined: the archive ends here. */
async function headerIn(reader: ByteReader): Promise<Header | undefined> {
  const block = await reader.take(BLOCK);
  if (block.length < BLOCK) throw new BadArchive('it is cut off');
  return readHeader(block);
}

async function contentOf(reader: ByteReader, bytes: number, maxBytes: number): Promise<Buffer> {
  if (bytes > maxBytes) throw new BadArchive(`an entry has more than ${maxBytes} bytes`);
  const content = await reader.take(Math.ceil(bytes / BLOCK) * BLOCK);
  if (content.length < bytes || content.length % BLOCK !== 0) throw new BadArchive('it is cut off');
  return content.subarray(0, bytes);
}
