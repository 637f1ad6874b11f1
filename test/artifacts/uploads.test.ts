// Files that users upload: whole or not at all, once, and only with the right to.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { PATH_BLOCKED } from '../../src/artifacts/path-blocked.ts';
import { rowsIn } from '../support/database/sql.ts';
import { ADMIN_PASSWORD, basic } from '../support/server/server.ts';
import { until } from '../support/until.ts';
import { ArtifactLab, JOB, message } from './artifact-lab.ts';

const md5 = (text: string) => createHash('md5').update(text).digest('hex');
const NOT_YOURS = 'You are not authorized to perform this action.';

let lab: ArtifactLab;
before(async () => {
  lab = await ArtifactLab.start();
});
after(() => lab.stop());

const content = async (path: string) => (await lab.ask(`${JOB}/${path}`)).text;
const usage = async () => {
  const [row] = await rowsIn(lab.dataDir, "select files, bytes from artifact_usage where pipeline_key = 'web'");
  return { files: Number(row?.files ?? 0), bytes: Number(row?.bytes ?? 0) };
};
/** The names in the staging area. */
const staged = () => {
  const folder = join(lab.dataDir, 'artifacts/uploads');
  return existsSync(folder) ? readdirSync(folder) : [];
};

describe('a file that is posted', () => {
  test('is there, with its row, its usage and an event', async () => {
    const before = await usage();
    const created = await lab.post('dir/größe%20x.txt', { file: 'hello' }, { as: lab.operator });
    assert.deepEqual([created.status, created.text], [201, 'File dir/größe x.txt was created successfully']);
    assert.match(created.headers.get('content-type')!, /^text\/plain/);
    assert.equal(await content('dir/größe%20x.txt'), 'hello');
    assert.equal(readFileSync(join(lab.folder, 'dir/größe x.txt'), 'utf8'), 'hello');
    const [row] = (await lab.rows()).filter(({ path }) => path === 'dir/größe x.txt');
    assert.deepEqual([Number(row!.bytes), row!.md5], [5, md5('hello')]);
    assert.deepEqual(await usage(), { files: before.files + 1, bytes: before.bytes + 5 });
    const { json } = await lab.runs.get('/api/admin/events?type=artifacts.published');
    assert.deepEqual(json._embedded.events.at(0).data, {
      pipeline_counter: 1,
      stage: 'test',
      stage_counter: 1,
      job: 'unit',
      files: 1,
      bytes: 5,
    });
    assert.deepEqual(staged(), []);
  });

  test('may be empty, or large', async () => {
    await lab.publishFiles({ 'nothing.bin': '', 'large.bin': new Uint8Array(20_000_000).fill(7) });
    assert.equal(await content('nothing.bin'), '');
    assert.equal((await lab.ask(`${JOB}/large.bin`)).bytes.length, 20_000_000);
  });

  test('is taken once', async () => {
    await lab.publishFiles({ 'once.txt': 'first' });
    for (const file of ['second', 'first'])
      assert.deepEqual(message(await lab.post('once.txt', { file })), [403, 'File once.txt already exists.']);
    assert.equal(await content('once.txt'), 'first');
  });

  test('a posted file that comes twice at the same time is taken once', async () => {
    for (const [one, other] of [
      ['same', 'same'],
      ['one', 'other'],
    ] as const) {
      const path = `race-${one}.txt`;
      const answers = await Promise.all([lab.post(path, { file: one }), lab.post(path, { file: other })]);
      assert.deepEqual(answers.map(({ status }) => status).toSorted(), [201, 403]);
      assert.equal(await content(path), answers[0]!.status === 201 ? one : other);
    }
    assert.deepEqual(staged(), []);
  });

  test('must have the checksum that comes with it', async () => {
    const wrong = await lab.post('sum.txt', { file: 'hello', file_checksum: `sum.txt=${md5('other')}\n` });
    assert.deepEqual(message(wrong), [422, "The file 'sum.txt' has another checksum than `file_checksum` says."]);
    assert.equal((await lab.post('sum.txt', { file: 'hello', file_checksum: `other.txt=${md5('hello')}` })).status, 422);
    assert.equal((await lab.post('sum.txt', { file: 'hello', file_checksum: 'nonsense' })).status, 400);
    assert.equal((await lab.ask(`${JOB}/sum.txt`)).status, 404);
    const escaped = `#a comment\r\nsum\\ \\u00fc.txt=${md5('hello').toUpperCase()}\r\n`;
    assert.equal((await lab.post('sum%20%C3%BC.txt', { file_checksum: escaped, file: 'hello' })).status, 201);
  });

  test('needs the confirm header, a form, and one part', async () => {
    const headers = { 'X-Svc-Confirm': 'true' };
    const posted = (asked: object) => lab.ask(`${JOB}/x.txt`, { method: 'POST', ...asked });
    const form = new FormData();
    form.append('file', new Blob(['x']), 'x');
    assert.deepEqual(message(await posted({ body: form })), [400, "Missing required header 'X-Svc-Confirm' with value 'true'"]);
    assert.equal((await posted({ body: 'x', headers })).status, 415);
    assert.equal((await lab.post('x.txt', { other: 'x' })).status, 400);
    assert.match((await lab.post('x.txt', { file: 'x', zipfile: 'x' })).json.message, /more than one file/);
    const cut = { ...headers, 'Content-Type': 'multipart/form-data; boundary=b' };
    assert.match(
      (await posted({ body: '--b\r\nContent-Disposition: form-data; name="file"\r\n\r\nhalf', headers: cut })).json.message,
      /cut off/,
    );
    assert.equal((await lab.ask(`${JOB}/x.txt`)).status, 404);
    assert.deepEqual(staged(), []);
  });

  test('has a path that stays in the folder of the job, and is not the server’s own', async () => {
    assert.deepEqual(message(await lab.post('..%2fx', { file: 'x' })), [403, 'Url ../x contains forbidden characters.']);
    assert.deepEqual(message(await lab.post('a%00b', { file: 'x' })), [403, 'Url a\0b contains forbidden characters.']);
    for (const path of ['a%5cb', 'a%0ab', 'cruise-output/console.log', 'cruise-output/console.state', 'cruise-output/md5.checksum', 'a//b'])
      assert.equal((await lab.post(path, { file: 'x' })).status, 422, path);
    await lab.publishFiles({ 'file-here': 'x' });
    assert.equal((await lab.post('file-here/below', { file: 'x' })).status, 409);
    assert.equal((await lab.post('dir', { file: 'x' })).status, 409);
  });

  test('belongs to a job that there is', async () => {
    for (const locator of ['web/9/test/1/unit', 'web/1/test/1/other', 'web/x/test/1/unit', 'nothing/1/test/1/unit']) {
      const form = new FormData();
      form.append('file', new Blob(['x']), 'x');
      const answer = await lab.ask(`/files/${locator}/x`, { method: 'POST', body: form, headers: { 'X-Svc-Confirm': 'true' } });
      assert.deepEqual(message(answer), [404, `Job ${locator} not found.`]);
    }
  });

  test('comes from users who may operate the pipeline', async () => {
    for (const as of [lab.viewer, lab.stranger]) {
      assert.deepEqual(message(await lab.post('theirs.txt', { file: 'x' }, { as })), [403, NOT_YOURS]);
      assert.deepEqual(message(await lab.put('theirs.txt', 'x', { as })), [403, NOT_YOURS]);
    }
    assert.equal((await lab.post('theirs.txt', { file: 'x' }, { as: 'Basic eDp5' })).status, 401);
    assert.equal((await lab.ask(`${JOB}/theirs.txt`)).status, 404);
  });

  test('is only tried with dry_run', async () => {
    const tried = await lab.ask(`${JOB}/tried.txt?dry_run=true`, {
      method: 'POST',
      body: formOf('x'),
      headers: { 'X-Svc-Confirm': 'true' },
    });
    assert.equal(tried.status, 201, tried.text);
    assert.equal((await lab.put('tried.txt?dry_run=true', 'x')).status, 200);
    assert.equal((await lab.ask(`${JOB}/tried.txt`)).status, 404);
    assert.deepEqual(staged(), []);
  });

  test('a posted file with an announced size too large for the disk is refused at once', async () => {
    const huge = { headers: { 'X-Svc-Artifact-Size': '1000000000000000' } };
    // The server looks at the disk every five seconds, and knows nothing of a folder that was not there the last time.
    await until('the look at the disk', async () => (await lab.put('huge.bin?dry_run=true', 'x', huge)).status === 413);
    const refused = await lab.post('huge.bin', { file: 'x' }, huge);
    assert.deepEqual([refused.status, refused.text], [413, '']);
    assert.equal((await lab.put('huge.bin', 'x', huge)).status, 413);
    for (const size of ['many', '-5', '1.5', 'Infinity'])
      assert.deepEqual(message(await lab.post('huge.bin', { file: 'x' }, { headers: { 'X-Svc-Artifact-Size': size } })), [
        400,
        'The header X-Svc-Artifact-Size must be a number of bytes, such as 1048576.',
      ]);
    assert.equal((await lab.post('huge.bin', { file: 'x' }, { headers: { 'X-Svc-Artifact-Size': '1' } })).status, 201);
  });

  test('is not there when the client goes away in the middle, and nothing is left of it', async () => {
    const { hostname, port } = new URL(lab.runs.server.url);
    const socket = connect(Number(port), hostname);
    const head = `POST ${JOB}/half.bin HTTP/1.1\r\nHost: x\r\nAuthorization: ${basic('admin', ADMIN_PASSWORD)}\r\nX-Svc-Confirm: true\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 1000000\r\n\r\n`;
    socket.write(`${head}--b\r\nContent-Disposition: form-data; name="file"\r\n\r\n${'x'.repeat(100_000)}`);
    await until('the first bytes', async () => staged().length > 0);
    assert.equal((await lab.ask(`${JOB}/half.bin`)).status, 404);
    socket.destroy();
    await until('the end', async () => staged().length === 0);
    assert.equal((await lab.ask(`${JOB}/half.bin`)).status, 404);
  });
});

describe('an append to a file', () => {
  test('makes it where it does not exist, and goes to its end where it does', async () => {
    const before = await usage();
    for (const text of ['one\n', 'two\n', '']) {
      const { status, text: answer } = await lab.put('added.log', text, { as: lab.operator });
      assert.deepEqual([status, answer], [200, 'File added.log was appended successfully']);
    }
    assert.equal(await content('added.log'), 'one\ntwo\n');
    const [row] = (await lab.rows()).filter(({ path }) => path === 'added.log');
    assert.deepEqual([Number(row!.bytes), row!.md5], [8, md5('one\ntwo\n')]);
    assert.match(await content('cruise-output/md5.checksum'), new RegExp(`^added\\.log=${md5('one\ntwo\n')}$`, 'm'));
    assert.deepEqual(await usage(), { files: before.files + 1, bytes: before.bytes + 8 });
    assert.deepEqual(staged(), []);
  });

  test('is complete, when many come at the same time', async () => {
    const lines = Array.from({ length: 8 }, (_, index) => `line ${index}\n`);
    const answers = await Promise.all(lines.map((line) => lab.put('many.log', line)));
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
    assert.deepEqual(
      (await content('many.log')).trim().split('\n').toSorted(),
      lines.map((line) => line.trim()),
    );
  });

  test('an append that was not committed is not seen by readers', async () => {
    await lab.publishFiles({ 'read.log': 'old' });
    const [{ sha256 }] = (await lab.rows()).filter(({ path }) => path === 'read.log') as [{ sha256: string }];
    await lab.put('read.log', ' and new');
    // As after a crash before the commit: the row is the old one, the file is the new one.
    await lab.change('update artifacts set bytes = 3, sha256 = ? where path = ?', sha256, 'read.log');
    const { text, headers } = await lab.ask(`${JOB}/read.log`);
    assert.deepEqual([text, headers.get('content-length')], ['old', '3']);
    await lab.put('read.log', '!');
    assert.equal(await content('read.log'), 'old!');
  });

  test('has a path like all others', async () => {
    assert.equal((await lab.put('cruise-output/md5.checksum', 'x')).status, 422);
    assert.equal((await lab.put('cruise-output/console.state', 'x')).status, 422);
    assert.equal((await lab.put('..%2fx', 'x')).status, 403);
  });

  test('appends to the console are lines of their own, and at most so many at once', async () => {
    const at = `cruise-output/console.log`;
    for (const text of ['from outside', 'second\nthird\n', '']) assert.equal((await lab.put(at, text)).status, 200);
    assert.equal(await content(at), 'from outside\nsecond\nthird\n');
    assert.equal((await lab.put(at, new Uint8Array(5_000_000))).status, 413);
    assert.equal(
      (await lab.rows()).some(({ path }) => path === at),
      false,
    );
  });
});

test('a link in the folder of the job is not followed, and the client gets 409', async () => {
  const outside = mkdtempSync(join(tmpdir(), 'slipway-outside-'));
  symlinkSync(outside, join(lab.folder, 'way'));
  assert.deepEqual(message(await lab.post('way/f', { file: 'x' })), [409, PATH_BLOCKED]);
  assert.deepEqual(message(await lab.put('way/f', 'x')), [409, PATH_BLOCKED]);
  assert.deepEqual(readdirSync(outside), []);
  assert.deepEqual(staged(), []);
  rmSync(join(lab.folder, 'way'));
  rmSync(outside, { recursive: true });
  assert.equal((await lab.post('way/f', { file: 'x' })).status, 201);
});

describe('a stage run whose artifacts were deleted', () => {
  test('has none any more, takes none, and keeps its console and the metadata of plugins', async () => {
    const metadata = 'pluggable-artifact-metadata/docker.json';
    await lab.publishFiles({ [metadata]: '{"image":"web"}' });
    await lab.change('update stage_runs set artifacts_deleted = 1');
    await lab.change('delete from artifacts where path = ?', 'once.txt');
    try {
      const gone = "Artifact 'once.txt' is unavailable as it may have been purged by Slipway or deleted externally.";
      assert.deepEqual(message(await lab.ask(`${JOB}/once.txt`)), [404, gone]);
      assert.match(await content('cruise-output/console.log'), /third/);
      assert.equal(await content(metadata), '{"image":"web"}');
      const refusal = 'The artifacts of this stage run were deleted, and it takes no new ones.';
      assert.deepEqual(message(await lab.post('late.txt', { file: 'x' })), [409, refusal]);
      assert.deepEqual(message(await lab.put('late.txt', 'x')), [409, refusal]);
      assert.deepEqual(message(await lab.put('added.log', 'x')), [409, refusal]);
    } finally {
      await lab.change('update stage_runs set artifacts_deleted = 0');
    }
  });
});

function formOf(text: string): FormData {
  const form = new FormData();
  form.append('file', new Blob([text]), 'x');
  return form;
}
