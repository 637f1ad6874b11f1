// Two servers with TLS of their own: requests about background work reach the keeper by HTTPS, whichever server is asked.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type Postgres, startPostgres } from '../../support/database/postgres.ts';
import { Replicas } from '../../support/server/replicas.ts';
import { type Certificates, makeCertificates } from '../../support/services/certificates.ts';
import { findFreePorts } from '../../support/services/slapd.ts';

const OF_KEEPER = '/api/server_health_messages';
let postgres: Postgres;
let certificates: Certificates;
let folder: string;

before(async () => {
  // Neither of a known authority, nor for the address by which the servers reach each other.
  [postgres, certificates] = await Promise.all([startPostgres(), makeCertificates('DNS:cd.example.org')]);
  folder = mkdtempSync(join(tmpdir(), 'slipway-tls-'));
  writeFileSync(join(folder, 'cert.pem'), certificates.cert);
  writeFileSync(join(folder, 'key.pem'), certificates.key, { mode: 0o600 });
});
after(async () => {
  rmSync(folder, { recursive: true });
  await certificates.remove();
  await postgres.stop();
});

function tls(plain: string): string[] {
  return ['--tls-cert', join(folder, 'cert.pem'), '--tls-key', join(folder, 'key.pem'), '--tls-port', '0', '--tls-plain', plain];
}

async function assertAllAnswer({ all }: Replicas): Promise<void> {
  for (const replica of all) {
    const reply = await replica.get(OF_KEEPER);
    assert.equal(reply.status, 200, reply.text);
  }
}

for (const plain of ['redirect', 'closed'])
  test(`with plain HTTP ${plain}, both servers answer`, async (context) => {
    const replicas = await Replicas.start(await postgres.createDatabase(), 2, { flags: tls(plain) });
    context.after(() => replicas.stop());
    const { json } = await replicas.all[1]!.get('/api/admin/replicas');
    assert.deepEqual(
      json._embedded.replicas.map((one: { readonly url: string }) => one.url).toSorted(),
      replicas.all.map(({ url }) => url).toSorted(),
    );
    await assertAllAnswer(replicas);
  });

test('a request that is forwarded by plain HTTP is not redirected: its client would come back for ever', async (context) => {
  const [port] = await findFreePorts();
  const flags = [...tls('redirect'), '--port', String(port), '--replica-url', `http://127.0.0.1:${port}`];
  const replicas = await Replicas.start(await postgres.createDatabase(), 1, { flags });
  context.after(() => replicas.stop());
  await replicas.add({ flags: ['--port', '0'] });
  await assertAllAnswer(replicas);
  const ask = (headers: Record<string, string>) => fetch(replicas.all[0]!.plainUrl + OF_KEEPER, { headers, redirect: 'manual' });
  assert.equal((await ask({})).status, 308);
  assert.equal((await ask({ 'X-Svc-Handed-On': 'by another client' })).status, 503);
});
