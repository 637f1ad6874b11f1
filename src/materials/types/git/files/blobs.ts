// The contents of any number of files from a bare repository, by one process.
import type { Program } from '../../../clients/program.ts';
import { ByteStream } from '../../../files/byte-stream.ts';
import { type Content, type Entry, ownBytes } from '../../../files/source.ts';

const HEAD = /^([0-9a-f]+) ([a-z]+) (\d+)$/;

export async function* readBlobs(
  git: Program,
  directory: string,
  entries: readonly Pick<Entry, 'path' | 'id'>[],
  maxBytes: number,
): AsyncGenerator<Content, void> {
  if (entries.length === 0) return;
  const byId = Map.groupBy(entries, ({ id }) => id);
  const input = [...byId.keys()].map((id) => `${id}\n`).join('');
  const stream = new ByteStream(git.chunks([`--git-dir=${directory}`, 'cat-file', '--batch', '--buffer'], { input }));
  try {
    for (let line = await stream.wordUntil('\n'); line !== undefined; line = await stream.wordUntil('\n')) {
      const [, id, type, length] = HEAD.exec(line) ?? [];
      const size = Number(length);
      // `missing` stands where the size would be; the caller sees that the content does not come.
      if (id === undefined) continue;
      const isWanted = type === 'blob' && size <= maxBytes;
      const bytes = isWanted ? await stream.take(size) : undefined;
      const asked = byId.get(id) ?? [];
      for (const [index, { path }] of asked.entries()) yield { path, size, ...(bytes && { bytes: ownBytes(bytes, index, asked) }) };
      await stream.skip(bytes ? 1 : size + 1);
    }
  } finally {
    await stream.close();
  }
}
