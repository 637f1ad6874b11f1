// The archives of a release can be read by the usual programs, and depend on nothing but the files and the time in them.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import yauzl from 'yauzl';
import { below, type Entry, textEntry } from '../../tools/release/entry.ts';
import { entriesOfTar, tarOf } from '../../tools/release/tar.ts';
import { zipOf } from '../../tools/release/zip.ts';

const folder = mkdtempSync(join(tmpdir(), 'slipway-archives-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const TIME = new Date('2026-01-31T02:30:00Z');
const LONG = `${'deep/'.repeat(28)}file.txt`;
const ENTRIES: readonly Entry[] = below('top', [
  { name: 'run', content: Buffer.from('#!/bin/sh\n'), isProgram: true },
  textEntry('größe.txt', 'x'.repeat(600)),
  textEntry(LONG, 'far away'),
  textEntry('empty', ''),
]);

test('tar reads a tar archive: names, modes, times and contents', () => {
  const file = join(folder, 'a.tar');
  writeFileSync(file, tarOf(ENTRIES, TIME));
  const listed = execFileSync('tar', [
    '--list',
    '--verbose',
    '--numeric-owner',
    '--utc',
    '--quoting-style=literal',
    '--file',
    file,
  ]).toString();
  assert.match(listed, /^-rwxr-xr-x 0\/0 +10 2026-01-31 02:30 top\/run$/m);
  assert.match(listed, /^-rw-r--r-- 0\/0 +600 2026-01-31 02:30 top\/größe\.txt$/m);
  assert.equal(execFileSync('tar', ['--extract', '--to-stdout', '--file', file, `top/${LONG}`]).toString(), 'far away');
});

test('written entries of a tar archive are read again', () => {
  assert.deepEqual(entriesOfTar(tarOf(ENTRIES, TIME)), ENTRIES);
});

test('a name that is too long for a tar archive is refused', () => {
  assert.throws(() => tarOf([textEntry('x'.repeat(101), '')], TIME), /too long/);
});

test('a zip archive holds the same', async () => {
  const file = join(folder, 'a.zip');
  writeFileSync(file, zipOf(ENTRIES, TIME));
  const zip = await promisify<string, yauzl.Options, yauzl.ZipFile>(yauzl.open)(file, { lazyEntries: false });
  const found = new Map<string, { readonly bytes: number; readonly mode: number; readonly time: string }>();
  await new Promise((resolve, reject) => {
    zip.on('entry', (entry: yauzl.Entry) => {
      const time = entry.getLastModDate({ timezone: 'UTC' }).toISOString();
      found.set(entry.fileName, { bytes: entry.uncompressedSize, mode: (entry.externalFileAttributes >>> 16) & 0o777, time });
    });
    zip.once('end', resolve).once('error', reject);
  });
  assert.deepEqual(
    [...found.keys()],
    ENTRIES.map(({ name }) => name),
  );
  assert.deepEqual(found.get('top/run'), { bytes: 10, mode: 0o755, time: TIME.toISOString() });
  assert.equal(found.get('top/größe.txt')?.bytes, 600);
});

test('the order of the files does not matter', () => {
  const entries = [textEntry('b', '1'), textEntry('a', '2')];
  assert.deepEqual(tarOf(below('x', entries), TIME), tarOf(below('x', entries.toReversed()), TIME));
  assert.notDeepEqual(tarOf(below('x', entries), TIME), tarOf(below('x', entries), new Date(0)));
});
