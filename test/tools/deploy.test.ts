// The files in deploy/ fit together: each name that one file uses exists in another one, and the server knows its settings.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { MAX_FILE_BYTES } from '../../src/api/endpoints/config-xml/posted-file.ts';
import { ARTIFACT_ARCHIVE_PATH, ARTIFACT_FILE_PATH } from '../../src/contracts/agent-protocol/messages.ts';
import { SETTINGS, variableOf } from '../../src/server/settings.ts';
import { makeCertificates } from '../support/services/certificates.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const FOLDER = join(ROOT, 'deploy');

interface Service {
  readonly image?: string;
  readonly build?: { readonly context: string; readonly dockerfile: string };
  readonly environment?: Readonly<Record<string, string>>;
  readonly secrets?: readonly string[];
  readonly volumes?: readonly string[];
  readonly networks?: readonly string[];
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly healthcheck?: { readonly test: readonly string[] };
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
  readonly volumes: Readonly<Record<string, null>>;
  readonly networks: Readonly<Record<string, null>>;
}

const read = (name: string) => readFileSync(join(FOLDER, name), 'utf8');
const compose = parse(read('compose.yaml'), { merge: true }) as Compose;
const services = Object.entries(compose.services);
const servers = services.filter(([, { build }]) => build);
const dockerfile = read('Dockerfile');
const variables = new Set(SETTINGS.map(({ flag }) => variableOf(flag)));

test('everything that a service names exists, and everything that exists is used', () => {
  const used = { secrets: new Set<string>(), volumes: new Set<string>(), networks: new Set<string>() };
  for (const [name, { image, secrets = [], volumes = [], networks = [], depends_on = {} }] of services) {
    assert.ok(image, name);
    for (const secret of secrets) used.secrets.add(secret);
    for (const network of networks) used.networks.add(network);
    for (const volume of volumes) {
      const [source = ''] = volume.split(':');
      if (source.startsWith('.')) assert.ok(existsSync(join(FOLDER, source)), source);
      else used.volumes.add(source);
    }
    for (const [other, { condition }] of Object.entries(depends_on)) {
      assert.ok(other in compose.services, `${name} waits for ${other}`);
      assert.equal(condition, 'service_healthy');
      assert.ok(compose.services[other]!.healthcheck ?? (compose.services[other]!.build && /^HEALTHCHECK/m.test(dockerfile)), other);
    }
  }
  for (const part of ['secrets', 'volumes', 'networks'] as const)
    assert.deepEqual([...used[part]].toSorted(), Object.keys(compose[part]).toSorted(), part);
});

test('passwords come as files that the service is given', () => {
  for (const [name, { environment = {}, secrets = [] }] of services) {
    for (const [variable, value] of Object.entries(environment)) {
      assert.doesNotMatch(variable, /PASSWORD$|SECRET$|KEY$/, name);
      if (variable.endsWith('_FILE')) assert.ok(secrets.includes(value.replace('/run/secrets/', '')), `${name}: ${variable}`);
    }
  }
  assert.match(read('.gitignore'), /^\/secrets\/$/m);
});

test('the servers differ in their address and data only, and have existing settings', () => {
  assert.equal(servers.length, 3);
  const alike = servers.map(([name, { environment = {}, volumes = [], ...rest }]) => {
    for (const variable of Object.keys(environment)) assert.ok(variables.has(variable), variable);
    const { SLIPWAY_REPLICA_URL, ...others } = environment;
    assert.equal(SLIPWAY_REPLICA_URL, `http://${name}:8153`);
    assert.deepEqual(volumes, [`${name}:/data`, 'artifacts:/data/artifacts'], 'artifacts, consoles and backups are written by any of them');
    return { ...rest, environment: others, volumes: volumes.slice(1) };
  });
  for (const one of alike) assert.deepEqual(one, alike[0]);
});

test('the images have the files they copy, and start the server and an agent as a user without rights', () => {
  const { context, dockerfile: file } = servers[0]![1].build!;
  assert.equal(join(FOLDER, context, file), join(FOLDER, 'Dockerfile'));
  const ignored = read('Dockerfile.dockerignore').split('\n');
  for (const [, from] of dockerfile.matchAll(/^COPY (?!--)(.+) \S+$/gm)) {
    for (const name of from!.split(' ')) {
      assert.ok(existsSync(join(ROOT, name)), name);
      assert.ok(ignored.includes(`!${name.replace(/\/$/, '')}`), `${name} is not sent to the builder`);
    }
  }
  const stages = new Map(dockerfile.split(/^FROM /m).map((text) => [/AS (\w+)/.exec(text)?.[1], text]));
  assert.equal([...stages.keys()].at(-1), 'server', 'the last one is built when none is named, as in compose.yaml');
  for (const [stage, command] of [
    ['server', '["server"]'],
    ['agent', '["agent", "--work-dir=/builds/agent"]'],
  ] as const) {
    assert.match(stages.get(stage)!, /^USER 8153:8153$/m);
    assert.match(stages.get(stage)!, /^ENTRYPOINT \["tini", "--", "slipway"\]$/m);
    assert.ok(stages.get(stage)!.includes(`\nCMD ${command}\n`), stage);
  }
  for (const stage of ['base', 'agent']) assert.doesNotMatch(stages.get(stage)!, /NODE_ENV/, 'npm would leave out the tools of jobs');
  for (const [variable] of dockerfile.matchAll(/SLIPWAY_\w+(?==)/g)) assert.ok(variables.has(variable), variable);
});

/** How the check of the image ends, when a server at this port answers below /cd. */
async function statusOfHealthcheck(server: Server, variable: string, settings: NodeJS.ProcessEnv): Promise<number | null> {
  const [, command] = /^HEALTHCHECK[^[]+(\[.+\])$/m.exec(dockerfile)!;
  const [, ...args] = JSON.parse(command!) as string[];
  server.on('request', ({ url }, answer) => answer.writeHead(url === '/cd/api/v1/ready' ? 200 : 401).end());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const port = String((server.address() as AddressInfo).port);
  const child = spawn(process.execPath, args, { env: { SLIPWAY_PORT: '1', ...settings, [variable]: port }, stdio: 'inherit' });
  const [status] = (await once(child, 'exit')) as [number | null];
  await new Promise((resolve) => server.close(resolve));
  return status;
}

test('the check of the image asks below the context path, however it is written', async () => {
  for (const [path, status] of [
    ['/cd', 0],
    ['/cd/', 0],
    ['', 1],
  ] as const)
    assert.equal(await statusOfHealthcheck(createServer(), 'SLIPWAY_PORT', { SLIPWAY_CONTEXT_PATH: path }), status, path);
});

test('the check of the image asks by HTTPS where plain HTTP is closed', async () => {
  const certificates = await makeCertificates('DNS:cd.example.org');
  const settings = { SLIPWAY_CONTEXT_PATH: '/cd', SLIPWAY_TLS_CERT: 'cd.pem', SLIPWAY_TLS_PLAIN: 'closed' };
  assert.equal(await statusOfHealthcheck(createTlsServer(certificates), 'SLIPWAY_TLS_PORT', settings), 0);
  await certificates.remove();
});

test('the proxy passes requests to these servers', () => {
  const named = [...read('nginx.conf').matchAll(/^\s*server (\w+):8153 /gm)].map(([, name]) => name);
  assert.deepEqual(
    named,
    servers.map(([name]) => name),
  );
});

test('the proxy lets artifacts of any size through, and does not keep them; other bodies end where the server ends them', () => {
  const [, artifacts] = /location ~ \^\/\(agent\|files\)\/ \{([^}]+)\}/.exec(read('nginx.conf'))!;
  assert.match(artifacts!, /client_max_body_size 0;\s+proxy_request_buffering off;/);
  for (const path of [ARTIFACT_FILE_PATH, ARTIFACT_ARCHIVE_PATH]) assert.match(path, /^\/agent\//);
  const [, largest] = /^ {4}client_max_body_size (\d+)m;/m.exec(read('nginx.conf'))!;
  assert.ok(Number(largest) * 1024 ** 2 >= MAX_FILE_BYTES);
});

test('the proxy sends a change to another server only when the first says that it has done nothing', () => {
  const text = read('nginx.conf');
  const [, methods] = /map \$request_method \$is_change \{([^}]+)\}/.exec(text)!;
  const unguarded = [...methods!.matchAll(/(\w+) 0;/g)].map(([, method]) => method);
  // Those that change nothing, and those that nginx does not send twice.
  assert.deepEqual(unguarded, ['GET', 'HEAD', 'OPTIONS', 'POST', 'PATCH']);
  assert.match(methods!, /^\s+default 1;$/m);
  assert.match(text, /location \/ \{\s+error_page 418 = @change;\s+if \(\$is_change\) \{\s+return 418;\s+\}/);
  const [, change] = /location @change \{([^}]+)\}/.exec(text)!;
  assert.match(change!, /^\s+proxy_next_upstream http_503;$/m);
  assert.doesNotMatch(text, /non_idempotent/);
});
