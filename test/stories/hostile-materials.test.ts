// Materials that want to harm the server they are configured on: to run programs there, to read its files, to keep it busy, to have it reveal secrets.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import { create, pipeline, removeAll } from '../api/pipelines/bodies.ts';
import { GitOrigin } from '../materials/support/git-origin.ts';
import { commandLinesDuring, Lab } from '../materials/support/polling.ts';
import { accepted, startServer } from '../support/requests/callers.ts';
import type { TestServer } from '../support/server/server.ts';
import { ensureDebianPackages } from '../support/services/debian.ts';
import { until } from '../support/until.ts';

const SECRET = 'hunter2-hunter2';
const lab = new Lab();
let server: TestServer;
before(async () => {
  await ensureDebianPackages(['git', 'subversion', 'mercurial']);
  server = await startServer();
});
after(async () => {
  await server.stop();
  lab.remove();
});
beforeEach(removeMaterials);

interface HealthMessage {
  readonly message: string;
  readonly detail: string;
}

const failures = async (): Promise<HealthMessage[]> =>
  (await server.get('/api/server_health_messages')).json.filter(({ message }: HealthMessage) =>
    message.startsWith('Modification check failed'),
  );

const fingerprintOfFirst = async () => (await server.get('/api/config/materials')).json._embedded.materials[0].fingerprint as string;
const poll = (fingerprint: string) =>
  server.ask('POST', `/api/internal/materials/${fingerprint}/trigger_update`, { headers: { 'X-Svc-Confirm': 'true' } });

async function removeMaterials(): Promise<void> {
  await removeAll(server);
  // A request for a poll makes the poller take in the configuration at once; by itself it does so seconds later, for many changes together.
  assert.equal((await poll('0'.repeat(64))).status, 404);
  await until('silence', async () => (await failures()).length === 0);
}

/** The message of the server after it has polled a material; undefined: it does not take it at all. */
async function verdictOn(material: object, parameters: readonly object[] = []): Promise<string | undefined> {
  const reply = await create(server, pipeline('hostile', { materials: [material], parameters }), 'g');
  if (reply.status === 422) return undefined;
  accepted(reply);
  assert.equal((await poll(await fingerprintOfFirst())).status, 201);
  const [message] = await until('the failure', async () => {
    const all = await failures();
    return all.length > 0 && all;
  });
  await removeMaterials();
  return message!.detail;
}

describe('materials that would run a program run none', () => {
  const proof = lab.newPath('proof');
  const touch = `touch ${proof}`;
  const git = (attributes: object) => ({ type: 'git', attributes });
  const hg = (attributes: object) => ({ type: 'hg', attributes });
  const svn = (url: string) => ({ type: 'svn', attributes: { url } });
  const p4 = (port: string) => ({ type: 'p4', attributes: { port, view: '//depot/... //x/...' } });
  const HOSTILE: Readonly<Record<string, readonly [material: object, parameters?: readonly object[]]>> = {
    'a transport of git that runs commands': [git({ url: `ext::sh -c "${touch}"` })],
    'another transport of git': [git({ url: 'fd::0' })],
    'an option in the place of an address': [git({ url: `--upload-pack=${touch}` })],
    'an option that a parameter puts in the place of an address': [
      git({ url: '#{url}' }),
      [{ name: 'url', value: `--upload-pack=${touch}` }],
    ],
    'an option in the place of a branch': [git({ url: 'https://127.0.0.1:1/x', branch: `--upload-pack=${touch}` })],
    'an option in a refspec': [git({ url: lab.directory, branch: '#{ref}' }), [{ name: 'ref', value: `--output=${proof}:x` }]],
    'an option of ssh as a host': [git({ url: `ssh://-oProxyCommand=${touch.replace(' ', '%20')}/x` })],
    'an option of ssh as a user': [git({ url: 'host:path', username: `-oProxyCommand=${touch}` })],
    'an option of ssh for Mercurial': [hg({ url: `ssh://-oProxyCommand=${touch.replace(' ', '%20')}/x` })],
    'settings for Mercurial as a branch': [hg({ url: lab.directory, branch: `--config=alias.identify=!${touch}` })],
    'a bundle for Mercurial': [hg({ url: 'bundle:../x' })],
    'an option of ssh for Subversion': [svn(`svn+ssh://-oProxyCommand=${touch.replace(' ', '%20')}/x`)],
    'a tunnel of Subversion': [svn('svn+evil://host/x')],
    'a command for Perforce': [p4(`rsh:sh -c "${touch}"`)],
    'an option for tf': [{ type: 'tfs', attributes: { url: 'https://127.0.0.1:1/x', username: 'bob', project_path: '-login:eve,x' } }],
  };

  for (const [what, [material, parameters]] of Object.entries(HOSTILE)) {
    test(`a material runs no program by ${what}`, async () => {
      const verdict = await verdictOn(material, parameters);
      assert.ok(verdict === undefined || verdict.length > 10, `${verdict}`);
      assert.ok(!existsSync(proof));
    });
  }
});

describe('files of the server', () => {
  test('are not polled as repositories, in any spelling of the address', async () => {
    const inside = join(server.dataDir, 'inside');
    mkdirSync(inside);
    for (const url of [server.dataDir, inside, `file://${inside}`, 'x/../../..']) {
      for (const type of ['git', 'hg', 'svn']) {
        const verdict = await verdictOn({ type, attributes: { url } });
        if (type === 'svn' && !url.startsWith('file:'))
          assert.match(verdict!, /Subversion URLs must use http, https, svn, svn\+ssh or file/);
        else assert.equal(verdict, 'The address leads into the data directory of this server.', `${type} ${url}`);
      }
    }
  });
});

describe('servers that never answer', () => {
  const MATERIALS = 14;
  const sockets = new Set<Socket>();
  let silent: Server;
  let url: string;
  before(async () => {
    silent = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => {});
    });
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    url = `http://bob:${SECRET}@127.0.0.1:${(silent.address() as { port: number }).port}`;
  });
  after(() => {
    for (const socket of sockets) socket.destroy();
    silent.close();
  });

  test('keep no other material waiting, show no password, and are left when they are not wanted any more', async () => {
    const materials = Array.from({ length: MATERIALS }, (_, index) => ({
      type: (['git', 'hg', 'svn'] as const)[index % 3],
      attributes: { url: `${url}/${index}`, auto_update: false, destination: `d${index}` },
    }));
    accepted(await create(server, pipeline('hanging', { materials }), 'g'));
    const origin = await GitOrigin.make(lab.newPath('origin'));
    await origin.commit('first', { 'a.txt': 'a' });
    const fine = { type: 'git', attributes: { url: origin.path, branch: 'main', auto_update: false } };
    accepted(await create(server, pipeline('fine', { materials: [fine] }), 'g'));
    const all = (await server.get('/api/config/materials')).json._embedded.materials as {
      fingerprint: string;
      attributes: { url: string };
    }[];
    const own = all.find(({ attributes }) => attributes.url === origin.path)!.fingerprint;
    const total = async () => (await server.get(`/api/materials/${own}/modifications`)).json._embedded.pagination.total as number;
    // It is known to answer, and the others are not.
    assert.equal((await poll(own)).status, 201);
    await until('the first modification', async () => (await total()) === 1);

    const lines = await commandLinesDuring(async () => {
      for (const { fingerprint } of all) if (fingerprint !== own) assert.equal((await poll(fingerprint)).status, 201);
      await until('silent connections', async () => sockets.size >= 3);
      await origin.commit('second', { 'b.txt': 'b' });
      assert.equal((await poll(own)).status, 201);
      await until('the second modification, while the others hang', async () => (await total()) === 2);
    });
    assert.ok([...lines].some((line) => line.includes('127.0.0.1') && line.includes('git')));
    assert.deepEqual(
      [...lines].filter((line) => line.includes(SECRET)),
      [],
    );
    assert.deepEqual(await failures(), [], 'they still hang');
    await removeAll(server);
    const { port } = silent.address() as { port: number };
    await until('the end of all programs', async () => !commandLines().some((line) => line.includes(`127.0.0.1:${port}`)));
    assert.ok(!server.log.includes(SECRET));
  });

  test('do not keep the server from stopping', async () => {
    const another = await startServer();
    accepted(await create(another, pipeline('hanging', { materials: [{ type: 'git', attributes: { url: `${url}/x` } }] }), 'g'));
    const { fingerprint } = (await another.get('/api/config/materials')).json._embedded.materials[0];
    const before = sockets.size;
    const confirmed = { headers: { 'X-Svc-Confirm': 'true' } };
    assert.equal((await another.ask('POST', `/api/internal/materials/${fingerprint}/trigger_update`, confirmed)).status, 201);
    await until('a silent connection', async () => sockets.size > before);
    const startedAt = performance.now();
    await another.stop();
    assert.ok(performance.now() - startedAt < 100_000, 'a question is given up after two minutes');
  });
});

function commandLines(): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      } catch {
        return ''; // it has ended meanwhile
      }
    });
}
