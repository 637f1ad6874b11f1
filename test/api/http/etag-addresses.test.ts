// An ETag depends on the content, not on the requested address: every GET has the same one behind every name of the server.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { addSamples } from '../../support/configuration/fill.ts';
import { accepted, tokenOf } from '../../support/requests/callers.ts';
import { isOfBuilds, OpenApi, takesHeader } from '../../support/requests/openapi.ts';
import { askForBackup } from '../../support/server/backup.ts';
import { ADMIN_PASSWORD, basic, TestServer } from '../../support/server/server.ts';

/** The addresses that clients know the server by. */
const NAMES: readonly Readonly<Record<string, string>>[] = [
  { 'X-Forwarded-Host': 'cd.example.org' },
  { 'X-Forwarded-Host': 'builds.example.net:8153' },
  { 'X-Forwarded-Host': 'cd.example.org', 'X-Forwarded-Proto': 'https' },
];

/** Routes whose answer changes with every request, waits, or shows where each server is reached. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  '/metrics',
  '/api/admin/maintenance_mode/wait',
  '/api/admin/replicas',
  '/api/admin/support_bundle',
]);

let server: TestServer;
let paths: readonly string[];
/** Values of path parameters other than `sample`. */
const parameters: Record<string, string> = {
  resource: 'environments',
  login_name: 'admin',
  offset: '0',
  revision: '1',
  chapter: 'history',
};
const only: Readonly<Record<string, string>> = {
  '/api/admin/config/entities/{resource}/history': 'default_job_timeout',
  '/api/admin/config/entities/{resource}/blame': 'default_job_timeout',
};

const ofAccount: Record<string, string> = { name: 'sample-program' };

before(async () => {
  server = await TestServer.start({ 'trust-proxy': 'true' });
  await addSamples(server);
  // There is neither a bucket nor a script.
  accepted(await server.put('/api/config/backup/extensions', { retention: { keep_last: 3 } }));
  accepted(await server.put('/api/config/backup', { schedule: '0 0 3 ? * MON' }));
  await tokenOf(server, basic('admin', ADMIN_PASSWORD));
  accepted(await server.post('/api/admin/service_accounts', ofAccount));
  const token = accepted(await server.post('/api/admin/service_accounts/sample-program/access_tokens', { description: 'of a program' }));
  ofAccount.id = String(token.json.id);
  accepted(await server.post('/api/notification_filters', { pipeline: 'sample', stage: 'build', event: 'Fails', match_commits: true }));
  const backup = await askForBackup(server);
  // Work in progress would change the tag with every request.
  while ((await server.get(backup)).json.status === 'IN_PROGRESS') await pause(50);
  while ((await server.get('/api/admin/config_repos/sample/status')).json.in_progress) await pause(50);
  const [material] = (await server.get('/api/config/materials')).json._embedded.materials;
  parameters.fingerprint = material.fingerprint;
  parameters.md5 = (await server.get('/api/admin/config.xml')).headers.get('x-cruise-config-md5')!;
  parameters.plugin_id = 'yaml.config.plugin';
  const { operations } = await OpenApi.of(server);
  paths = operations.filter((one) => one.method === 'GET' && takesHeader(one, 'If-None-Match') && !isOfBuilds(one)).map(({ path }) => path);
});
after(() => server.stop());

test('every GET has the same ETag behind two names of the server and behind a proxy with TLS', async () => {
  const shown = paths.filter((path) => !LEFT_OUT.has(path));
  assert.ok(shown.length > 80, `only ${shown.length} addresses`);
  for (const path of shown) {
    const address = addressOf(path);
    const [first, ...others] = await Promise.all(NAMES.map((headers) => server.get(address, { headers })));
    assert.equal(first!.status, 200, `${address}: ${first!.text}`);
    assert.match(first!.etag!, /^"\w+"$/, address);
    for (const other of others) assert.equal(other.etag, first!.etag, address);
    for (const headers of NAMES) {
      const { status } = await server.get(address, { headers: { ...headers, 'If-None-Match': first!.etag! } });
      assert.equal(status, 304, address);
    }
  }
});

test('an address inside the configuration changes the ETag', async () => {
  const tags = new Set<string | undefined>();
  const path = '/api/admin/config/entities/webhooks/sample/history';
  for (const host of ['cd.example.org', 'builds.example.net']) {
    accepted(
      await server.patch(
        '/api/admin/webhooks/sample',
        { url: `http://${host}/hooks`, secret: 'longer than six' },
        { headers: { 'If-Match': '*' } },
      ),
    );
    for (const headers of NAMES) tags.add((await server.get(path, { headers })).etag);
  }
  assert.equal(tags.size, 2);
});

function addressOf(path: string): string {
  const id = path.startsWith('/api/backups') || path.includes('access_tokens') || path.includes('notification_filters') ? '1' : 'sample';
  const given = path.includes('/service_accounts/') ? ofAccount : parameters;
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => only[path] ?? given[name] ?? id);
  return path.startsWith('/api/admin/export') ? `${filled}?plugin_id=yaml.config.plugin` : filled;
}
