// Other programs read the streamed archive.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { promisify } from 'node:util';
import yauzl from 'yauzl';
import { type StreamedEntry, zipStream } from './zip-stream.ts';

async function* entries(): AsyncGenerator<StreamedEntry> {
  yield { name: 'text', content: 'größe' };
  yield { name: 'ü/pieces', content: piecesOf('one ', 'two ', 'three') };
  yield { name: 'nothing', content: piecesOf() };
  yield { name: 'folder/', content: '' };
}

async function* piecesOf(...texts: readonly string[]): AsyncGenerator<Buffer> {
  for (const text of texts) yield Buffer.from(text);
}

test('an archive holds texts, streams and empty folders', async () => {
  const bytes = Buffer.concat(await Array.fromAsync(zipStream(entries(), new Date(2026, 0, 1))));
  const archive = await promisify<Buffer, yauzl.Options, yauzl.ZipFile>(yauzl.fromBuffer)(bytes, { lazyEntries: true });
  const found: [string, string][] = [];
  await new Promise<void>((resolve, reject) => {
    archive.on('entry', (entry: yauzl.Entry) =>
      archive.openReadStream(entry, (failure, stream) => {
        if (failure) return reject(failure);
        stream.toArray().then((chunks) => {
          found.push([entry.fileName, Buffer.concat(chunks).toString()]);
          archive.readEntry();
        }, reject);
      }),
    );
    archive.on('end', resolve).on('error', reject);
    archive.readEntry();
  });
  assert.deepEqual(found, [
    ['text', 'größe'],
    ['ü/pieces', 'one two three'],
    ['nothing', ''],
    ['folder/', ''],
  ]);
});

test('the list of many entries comes in pieces', async () => {
  const count = 5000;
  async function* many(): AsyncGenerator<StreamedEntry> {
    for (let number = 0; number < count; number++) yield { name: `${'long'.repeat(50)}/${number}`, content: '' };
  }
  const pieces = await Array.fromAsync(zipStream(many(), new Date(2026, 0, 1)));
  const longest = Math.max(...pieces.map(({ length }) => length));
  assert.ok(longest < 64 * 1024, `a piece has ${longest} bytes`);
  const archive = await promisify<Buffer, yauzl.Options, yauzl.ZipFile>(yauzl.fromBuffer)(Buffer.concat(pieces), {});
  let found = 0;
  archive.on('entry', () => found++);
  await once(archive, 'end');
  assert.deepEqual([found, archive.entryCount], [count, count]);
});
