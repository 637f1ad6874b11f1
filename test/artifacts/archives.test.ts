// Zip archives that users send: unpacked whole, or refused whole.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { NO_NAME } from '../../src/api/endpoints/artifacts/upload-docs.ts';
import { zipStream } from '../../src/kit/zip/zip-stream.ts';
import { smallDisk } from '../support/database/small-disk.ts';
import { ArtifactLab, JOB, message } from './artifact-lab.ts';

const directory = mkdtempSync(join(tmpdir(), 'slipway-archives-'));
let lab: ArtifactLab;
before(async () => {
  lab = await ArtifactLab.start();
});
after(async () => {
  await lab.stop();
  rmSync(directory, { recursive: true });
});

/** An archive with any names, also those that no program would write. */
async function archive(names: readonly string[], content = 'x'): Promise<Uint8Array<ArrayBuffer>> {
  async function* entries() {
    for (const name of names) yield { name, content: name.endsWith('/') ? '' : content };
  }
  const pieces: Buffer[] = [];
  for await (const piece of zipStream(entries(), new Date())) pieces.push(piece);
  return new Uint8Array(Buffer.concat(pieces));
}

function zipped(make: (folder: string) => void, ...options: string[]): Uint8Array<ArrayBuffer> {
  const folder = mkdtempSync(join(directory, 'files-'));
  make(folder);
  execFileSync('zip', ['-q', '-r', ...options, 'x.zip', '.', '-x', 'x.zip'], { cwd: folder });
  return new Uint8Array(readFileSync(join(folder, 'x.zip')));
}

const staged = () => {
  const folder = join(lab.dataDir, 'artifacts/uploads');
  return existsSync(folder) ? readdirSync(folder) : [];
};
const pathsBelow = async (folder: string) =>
  (await lab.rows()).map(({ path }) => String(path)).filter((path) => path.startsWith(`${folder}/`));

describe('an archive', () => {
  test('is unpacked below its path, with empty folders, small files and large ones', async () => {
    const large = Buffer.alloc(1_000_000, 'large ');
    const zipfile = zipped((folder) => {
      mkdirSync(join(folder, 'deep/er'), { recursive: true });
      mkdirSync(join(folder, 'hollow'));
      writeFileSync(join(folder, 'deep/er/größe.txt'), 'small');
      writeFileSync(join(folder, 'large.bin'), large);
    });
    const md5 = createHash('md5').update('small').digest('hex');
    const { status, text } = await lab.post('site', { zipfile, file_checksum: `site/deep/er/größe.txt=${md5}` });
    assert.deepEqual([status, text], [201, 'File site was created successfully']);
    assert.deepEqual(await pathsBelow('site'), ['site/deep/er/größe.txt', 'site/hollow/', 'site/large.bin']);
    assert.equal((await lab.ask(`${JOB}/site/deep/er/größe.txt`)).text, 'small');
    assert.ok((await lab.ask(`${JOB}/site/large.bin`)).bytes.equals(large));
    assert.deepEqual((await lab.ask(`${JOB}/site/hollow`)).json, []);
    assert.deepEqual(staged(), []);
  });

  test('an archive without entries becomes an empty folder, also where the folder is there', async () => {
    for (const path of ['bare', 'bare', 'site', 'site/deep']) {
      assert.equal((await lab.post(path, { zipfile: await archive([]) })).status, 201);
      assert.equal((await lab.ask(`${JOB}/${path}`)).status, 200);
    }
    assert.deepEqual((await lab.ask(`${JOB}/bare`)).json, []);
    assert.deepEqual(
      (await lab.ask(`${JOB}/site`)).json.map(({ name }: { name: string }) => name),
      ['deep', 'hollow', 'large.bin'],
    );
  });

  test('may be sent to the folder of the job itself', async () => {
    const md5 = createHash('md5').update('x').digest('hex');
    const form = { zipfile: await archive(['top.txt', 'top/deep/a', 'hollow/']), file_checksum: `top/deep/a=${md5}` };
    const { status, text } = await lab.post('', form, { as: lab.operator });
    assert.deepEqual([status, text], [201, 'File  was created successfully']);
    assert.equal((await lab.ask(`${JOB}/top.txt`)).text, 'x');
    assert.equal((await lab.ask(`${JOB}/top/deep/a`)).text, 'x');
    assert.deepEqual((await lab.ask(`${JOB}/hollow`)).json, []);
    assert.deepEqual(message(await lab.post('', form)), [403, 'File top.txt already exists.']);
    assert.equal((await lab.post('', { zipfile: await archive([]) })).status, 201);
    assert.equal((await lab.post('', { zipfile: await archive(['cruise-output/console.log']) })).status, 422);
    assert.equal((await lab.post('', { zipfile: await archive(['good', '../evil']) })).status, 422);
    assert.deepEqual(message(await lab.post('', { file: 'x' })), [422, NO_NAME]);
    assert.equal((await lab.post('', form, { as: lab.viewer })).status, 403);
    assert.deepEqual(staged(), []);
  });

  test('adds files to a folder, but replaces none', async () => {
    assert.equal((await lab.post('twice', { zipfile: await archive(['a']) })).status, 201);
    assert.equal((await lab.post('twice', { zipfile: await archive(['b']) })).status, 201);
    assert.deepEqual(message(await lab.post('twice', { zipfile: await archive(['c', 'b']) })), [403, 'File twice/b already exists.']);
    assert.deepEqual(await pathsBelow('twice'), ['twice/a', 'twice/b']);
    await lab.publishFiles({ single: 'x' });
    assert.deepEqual(message(await lab.post('single', { zipfile: await archive(['a']) })), [403, 'File single already exists.']);
  });

  for (const [what, name] of [
    ['leads up', '../../evil'],
    ['leads up in the middle', 'a/../../evil'],
    ['is absolute', '/etc/evil'],
    ['has backslashes', '..\\evil'],
    ['has a control character', 'a\nb'],
    ['has no characters between slashes', 'a//b'],
    ['is a point', './a'],
  ] as const)
    test(`an archive with a name that ${what} is refused whole`, async () => {
      assert.equal((await lab.post('bad', { zipfile: await archive(['good', name]) })).status, 422);
      assert.deepEqual(await pathsBelow('bad'), []);
      assert.equal(existsSync(join(lab.folder, 'bad')), false);
      assert.deepEqual(staged(), []);
    });

  test('an archive that names a file twice, or a file as a folder, is refused', async () => {
    assert.deepEqual(message(await lab.post('bad', { zipfile: await archive(['a', 'a']) })), [
      422,
      "The file 'bad/a' is there twice: send it once.",
    ]);
    assert.equal((await lab.post('bad', { zipfile: await archive(['a', 'a/b']) })).status, 422);
  });

  test('an archive with the own files of the server is refused', async () => {
    assert.equal((await lab.post('cruise-output', { zipfile: await archive(['console.log']) })).status, 422);
  });

  test('an archive with a link is refused', async () => {
    const zipfile = zipped((folder) => symlinkSync('/etc/passwd', join(folder, 'link')), '-y');
    assert.deepEqual(message(await lab.post('bad', { zipfile })), [422, "'link' is neither a file nor a folder."]);
  });

  test('an archive that is damaged, or of another kind, is refused', async () => {
    assert.deepEqual(message(await lab.post('bad', { zipfile: 'no archive' })), [422, 'This is no zip archive.']);
    const damaged = await archive(['good', 'bad'], 'content');
    damaged.set([1], Buffer.from(damaged).lastIndexOf('content'));
    assert.match((await lab.post('bad', { zipfile: damaged })).json.message, /^'bad' is not what the archive says/);
    assert.deepEqual(await pathsBelow('bad'), []);
    assert.deepEqual(staged(), []);
  });

  test('an archive that is a bomb is refused: by its ratio, and by the number of its files', async () => {
    const bomb = zipped((folder) => writeFileSync(join(folder, 'zeros'), Buffer.alloc(100_000_000)), '-9');
    assert.ok(bomb.length < 200_000);
    assert.match((await lab.post('bomb', { zipfile: bomb })).json.message, /more than 200 times larger/);
    const names = Array.from({ length: 100_001 }, (_, index) => `${index}`);
    assert.match((await lab.post('bomb', { zipfile: await archive(names, '') })).json.message, /more than 100000 files/);
    assert.deepEqual(await pathsBelow('bomb'), []);
  });

  test('an archive with a wrong checksum is refused whole', async () => {
    const { status } = await lab.post('sums', { zipfile: await archive(['a', 'b']), file_checksum: `sums/b=${'0'.repeat(32)}` });
    assert.equal(status, 422);
    assert.deepEqual(await pathsBelow('sums'), []);
  });
});

test('an archive that does not fit on the disk gets 413 and leaves nothing; one that fits is taken', async (context) => {
  const disk = smallDisk(context, 8);
  if (!disk) return;
  const full = await ArtifactLab.start({ 'disk-full-mb': '0', 'disk-warning-mb': '0' });
  try {
    const config = '/api/admin/config/server/artifact_config';
    assert.equal((await full.runs.server.put(config, { artifacts_dir: disk }, '*')).status, 200);
    await full.runs.server.restart();
    const large = new Uint8Array(20_000_000).fill(1);
    const zipfile = zipped((folder) => writeFileSync(join(folder, 'large'), Buffer.alloc(12_000_000, 'many words ')));
    for (const sent of [() => full.post('x', { file: large }), () => full.post('x', { zipfile }), () => full.put('x', large)]) {
      const { status, text } = await sent();
      assert.equal(status, 413, text);
      assert.deepEqual(readdirSync(join(disk, 'uploads')), []);
    }
    assert.equal((await full.ask(`${JOB}/x`)).status, 404);
    assert.equal((await full.post('x', { file: 'small' })).status, 201);
  } finally {
    await full.stop();
  }
});
