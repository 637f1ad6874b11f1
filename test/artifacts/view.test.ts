// Addresses of artifacts that need no login: which users get one, which files it shows, and for how long.
import assert from 'node:assert/strict';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { NOT_BY_TOKEN } from '../../src/api/endpoints/access-tokens/docs.ts';
import { EXPIRED, NO_VIEW } from '../../src/api/endpoints/artifacts/view/docs.ts';
import { tokenOf, type View } from '../../src/api/endpoints/artifacts/view/token.ts';
import { openCipher } from '../../src/kit/bytes/cipher.ts';
import { accepted, addUser } from '../support/requests/callers.ts';
import { TestBucket } from '../support/services/s3.ts';
import { ArtifactLab, JOB, LOCATOR, message } from './artifact-lab.ts';

const FILES = {
  'reports/unit/index.html': '<link rel="stylesheet" href="css/style.css">',
  'reports/unit/css/style.css': 'p { color: green }',
  'reports/unit/größe #1.txt': 'signs',
  'reports/other.txt': 'beside',
  'root.html': 'root',
};
const GIVE = `/api/jobs/${LOCATOR}/artifact_view`;
const JSON_TYPE = { Accept: 'application/vnd.svc.v1+json' };
const REPORT = 'reports/unit/index.html';
const authorization = (...view: string[]) => ({ view: { users: view, roles: [] }, operate: { users: [], roles: [] } });

let lab: ArtifactLab;
before(async () => {
  lab = await ArtifactLab.start({ 'context-path': '/cd' });
  await lab.publishFiles(FILES);
});
after(() => lab.stop());

const give = (path: string, as?: string) => lab.ask(`${GIVE}?path=${encodeURIComponent(path)}`, { as, headers: JSON_TYPE });
/** The path of the address that a user is given. */
async function given(path: string, as = lab.viewer): Promise<string> {
  const { status, json, text: shown } = await give(path, as);
  assert.equal(status, 200, shown);
  return json.url.slice(lab.runs.server.url.length);
}

/** Asks as a browser does for a part of a report, without any login. The path is sent as it is written. */
async function look(path: string, { method = 'GET', headers = {} }: { method?: string; headers?: Readonly<Record<string, string>> } = {}) {
  const { hostname, port, pathname } = new URL(lab.runs.server.url);
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    request({ hostname, port, path: pathname + path, method, headers }, resolve)
      .on('error', reject)
      .end();
  });
  return { status: answer.statusCode, text: await text(answer), headers: answer.headers };
}
const statusOf = async (path: string) => (await look(path)).status;

function tokenFor(view: Partial<View>): string {
  const cipher = openCipher(join(lab.dataDir, 'cipher.key'));
  const soon = Math.floor(Date.now() / 1000) + 60;
  return tokenOf({ userKey: 'vera', job: lab.jobId, folder: 'reports/unit', expiresAt: soon, ...view }, (of) => cipher.signAddress(of));
}

describe('an address without a login', () => {
  test('is given to users who may see the pipeline, for a file that exists', async () => {
    const { status, json, headers } = await give(`./${REPORT}`, lab.viewer);
    assert.equal(status, 200);
    assert.equal(new URL(lab.runs.server.url).pathname, '/cd');
    assert.equal(headers.get('cache-control'), 'no-store');
    assert.match(
      json.url.slice(lab.runs.server.url.length),
      /^\/artifact_view\/dmVyYQ\.\d+\.2\.\d+\.[\w-]{43}\/reports\/unit\/index\.html$/,
    );
    const left = Date.parse(json.expires_at) - Date.now();
    assert.ok(left > 54 * 60_000 && left <= 60 * 60_000, String(left));
    assert.equal((await give(REPORT, lab.stranger)).status, 403);
    assert.equal((await give(REPORT, '')).status, 401);
    assert.equal((await give('reports/unit')).status, 404);
    assert.equal((await give('../x')).status, 404);
    assert.deepEqual(message(await give('')), [400, '`path` must name a file of the job.']);
    assert.equal((await lab.ask(`${GIVE}?folder=x`, { headers: JSON_TYPE })).status, 400);
    assert.equal((await lab.ask('/api/jobs/web/x/test/1/unit/artifact_view?path=x', { headers: JSON_TYPE })).status, 400);
    assert.equal((await lab.ask('/api/jobs/web/9/test/1/unit/artifact_view?path=x', { headers: JSON_TYPE })).status, 404);
  });

  test('is not given to access tokens, which it would outlive', async () => {
    const { token } = accepted(
      await lab.runs.server.post('/api/current_user/access_tokens', { description: 'reads reports' }, { as: lab.viewer }),
    ).json;
    assert.deepEqual(message(await give(REPORT, `Bearer ${token}`)), [403, NOT_BY_TOKEN]);
    assert.equal((await lab.ask(`${JOB}/${REPORT}`, { as: `Bearer ${token}` })).text, FILES[REPORT]);
  });

  test('shows the file and those beside and below it, with the usual headers and no referrer', async () => {
    const at = await given(REPORT);
    const report = await look(at);
    assert.deepEqual([report.status, report.text], [200, FILES[REPORT]]);
    assert.match(
      report.headers['content-security-policy'] as string,
      /^sandbox allow-scripts allow-popups; .*connect-src 'none'; form-action 'none'/,
    );
    assert.deepEqual(
      ['content-type', 'referrer-policy', 'cache-control', 'x-content-type-options', 'access-control-allow-origin'].map(
        (name) => report.headers[name],
      ),
      ['text/html; charset=utf-8', 'no-referrer', 'max-age=0, private, must-revalidate', 'nosniff', '*'],
    );
    const folder = at.slice(0, at.lastIndexOf('/'));
    assert.equal((await look(`${folder}/css/style.css`)).text, FILES['reports/unit/css/style.css']);
    assert.equal((await look(`${folder}/${encodeURIComponent('größe #1.txt')}`)).text, 'signs');
    assert.equal((await look(await given('root.html'))).text, 'root');
  });

  test('has ETags, ranges and HEAD', async () => {
    const at = await given('reports/unit/css/style.css');
    const { headers } = await look(at);
    assert.deepEqual(
      [await look(at, { headers: { 'If-None-Match': headers.etag! } })].map((one) => [one.status, one.text]),
      [[304, '']],
    );
    const part = await look(at, { headers: { Range: 'bytes=4-8' } });
    assert.deepEqual([part.status, part.text, part.headers['content-range']], [206, 'color', 'bytes 4-8/18']);
    assert.equal((await look(at, { headers: { Range: 'bytes=99-' } })).status, 416);
    const head = await look(at, { method: 'HEAD' });
    assert.deepEqual([head.status, head.text, head.headers['content-length']], [200, '', '18']);
  });

  test('does not run as a script of our pages', async () => {
    const at = await given(REPORT);
    const as = async (site: string) => (await look(at, { headers: { 'Sec-Fetch-Dest': 'script', 'Sec-Fetch-Site': site } })).status;
    assert.deepEqual([await as('same-origin'), await as('cross-site')], [404, 200]);
  });

  test('shows no other file, however the path is written', async () => {
    const at = await given(REPORT);
    const [, , token = ''] = at.split('/');
    const signature = token.slice(token.lastIndexOf('.') + 1);
    const below = (path: string) => `/artifact_view/${token}/${path}`;
    for (const path of [
      below('reports/other.txt'),
      below('root.html'),
      below('reports/unit'),
      below('reports/unit/'),
      below('reports/unit/none.txt'),
      below('reports/unit/../other.txt'),
      below('reports/unit/%2e%2e/other.txt'),
      below('reports/unit/..%2fother.txt'),
      below('reports/unit/..%5cother.txt'),
      below('reports/unit/%2e/index.html'),
      below('reports/unit//index.html'),
      below('reports/unit/index.html%00'),
      below('reports/unit.zip'),
      below('cruise-output/console.log'),
      `/artifact_view/${token}`,
      `/artifact_view/${'A'.repeat(5000)}/${REPORT}`,
      `/artifact_view/${token.replace(signature, signature.toLowerCase())}/${REPORT}`,
      `/artifact_view/${token.replace(`.${lab.jobId}.`, `.${lab.jobId + 1}.`)}/${REPORT}`,
      `/artifact_view/${tokenFor({ job: lab.jobId + 1 })}/${REPORT}`,
      `/artifact_view/${tokenFor({ userKey: 'nobody' })}/${REPORT}`,
      `/artifact_view/${tokenFor({ userKey: 'eve' })}/${REPORT}`,
    ]) {
      const { status, headers, text: shown } = await look(path, { headers: { Accept: 'text/html' } });
      assert.deepEqual([status, shown], [404, JSON.stringify({ message: NO_VIEW })], path);
      assert.doesNotMatch(headers['content-type']!, /html/);
    }
    assert.equal(await statusOf(`/artifact_view/${tokenFor({})}/${REPORT}`), 200);
  });

  test('ends with its hour: 410 for its token, 404 for a forged one', async () => {
    const token = tokenFor({ expiresAt: Math.floor(Date.now() / 1000) - 1 });
    const { status, text: shown, headers } = await look(`/artifact_view/${token}/${REPORT}`);
    assert.deepEqual([status, shown, headers['content-type']], [410, EXPIRED, 'text/plain; charset=utf-8']);
    assert.equal(await statusOf(`/artifact_view/${token.slice(0, -1)}_/${REPORT}`), 404);
  });

  test('ends when the user may no longer see the pipeline, or may no longer log in', async () => {
    const { server } = lab.runs;
    const uma = await addUser(server, 'Uma');
    const group = async (...view: string[]) => {
      const { etag } = accepted(await server.get('/api/admin/pipeline_groups/shop'));
      accepted(await server.put('/api/admin/pipeline_groups/shop', { name: 'shop', authorization: authorization(...view) }, etag!));
    };
    await group('vera', 'uma');
    const at = await given(REPORT, uma);
    assert.equal(await statusOf(at), 200);
    await group('vera');
    assert.equal(await statusOf(at), 404);
    await group('vera', 'uma');
    assert.equal(await statusOf(at), 200);
    accepted(await server.patch('/api/users/Uma', { enabled: false }));
    assert.equal(await statusOf(at), 404);
    accepted(await server.delete('/api/users/Uma'));
    assert.equal(await statusOf(at), 404);
  });

  test('is counted and logged without its token', async () => {
    const at = await given(REPORT);
    const [, , token = ''] = at.split('/');
    await look(at);
    assert.equal((await look(at, { method: 'POST' })).status, 401);
    const { text: metrics } = await lab.ask('/metrics');
    const { log } = lab.runs.server;
    assert.ok(metrics.includes('/artifact_view/') && log.includes('/cd/artifact_view/…'));
    assert.ok(!metrics.includes(token) && !log.includes(token));
  });
});

describe('an address of a large file in a bucket', () => {
  test('is no link to the bucket', async () => {
    const store = await TestBucket.start();
    const ofBucket = await ArtifactLab.start({ ...store.artifactOptions('views'), 'artifacts-presigned': 'true' });
    try {
      const large = new Uint8Array(Buffer.alloc(17 * 1024 * 1024, 'slipway '));
      assert.equal((await ofBucket.post('large.html', { file: large })).status, 201);
      assert.equal((await ofBucket.ask('/files/web/1/test/1/unit/large.html')).status, 302);
      const { json } = await ofBucket.ask(`${GIVE}?path=large.html`, { headers: JSON_TYPE });
      const answer = await fetch(json.url, { redirect: 'manual' });
      assert.equal(answer.status, 200);
      assert.equal((await answer.arrayBuffer()).byteLength, large.length);
    } finally {
      await ofBucket.stop();
      await store.stop();
    }
  });
});
