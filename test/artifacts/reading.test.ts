// The artifacts of jobs over HTTP: lists, files, and folders as archives.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { ADMIN_PASSWORD, basic } from '../support/server/server.ts';
import { ArtifactLab, JOB, message } from './artifact-lab.ts';

const FILES = {
  'a b.txt': 'blank',
  'dist/app.jar': 'jar jar',
  'dist/größe/日本語 🚢.txt': 'Unicode',
  'dist/with # and ?.txt': 'signs',
  'report/index.html': '<script>alert(1)</script>',
  'report/picture.SVG': '<svg/>',
  'report/unknown.xyz': 'unknown',
  'report/data.json': '{}',
  'numbers.bin': '0123456789',
  empty: '',
};
const SHA = '84d89877f0d4041efb6bf91a16f0248f2fd573e6af05c19f96bedb9f882f7882';

let lab: ArtifactLab;
const get = (path: string, headers: Readonly<Record<string, string>> = {}, as?: string) => lab.ask(`${JOB}/${path}`, { headers, as });
const gone = (path: string) => `Artifact '${path}' is unavailable as it may have been purged by Slipway or deleted externally.`;

before(async () => {
  lab = await ArtifactLab.start();
});
after(() => lab.stop());

describe('a job without files', () => {
  test('has an empty list, and neither checksums nor files', async () => {
    assert.deepEqual((await lab.ask(`${JOB}.json`)).json, []);
    assert.deepEqual(message(await get('cruise-output/md5.checksum')), [404, gone('cruise-output/md5.checksum')]);
    assert.deepEqual(message(await get('a')), [404, gone('a')]);
  });

  test('shows its console, once it has one', async () => {
    await lab.put('cruise-output/console.log', 'hello\n');
    const [folder, ...others] = (await lab.ask(`${JOB}.json`)).json;
    assert.deepEqual(
      [folder.name, folder.type, folder.files.map(({ name }: { name: string }) => name), others],
      ['cruise-output', 'folder', ['console.log'], []],
    );
    assert.equal(folder.files[0].url, `${lab.runs.server.url}${JOB}/cruise-output/console.log`);
    assert.deepEqual((await get('cruise-output')).json, folder.files);
  });
});

describe('the list', () => {
  before(() => lab.publishFiles(FILES));

  test('the list and files are given whatever else the query says', async () => {
    assert.equal((await lab.ask(`${JOB}.json?sort=x`)).status, 200);
    assert.equal((await get('dist/app.jar?sort=x&sha1=x')).text, 'jar jar');
  });

  test('is a tree with the addresses of all', async () => {
    const { status, json, headers } = await lab.ask(`${JOB}.json`);
    assert.equal(status, 200);
    assert.match(headers.get('content-type')!, /^application\/json/);
    assert.equal(headers.get('link'), null);
    assert.deepEqual(json.map(({ name, type }: Record<string, string>) => `${type} ${name}`).toSorted(), [
      'file a b.txt',
      'file empty',
      'file numbers.bin',
      'folder cruise-output',
      'folder dist',
      'folder report',
    ]);
    const own = json.find(({ name }: { name: string }) => name === 'cruise-output');
    assert.deepEqual(own.files.map(({ name }: { name: string }) => name).toSorted(), ['console.log', 'md5.checksum']);
    assert.deepEqual((await lab.ask(JOB)).json, json);
  });

  test('leads to every file, also with special characters in its name', async () => {
    const found: Record<string, string> = {};
    const walk = async (list: readonly { url: string; type: string; files?: [] }[]) => {
      for (const { url, type, files = [] } of list) {
        const path = url.slice(lab.runs.server.url.length);
        if (type === 'folder') await walk(files);
        else if (!path.includes('cruise-output')) found[decodeURIComponent(path.slice(JOB.length + 1))] = (await lab.ask(path)).text;
      }
    };
    await walk((await lab.ask(`${JOB}.json`)).json);
    assert.deepEqual(found, FILES);
  });

  test('the list of a folder has its files and folders', async () => {
    const { json } = await get('dist');
    assert.deepEqual(json.map(({ name }: { name: string }) => name).toSorted(), ['app.jar', 'größe', 'with # and ?.txt']);
    assert.equal(json[0].url, `${lab.runs.server.url}${JOB}/dist/app.jar`);
  });

  test('the list of a folder redirects browsers to the page of the job', async () => {
    const headers = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
    const page = `${lab.runs.server.url}/tab/build/detail/web/1/test/1/unit?tab=artifacts`;
    for (const path of [JOB, `${JOB}/dist`, '/files/WEB/latest/test/latest/unit/dist']) {
      const { status, headers: said } = await lab.ask(path, { headers });
      assert.deepEqual([status, said.get('location')], [302, page], path);
      assert.equal((await lab.ask(path, { headers: { ...headers, 'Sec-Fetch-Dest': 'empty' } })).status, 200, path);
    }
    assert.equal((await lab.ask(`${JOB}.json`, { headers })).status, 200);
    assert.equal((await lab.ask(`${JOB}/numbers.bin`, { headers })).status, 200);
  });

  test('has an ETag, and takes `latest` for counters', async () => {
    const etag = (await lab.ask(`${JOB}.json`)).headers.get('etag')!;
    assert.equal((await lab.ask(`${JOB}.json`, { headers: { 'If-None-Match': etag } })).status, 304);
    assert.equal((await lab.ask('/files/WEB/latest/test/latest/unit.json')).status, 200);
    assert.equal((await lab.ask('/files/web/latest/test/latest/unit/numbers.bin')).text, FILES['numbers.bin']);
  });

  test('the list of a job that does not exist is not found', async () => {
    for (const locator of ['web/2/test/1/unit', 'web/1/test/2/unit', 'web/1/test/1/other', 'web/x/test/1/unit', 'web/0/test/1/unit']) {
      assert.deepEqual(message(await lab.ask(`/files/${locator}.json`)), [404, `Job ${locator} not found.`]);
      assert.deepEqual(message(await lab.ask(`/files/${locator}/a`)), [404, `Job ${locator} not found.`]);
    }
  });
});

describe('a file', () => {
  test('is not sent again to a client that has it, by its SHA-1', async () => {
    for (const path of ['dist/app.jar', 'numbers.bin', 'empty']) {
      const sha1 = createHash('sha1')
        .update(FILES[path as keyof typeof FILES])
        .digest('base64');
      const { status, text } = await get(`${path}?sha1=${encodeURIComponent(sha1)}`);
      assert.deepEqual([status, text], [304, ''], path);
      assert.equal((await get(`${path}?sha1=${sha1}`)).status, 304, `${path}, with a plus sign as it is`);
    }
    assert.equal((await get(`numbers.bin?sha1=${encodeURIComponent(createHash('sha1').update('other').digest('base64'))}`)).status, 200);
  });

  test('has its length, its digest, and says that it has ranges', async () => {
    const { status, headers, text } = await get('numbers.bin');
    assert.deepEqual([status, text, headers.get('content-length'), headers.get('accept-ranges')], [200, '0123456789', '10', 'bytes']);
    assert.equal(headers.get('etag'), `"${SHA}"`);
    assert.equal((await get('empty')).headers.get('content-length'), '0');
    const head = await lab.ask(`${JOB}/numbers.bin`, { method: 'HEAD' });
    assert.deepEqual([head.status, head.text, head.headers.get('content-length')], [200, '', '10']);
  });

  test('comes by ranges', async () => {
    const range = async (wanted: string, more = {}) => {
      const { status, text, headers } = await get('numbers.bin', { Range: wanted, ...more });
      return [status, text, headers.get('content-range')];
    };
    assert.deepEqual(await range('bytes=2-4'), [206, '234', 'bytes 2-4/10']);
    assert.deepEqual(await range('bytes=8-'), [206, '89', 'bytes 8-9/10']);
    assert.deepEqual(await range('bytes=-3'), [206, '789', 'bytes 7-9/10']);
    assert.deepEqual(await range('bytes=10-'), [416, '{"message":"The file does not have these bytes."}', 'bytes */10']);
    assert.deepEqual(await range('bytes=1-2,4-5'), [200, '0123456789', null]);
    assert.deepEqual(await range('bytes=2-4', { 'If-Range': `"${SHA}"` }), [206, '234', 'bytes 2-4/10']);
    assert.deepEqual(await range('bytes=2-4', { 'If-Range': '"other"' }), [200, '0123456789', null]);
    assert.deepEqual(await range('bytes=2-4', { 'If-Range': 'Tue, 17 Nov 2026 00:00:00 GMT' }), [200, '0123456789', null]);
  });

  test('runs in no page of this server, but in pages that are files themselves', async () => {
    const as = (dest: string, site: string) => get('report/data.json', { 'Sec-Fetch-Dest': dest, 'Sec-Fetch-Site': site });
    for (const dest of ['script', 'worker', 'sharedworker', 'serviceworker'])
      assert.equal((await as(dest, 'same-origin')).status, 403, dest);
    assert.equal((await as('script', 'cross-site')).status, 200);
    assert.equal((await as('document', 'same-origin')).status, 200);
    assert.equal((await as('empty', 'same-origin')).status, 200);
  });

  test('is not sent again to a client with its ETag', async () => {
    const { status, text } = await get('numbers.bin', { 'If-None-Match': `"${SHA}"` });
    assert.deepEqual([status, text], [304, '']);
    assert.equal((await get('numbers.bin', { 'If-None-Match': '"other"' })).status, 200);
  });

  for (const [path, type] of [
    ['report/index.html', 'text/html; charset=utf-8'],
    ['report/picture.SVG', 'image/svg+xml'],
    ['report/unknown.xyz', 'application/octet-stream'],
    ['report/data.json', 'application/json; charset=utf-8'],
    ['empty', 'application/octet-stream'],
  ])
    test(`${path} has its type, and no rights as a page`, async () => {
      const { headers } = await get(path!);
      assert.equal(headers.get('content-type'), type);
      assert.match(
        headers.get('content-security-policy')!,
        /^sandbox allow-scripts allow-popups; .*connect-src 'none'; form-action 'none'/,
      );
      assert.doesNotMatch(headers.get('content-security-policy')!, /allow-same-origin|allow-top|allow-forms/);
      assert.equal(headers.get('x-content-type-options'), 'nosniff');
      assert.match(headers.get('content-disposition')!, /^inline; filename="/);
    });

  test('is saved by its own name', async () => {
    const { headers } = await get(encodeURI('dist/größe/日本語 🚢.txt'));
    assert.equal(
      headers.get('content-disposition'),
      `inline; filename="___ __.txt"; filename*=UTF-8''${encodeURIComponent('日本語 🚢.txt')}`,
    );
  });

  test('has its checksum in the list of them', async () => {
    const { text: lines, headers } = await get('cruise-output/md5.checksum');
    assert.match(headers.get('content-type')!, /^text\/plain/);
    assert.deepEqual(lines.trim().split('\n').length, Object.keys(FILES).length);
    assert.match(lines, /^numbers\.bin=781e5e245d69b566979b86e28d23f2c7$/m);
  });

  test('a file that leads elsewhere is refused, however it is written', async () => {
    for (const path of ['%2e%2e/x', '..%2fx', 'dist/%2e%2e/%2e%2e/x', '..%5cx', 'a%00b', 'dist/..%2F..%2F..%2Fetc%2Fpasswd'])
      assert.deepEqual(await rawAnswer(`${JOB}/${path}`), [403, `Url ${decodeURIComponent(path)} contains forbidden characters.`]);
    assert.equal((await rawAnswer(`${JOB}/../../../../../../etc/passwd`))[0], 403);
    assert.deepEqual(message(await get('cruise-output/console.state')), [404, gone('cruise-output/console.state')]);
    assert.deepEqual(message(await get('dist%5capp.jar')), [404, gone('dist\\app.jar')]);
  });

  test('a file that was replaced by a link is gone, and so is one that was never published', async () => {
    const outside = join(tmpdir(), `slipway-outside-${process.pid}`);
    writeFileSync(outside, 'secret');
    await lab.publishFiles({ 'planted.txt': 'mine', 'linked/x': 'mine' });
    rmSync(join(lab.folder, 'planted.txt'));
    symlinkSync(outside, join(lab.folder, 'planted.txt'));
    rmSync(join(lab.folder, 'linked'), { recursive: true });
    symlinkSync(tmpdir(), join(lab.folder, 'linked'));
    writeFileSync(join(lab.folder, 'unknown.txt'), 'never published');
    for (const path of ['planted.txt', 'linked/x', 'unknown.txt']) assert.deepEqual(message(await get(path)), [404, gone(path)]);
    rmSync(outside);
    await lab.change('delete from artifacts where path in (?, ?)', 'planted.txt', 'linked/x');
    rmSync(join(lab.folder, 'linked'));
  });
});

describe('a folder as an archive', () => {
  test('is whole, as other programs see it', async () => {
    const { status, headers, bytes } = await get('dist.zip');
    assert.deepEqual([status, headers.get('content-type')], [200, 'application/zip']);
    assert.match(headers.get('content-disposition')!, /^attachment; filename="dist\.zip"/);
    const path = join(tmpdir(), `slipway-dist-${process.pid}.zip`);
    writeFileSync(path, bytes);
    assert.match(execFileSync('unzip', ['-t', path], { encoding: 'utf8' }), /No errors detected/);
    assert.equal(execFileSync('unzip', ['-p', path, 'dist/app.jar'], { encoding: 'utf8' }), FILES['dist/app.jar']);
    rmSync(path);
    assert.equal((await get('nothing.zip')).status, 404);
  });

  test('a folder also comes as an archive if a file has its name with `.zip` after it', async () => {
    await lab.publishFiles({ 'both.zip': 'a file', 'both/a.txt': 'in the folder' });
    assert.equal((await get('both.zip')).text, 'a file');
    const { status, headers, bytes } = await get('both?format=zip', { Accept: 'text/html', 'Sec-Fetch-Dest': 'document' });
    assert.deepEqual([status, headers.get('content-type')], [200, 'application/zip']);
    assert.match(headers.get('content-disposition')!, /^attachment; filename="both\.zip"/);
    assert.ok(bytes.includes('both/a.txt'));
    for (const path of ['both.zip', 'both/a.txt', 'nothing']) assert.deepEqual(message(await get(`${path}?format=zip`)), [404, gone(path)]);
  });

  test('may be that of the server itself', async () => {
    const { bytes } = await get('cruise-output.zip');
    assert.ok(bytes.includes('cruise-output/console.log') && bytes.includes('cruise-output/md5.checksum') && bytes.includes('hello'));
  });
});

describe('users who may not see the pipeline', () => {
  test('see no artifacts of it; viewers and operators do', async () => {
    for (const path of [`${JOB}.json`, `${JOB}/numbers.bin`, `${JOB}/dist.zip`, `${JOB}/nothing`, JOB]) {
      assert.deepEqual(message(await lab.ask(path, { as: lab.stranger })), [403, 'You are not authorized to perform this action.']);
      assert.equal((await lab.ask(path, { as: 'Basic eDp5' })).status, 401);
      for (const as of [lab.viewer, lab.operator]) assert.equal((await lab.ask(path, { as })).status, path.endsWith('nothing') ? 404 : 200);
    }
  });
});

test('a file that was cut short on the disk gets 404, and nobody waits for the rest of it', async () => {
  const whole = readFileSync(join(lab.folder, 'numbers.bin'));
  truncateSync(join(lab.folder, 'numbers.bin'), whole.length - 1);
  assert.deepEqual(message(await get('numbers.bin')), [404, gone('numbers.bin')]);
  writeFileSync(join(lab.folder, 'numbers.bin'), whole);
  assert.deepEqual((await get('numbers.bin')).bytes, whole);
});

test('after a purge only the checksums and the console can be read', async () => {
  const checksums = async () => (await get('cruise-output/md5.checksum')).text.trim().split('\n');
  const earlier = await checksums();
  await lab.change("delete from artifacts where job_id = ? and path not like 'pluggable-artifact-metadata/%'", lab.jobId);
  await lab.change('update stage_runs set artifacts_deleted = 1');
  const kept = await checksums();
  for (const line of earlier) assert.ok(kept.includes(line), line);
  assert.deepEqual(message(await get('numbers.bin')), [404, gone('numbers.bin')]);
  assert.ok((await get('cruise-output.zip')).bytes.includes('cruise-output/md5.checksum'));
  rmSync(join(lab.folder, 'cruise-output/md5.checksum'));
  assert.deepEqual(message(await get('cruise-output/md5.checksum')), [404, gone('cruise-output/md5.checksum')]);
});

/** Usual clients put such addresses right before they send them. */
function rawAnswer(path: string): Promise<readonly [status: number, message: string]> {
  const { hostname, port } = new URL(lab.runs.server.url);
  return new Promise((resolve, reject) => {
    const headers = { Authorization: basic('admin', ADMIN_PASSWORD) };
    const sent = request({ hostname, port, path, headers }, async (answer) =>
      resolve([answer.statusCode!, JSON.parse(await text(answer)).message]),
    );
    sent.on('error', reject).end();
  });
}
