import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, openSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync, writeSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import yauzl from 'yauzl';
import { unpack } from './unpack.ts';
import { type ZipChecksums, ZipFile } from './zip-file.ts';

const directory = mkdtempSync(join(tmpdir(), 'slipway-zip-'));
const large = randomBytes(3 * 1024 * 1024 + 17);
after(() => rmSync(directory, { recursive: true }));

async function write(name: string): Promise<{ readonly path: string; readonly seal: ZipChecksums }> {
  const source = join(directory, 'source');
  writeFileSync(source, large);
  const path = join(directory, name);
  const zip = await ZipFile.create(path);
  await zip.addText('größe/ä.txt', 'text', 0o4755);
  await using handle = await open(source);
  await zip.addFile('large', handle, large.length, 0o600);
  await zip.addFile('shorter than it was', handle, large.length + 1000, 0o600);
  await zip.addText('empty', '', 0o600);
  return { path, seal: await zip.finish() };
}

test('other programs read the written archive', async () => {
  const { path } = await write('a.zip');
  const archive = await promisify<string, yauzl.Options, yauzl.ZipFile>(yauzl.open)(path, { lazyEntries: true });
  const found: Record<string, Buffer> = {};
  await new Promise<void>((resolve, reject) => {
    archive.on('entry', (entry: yauzl.Entry) => {
      archive.openReadStream(entry, (failure, stream) => {
        if (failure) return reject(failure);
        stream.toArray().then((chunks) => {
          found[entry.fileName] = Buffer.concat(chunks);
          archive.readEntry();
        }, reject);
      });
    });
    archive.on('end', resolve);
    archive.on('error', reject);
    archive.readEntry();
  });
  assert.deepEqual(Object.keys(found), ['größe/ä.txt', 'large', 'shorter than it was', 'empty']);
  assert.equal(found['größe/ä.txt']!.toString(), 'text');
  assert.ok(found.large!.equals(large) && found['shorter than it was']!.equals(large));
});

test('another program finds the checksums of the archive right', { skip: !hasProgram('python3') }, async () => {
  const { path } = await write('b.zip');
  const check = 'import sys, zipfile; print(zipfile.ZipFile(sys.argv[1]).testzip())';
  assert.equal(execFileSync('python3', ['-c', check, path], { encoding: 'utf8' }).trim(), 'None');
});

test('the archive is unpacked as it was written', async () => {
  const { path, seal } = await write('c.zip');
  const into = join(directory, 'c');
  const { problems, sha256 } = await unpack(path, seal, { into, isDigested: true, wants: (name) => name !== 'empty' });
  assert.deepEqual(problems, []);
  assert.match(sha256!, /^[0-9a-f]{64}$/);
  assert.ok(readFileSync(join(into, 'large')).equals(large));
  assert.equal(statSync(join(into, 'größe/ä.txt')).mode & 0o777, 0o600, 'for the owner alone');
  assert.throws(() => statSync(join(into, 'empty')), /ENOENT/);
});

test('every damaged byte is found, and named where it stands', async () => {
  const { path, seal } = await write('d.zip');
  const whole = readFileSync(path);
  const { at } = seal.entries.large!;
  const cases: readonly (readonly [number, RegExp])[] = [
    [0, /^it is damaged beside its contents$/],
    [seal.entries['größe/ä.txt']!.at, /^größe\/ä\.txt is damaged between its bytes 0 and 3 /],
    [at, /^large is damaged between its bytes 0 and 1048575 /],
    [at + 1024 * 1024, /^large is damaged between its bytes 1048576 and 2097151 /],
    [at + large.length - 1, /^large is damaged between its bytes 3145728 and 3145744 /],
    [at + large.length, /^it is damaged beside its contents$/],
    [whole.length - 1, /^it is damaged beside its contents$/],
  ];
  for (const [offset, message] of cases) {
    const file = openSync(path, 'r+');
    writeSync(file, Buffer.from([whole[offset]! ^ 0x80]), 0, 1, offset);
    const { problems } = await unpack(path, seal);
    assert.equal(problems.length, 1, `${offset}`);
    assert.match(problems[0]!, message, `${offset}`);
    writeSync(file, whole, offset, 1, offset);
  }
  truncateSync(path, at + 5);
  const { problems } = await unpack(path, seal);
  assert.equal(problems[0], `large ends after 5 of ${large.length} bytes`);
});

test('no name leads out of the folder', async () => {
  const path = join(directory, 'e.zip');
  const zip = await ZipFile.create(path);
  await zip.addText('../out', 'x', 0o600);
  const seal = await zip.finish();
  const { problems } = await unpack(path, seal, { into: join(directory, 'e') });
  assert.deepEqual(problems, ['../out is not a name that stays in its folder']);
});

function hasProgram(name: string): boolean {
  try {
    execFileSync(name, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
