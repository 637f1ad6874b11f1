import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { contentOf } from './archive-content.ts';
import { ArchiveTooLarge, BadArchive } from './bad-archive.ts';
import { type ArchiveLimits, listedEntries } from './sent-archive.ts';
import { zipStream } from './zip-stream.ts';

const directory = mkdtempSync(join(tmpdir(), 'slipway-sent-zip-'));
after(() => rmSync(directory, { recursive: true }));
const LIMITS: ArchiveLimits = { entries: 100, bytes: 1e9, ratio: 100, harmlessBytes: 1_000_000 };
let count = 0;

async function read(bytes: Uint8Array, limits: Partial<ArchiveLimits> = {}): Promise<Record<string, Buffer>> {
  const path = join(directory, `${++count}.zip`);
  writeFileSync(path, bytes);
  await using handle = await open(path);
  const found: Record<string, Buffer> = {};
  for (const entry of await listedEntries(handle, bytes.length, { ...LIMITS, ...limits })) {
    const pieces: Buffer[] = [];
    for await (const piece of contentOf(handle, entry)) pieces.push(piece);
    found[entry.name] = Buffer.concat(pieces);
  }
  return found;
}

/** As the usual program writes it. */
function zipped(files: Readonly<Record<string, Uint8Array | string>>, ...options: string[]): Buffer {
  const folder = mkdtempSync(join(directory, 'files-'));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    if (name.endsWith('/')) mkdirSync(join(folder, name), { recursive: true });
    else writeFileSync(join(folder, name), content);
  }
  execFileSync('zip', ['-q', '-r', ...options, 'x.zip', '.', '-x', 'x.zip'], { cwd: folder });
  return readFileSync(join(folder, 'x.zip'));
}

async function streamed(files: Readonly<Record<string, string>>): Promise<Buffer> {
  async function* entries() {
    for (const [name, content] of Object.entries(files)) yield { name, content };
  }
  const pieces: Buffer[] = [];
  for await (const piece of zipStream(entries(), new Date())) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** Overwrites bytes at an offset from a mark. */
function changed(bytes: Buffer, mark: string, offset: number, value: readonly number[]): Buffer {
  const copy = Buffer.from(bytes);
  copy.set(value, copy.indexOf(Buffer.from(mark, 'latin1')) + offset);
  return copy;
}

const LISTED = 'PK\x01\x02';
const LOCAL = 'PK\x03\x04';
const END = 'PK\x05\x06';
const LARGE = randomBytes(300_000);
const SOFT = Buffer.alloc(400_000, 'soft ');
const NAMES = { 'a.txt': 'hello hello hello', 'größe/日本語.bin': LARGE, soft: SOFT, nothing: '', 'folder/': '' };

describe('an archive that was sent', () => {
  for (const options of [[], ['-0'], ['-fz'], ['-D']])
    test(`an archive as zip ${options.join(' ')} writes it is read`, async () => {
      const found = await read(zipped(NAMES, ...options));
      assert.equal(found['a.txt']!.toString(), 'hello hello hello');
      assert.deepEqual(found['größe/日本語.bin'], LARGE);
      assert.deepEqual(found.soft, SOFT);
      assert.equal(found.nothing!.length, 0);
      assert.equal('folder/' in found, !options.includes('-D'));
    });

  test('an archive in the form for large ones is read, and so is one without files', async () => {
    assert.deepEqual(await read(await streamed({ ä: 'one', 'b/': '' })), { ä: Buffer.from('one'), 'b/': Buffer.alloc(0) });
    assert.deepEqual(await read(await streamed({})), {});
  });

  test('an archive with a comment at its end is read', async () => {
    const archive = zipped({ a: '1' });
    const commented = Buffer.concat([changed(archive, END, 20, [5, 0]), Buffer.from('hello')]);
    assert.deepEqual(Object.keys(await read(commented)), ['a']);
  });

  const refused = (what: string, bytes: () => Promise<Buffer> | Buffer, why: RegExp, limits: Partial<ArchiveLimits> = {}) =>
    test(`an archive is refused: ${what}`, async () => {
      const failure = await read(await bytes(), limits).then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      assert.ok(failure instanceof BadArchive || failure instanceof ArchiveTooLarge, String(failure));
      assert.match(failure.message, why);
    });
  const one = zipped({ a: 'hello hello hello hello' });

  refused('no archive', () => Buffer.from('PK something else entirely'), /no zip archive/);
  refused('nothing at all', () => Buffer.alloc(0), /no zip archive/);
  refused('more files than allowed', () => streamed({ a: '', b: '', c: '' }), /more than 2 files/, { entries: 2 });
  refused('more bytes than there is room for', () => streamed({ a: 'x'.repeat(1000) }), /room for 999/, { bytes: 999 });
  refused('far larger than the archive', () => zipped({ zeros: Buffer.alloc(5_000_000) }), /100 times larger/);
  refused('a link', () => zippedLink(), /neither a file nor a folder/);
  refused('a device', () => changed(one, LISTED, 41, [0x21]), /neither a file nor a folder/);
  refused('encrypted', () => changed(one, LISTED, 8, [1]), /encrypted/);
  refused('another way to pack', () => changed(one, LISTED, 10, [12]), /not supported/);
  refused('another name inside', () => changed(one, LOCAL, 30, [0x62]), /another name inside/);
  refused('a name that is not UTF-8', () => changed(one, LISTED, 46, [0xff]), /not UTF-8/);
  refused('another checksum', () => changed(one, LISTED, 16, [0, 0, 0, 0]), /not what the archive says/);
  refused('more than it says', () => changed(one, LISTED, 24, [3]), /not what the archive says/);
  refused('less than it says', () => changed(one, LISTED, 24, [99]), /not what the archive says/);
  refused(
    'a stream that grows beyond what it says',
    () => changed(zipped({ a: SOFT }), LISTED, 24, [0xff, 0xff, 4, 0]),
    /not what the archive says/,
  );
  refused('broken packing', () => changed(one, LOCAL, 31 + one.readUInt16LE(28), [0xff, 0xff, 0xff]), /cannot be unpacked|not what/);
  refused('several parts', () => changed(one, END, 4, [1]), /several parts/);
  refused('a list that lies elsewhere', () => changed(one, END, 16, [0xff, 0xff, 0xff, 0x0f]), /damaged/);
  refused('more listed than there is', () => changed(one, END, 8, [2, 0, 2, 0]), /damaged/);
  refused('overlapping files', () => overlapping(), /overlaps/);
  test('is refused wherever it is cut off', async () => {
    const archive = zipped({ a: '1', b: '2' });
    for (let end = 0; end < archive.length; end++) await assert.rejects(read(archive.subarray(0, end)), BadArchive, `${end}`);
  });
});

function zippedLink(): Buffer {
  const folder = mkdtempSync(join(directory, 'link-'));
  symlinkSync('/etc/passwd', join(folder, 'link'));
  execFileSync('zip', ['-q', '-y', 'x.zip', 'link'], { cwd: folder });
  return readFileSync(join(folder, 'x.zip'));
}

/** Both of its files are said to begin where the first one does. */
function overlapping(): Buffer {
  const archive = zipped({ a: 'x'.repeat(100), b: 'y'.repeat(100) });
  const first = archive.indexOf(Buffer.from(LISTED, 'latin1'));
  const second = archive.indexOf(Buffer.from(LISTED, 'latin1'), first + 4);
  archive.copy(archive, second + 42, first + 42, first + 46);
  return archive;
}
