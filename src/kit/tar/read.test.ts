import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { type ReadEntry, readTar } from './read.ts';
import { TAR_END, tarHead, tarTail } from './write.ts';

const LIMITS = { maxEntries: 10, maxBytes: 100_000 };

async function* inPieces(bytes: Buffer, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function entriesOf(archive: Buffer, { size = 700, limits = LIMITS } = {}): Promise<ReadEntry[]> {
  const entries: ReadEntry[] = [];
  for await (const entry of readTar(inPieces(archive, size), limits)) entries.push(entry);
  return entries;
}

const entry = (path: string, content = '') => {
  const bytes = Buffer.from(content);
  return Buffer.concat([tarHead({ path, bytes: bytes.length }), bytes, tarTail(bytes.length)]);
};
const archive = (...parts: Buffer[]) => Buffer.concat([...parts, TAR_END]);
const shown = (entries: readonly ReadEntry[]) =>
  entries.map((one) => (one.type === 'file' ? [one.path, one.bytes.toString()] : [one.path]));

/** With another value in a header, and the checksum that it has then. */
function changed(block: Buffer, at: number, text: string): Buffer {
  const copy = Buffer.from(block);
  copy.write(text, at, 'latin1');
  copy.write('        ', 148, 'latin1');
  const sum = copy.subarray(0, 512).reduce((all, byte) => all + byte, 0);
  copy.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return copy;
}

test('a written archive is read, in pieces of any size', async () => {
  const long = `${'ordner/'.repeat(40)}größe 🚢.txt`;
  const bytes = archive(entry('a', '1'), entry(long, 'x'.repeat(5000)), entry('empty/'), entry('b c', ''), entry('d', 'y'.repeat(512)));
  const expected = [['a', '1'], [long, 'x'.repeat(5000)], ['empty'], ['b c', ''], ['d', 'y'.repeat(512)]];
  for (const size of [1, 100, 512, 513, 70_000]) assert.deepEqual(shown(await entriesOf(bytes, { size })), expected, String(size));
  assert.deepEqual(await entriesOf(archive()), []);
  assert.deepEqual(await entriesOf(Buffer.concat([archive(), Buffer.alloc(10_240)])), []);
});

test('archives of the program tar are read, in both forms that it writes', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-tar-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const deep = 'd'.repeat(60);
  mkdirSync(join(folder, 'in', deep, deep), { recursive: true });
  writeFileSync(join(folder, 'in', deep, deep, 'ä.txt'), 'content');
  for (const format of ['pax', 'ustar']) {
    const bytes = execFileSync('tar', ['--format', format, '-c', '-C', join(folder, 'in'), deep]);
    assert.deepEqual(shown(await entriesOf(bytes)), [[deep], [`${deep}/${deep}`], [`${deep}/${deep}/ä.txt`, 'content']], format);
  }
  symlinkSync('/etc/passwd', join(folder, 'in', 'link'));
  await assert.rejects(entriesOf(execFileSync('tar', ['-c', '-C', join(folder, 'in'), 'link'])), /'link' is a link/);
  await assert.rejects(entriesOf(execFileSync('tar', ['-c', '/dev/null'], { stdio: ['ignore', 'pipe', 'ignore'] })), /is a device/);
});

test('bytes that are no archive, are cut, or are too many are refused', async () => {
  const whole = archive(entry('a', 'x'.repeat(1000)), entry('b'));
  for (const length of [0, 100, 512, 1000, 1536, 2000, 2048])
    await assert.rejects(entriesOf(whole.subarray(0, length)), /cut off/, String(length));
  await assert.rejects(entriesOf(Buffer.alloc(1024, 'no tar')), /a number in it is not one/);
  const damaged = Buffer.from(whole);
  damaged[3] = 0x41;
  await assert.rejects(entriesOf(damaged), /not a tar archive/);
  const many = archive(...Array.from({ length: 11 }, (_, index) => entry(String(index))));
  await assert.rejects(entriesOf(many), /more than 10 entries/);
  await assert.rejects(entriesOf(whole, { limits: { maxEntries: 10, maxBytes: 999 } }), /more than 999 bytes/);
});

test('odd headers are refused', async () => {
  const head = tarHead({ path: 'name', bytes: 0 });
  for (const type of ['1', '2', '3', '4', '6', '7', 'L', 'S'])
    await assert.rejects(entriesOf(archive(changed(head, 156, type))), /'name' is (a link|a device|a pipe|neither)/, type);
  await assert.rejects(entriesOf(archive(changed(head, 0, '\xff\xfe'))), /not UTF-8/);
  await assert.rejects(entriesOf(archive(changed(head, 124, '00000000009'))), /number/);
  await assert.rejects(entriesOf(archive(changed(head, 124, '\x80'))), /number/);
  await assert.rejects(entriesOf(archive(changed(tarHead({ path: 'd/', bytes: 0 }), 124, '00000000001'))), /folder has content/);
  assert.deepEqual(shown(await entriesOf(archive(changed(head, 345, 'prefix')))), [['prefix/name', '']]);
  assert.deepEqual(shown(await entriesOf(archive(changed(head, 156, '\0')))), [['name', '']]);
});

test('odd records are refused, and those of all files are left out', async () => {
  const records = (text: string, type = 'x') => {
    const content = Buffer.from(text, 'latin1');
    return Buffer.concat([changed(tarHead({ path: 'r', bytes: content.length }), 156, type), content, tarTail(content.length)]);
  };
  const after = (text: string, type?: string) => entriesOf(archive(records(text, type), entry('name')));
  for (const text of ['x', '5 a=b', '99 path=b\n', '0 path=b\n', '9 path=bb\n', '8 patha\n', '10 size=-1\n', '10 path=\xff\xfe\n'])
    await assert.rejects(after(text), /bad records|UTF-8/, text);
  assert.deepEqual(shown(await after('9 path=b\n')), [['b', '']]);
  assert.deepEqual(shown(await after('9 path=b\n', 'g')), [['name', '']]);
  assert.deepEqual(shown(await after('30 mtime=1350244992.023960108\n')), [['name', '']]);
  const huge = tarHead({ path: 'x', bytes: 2 ** 40 });
  await assert.rejects(entriesOf(archive(huge)), /more than 100000 bytes/);
  await assert.rejects(entriesOf(archive(changed(tarHead({ path: 'r', bytes: 100_000 }), 156, 'x'))), /more than 65536 bytes/);
});
