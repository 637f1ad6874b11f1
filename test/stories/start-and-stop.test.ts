// Starting and stopping the server as an administrator sees it: its output, its refusals, its end.
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { type ClientRequest, Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { setPassword } from '../../src/plugins/bundled/authorization/password-file-edit.ts';
import { hashPassword } from '../../src/plugins/bundled/authorization/password-hash.ts';
import { SETTINGS, variableOf } from '../../src/server/settings.ts';
import { eventually } from '../events/eventually.ts';
import { databaseVariablesOf, isEmbedded } from '../support/database/database.ts';
import { changeRows, rowsIn } from '../support/database/sql.ts';
import { PATIENCE_MS, withGrowingLimits } from '../support/patience.ts';
import { basic } from '../support/requests/basic.ts';
import { bareEnvironment } from '../support/server/bare-environment.ts';
import { SERVER } from '../support/server/programs.ts';
import { type ServerProcess, startAsItIs } from '../support/server/server-process.ts';
import { ensureDebianPackages, findProgram } from '../support/services/debian.ts';

const MAX_POLITE_STOP_MS = 5_000;
const MAX_STOP_MS = 10_000;
/** Two clocks may differ by so much. */
const CLOCK_MS = 500;
const UNASKED_PASSWORD = '';

const directories: string[] = [];
const running = new Set<ServerProcess>();

after(async () => {
  await Promise.all([...running].map((server) => server.end('SIGKILL')));
  for (const directory of directories) rmSync(directory, { recursive: true, force: true });
});

describe('start and stop', { concurrency: 2 }, () => {
  test('the first start prints address, data directory, administrator and a password that works', async () => {
    const dataDir = newDirectory();
    const server = await start(dataDir, [], UNASKED_PASSWORD);
    const password = /^Administrator: admin, password: (\S+) /m.exec(server.output())?.[1];
    assert.ok(password, server.output());
    assert.match(server.output(), /^Slipway is ready at http:\/\/127\.0\.0\.1:\d+$/m);
    assert.ok(server.output().includes(`Data directory: ${dataDir}\n`), server.output());
    assert.ok(password.length >= 16, 'the password is long enough that nobody guesses it');

    const file = join(dataDir, 'initial-admin-password');
    assert.equal(readFileSync(file, 'utf8').trim(), password);
    assert.equal(modeOf(file), 0o600);
    assert.equal(modeOf(join(dataDir, 'cipher.key')), 0o600);
    const files = isEmbedded ? ['slipway.db', 'slipway.db-wal', 'slipway.db-shm'] : [];
    for (const name of files) assert.equal(modeOf(join(dataDir, name)), 0o600, name);
    assert.equal(await statusOfVersion(server, password), 200);
    assert.equal(await statusOfVersion(server, `${password}x`), 401);
    assert.equal(await stop(server), 0);
  });

  test('a data directory that the server makes is for its own user only', async () => {
    const dataDir = join(newDirectory(), 'new', 'data');
    const server = await start(dataDir);
    assert.ok(!server.output().includes('Maintenance mode'), server.output());
    assert.equal(await stop(server), 0);
    assert.equal(modeOf(dataDir), 0o700);
  });

  test('a start in maintenance mode says so', async () => {
    const server = await start(newDirectory(), ['--maintenance']);
    assert.match(server.output(), /^Maintenance mode is on: /m);
    assert.equal(await stop(server), 0);
  });

  test('a chosen password works, and is neither printed nor kept in clear', async () => {
    const dataDir = newDirectory();
    const server = await start(dataDir, [], 'chosen by hand');
    assert.match(server.output(), /^Administrator: admin, with the password you chose$/m);
    assert.equal(await statusOfVersion(server, 'chosen by hand'), 200);
    assert.equal(await stop(server), 0);
    assert.ok(!server.output().includes('chosen by hand'));
    for (const file of readdirSync(dataDir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())) {
      assert.ok(!readFileSync(join(file.parentPath, file.name)).includes('chosen by hand'), `${file.name} holds the password`);
    }
  });

  test('later starts print no password, and a later setting does not change it', async () => {
    const dataDir = newDirectory();
    const first = await start(dataDir, [], UNASKED_PASSWORD);
    const password = readFileSync(join(dataDir, 'initial-admin-password'), 'utf8').trim();
    assert.equal(await stop(first), 0);

    const second = await start(dataDir, [], 'another one');
    assert.doesNotMatch(second.output(), /password/i);
    assert.ok(!second.output().includes(password));
    assert.equal(await statusOfVersion(second, password), 200);
    assert.equal(await statusOfVersion(second, 'another one'), 401);
    assert.equal(await stop(second), 0);
  });

  test('a start without the password file works; the note of the first password goes when another one counts', async () => {
    const dataDir = newDirectory();
    assert.equal(await stop(await start(dataDir, [], UNASKED_PASSWORD)), 0);
    const [note, users] = [join(dataDir, 'initial-admin-password'), join(dataDir, 'password.properties')];
    rmSync(users);
    const server = await start(dataDir, [], UNASKED_PASSWORD);
    assert.ok(existsSync(note));
    assert.equal(await stop(server), 0);

    setPassword(users, 'admin', await hashPassword('another one'));
    const again = await start(dataDir, [], UNASKED_PASSWORD);
    assert.equal(await statusOfVersion(again, 'another one'), 200);
    await eventually(
      () => existsSync(note),
      (exists) => !exists,
    );
    assert.equal(await stop(again), 0);
  });

  test('a first start that finds no port free does not lose the password it made up', async () => {
    const dataDir = newDirectory();
    const refused = await whileTaken((port) => run(['--data-dir', dataDir, '--port', port]));
    assert.equal(refused.code, 1);

    const server = await start(dataDir, [], UNASKED_PASSWORD);
    const password = /^Administrator: admin, password: (\S+) /m.exec(server.output())?.[1];
    assert.ok(password, `the first start that worked printed no password:\n${server.output()}`);
    assert.equal(await statusOfVersion(server, password), 200);
    assert.equal(await stop(server), 0);
  });

  test('a second server on the same data directory refuses and says why; the first goes on', async () => {
    const dataDir = newDirectory();
    const first = await start(dataDir);
    const second = await run(['--data-dir', dataDir, '--port', '0']);
    assertRefusal(second, 1, [dataDir, 'in use by another Slipway server', String(first.child.pid)]);
    assert.equal(await statusOfVersion(first, 'secret'), 200);
    assert.equal(await stop(first), 0);
    assert.equal(await stop(await start(dataDir)), 0);
  });

  const badSettings: readonly (readonly [about: string, args: readonly string[], variables: Record<string, string>, named: string])[] = [
    ['an unknown flag', ['--bogus'], {}, '--bogus'],
    ['a word that is no flag', ['now'], {}, 'now'],
    ['a flag without its value', ['--host'], {}, '--host'],
    ['a port that is no number', ['--port', 'x'], {}, "--port must be a port number from 0 to 65535, not 'x'"],
    ['a port out of range', ['--port=70000'], {}, '--port'],
    ['a bad port in a variable', [], { SLIPWAY_PORT: '-1' }, 'port'],
    ['an unknown log level', ['--log-level', 'loud'], {}, '--log-level'],
    ['neither true nor false', ['--trust-proxy', 'maybe'], {}, '--trust-proxy'],
    ['a context path without a slash', ['--context-path', 'cd'], {}, '--context-path'],
    ['a certificate without its key', ['--tls-cert', 'cert.pem'], {}, '--tls-key'],
    ['a database this version does not know', ['--database-url', 'oracle://db'], {}, '--database-url'],
    ['an unknown variable', [], { SLIPWAY_PROT: '80' }, 'SLIPWAY_PROT'],
  ];
  for (const [about, args, variables, named] of badSettings) {
    test(`${about} is one clear line and exit 2`, async () => {
      const dataDir = join(newDirectory(), 'data');
      assertRefusal(await run(args, { SLIPWAY_DATA_DIR: dataDir, ...variables }), 2, [named]);
      assert.ok(!existsSync(dataDir), 'nothing was begun');
    });
  }

  test('--help lists every setting with its flag and variable', async () => {
    const home = newDirectory();
    const { code, stdout, stderr } = await run(['--help'], {}, home);
    assert.equal(code, 0);
    assert.equal(stderr, '');
    for (const { flag, about } of SETTINGS) {
      const line = stdout.split('\n').find((one) => one.trim().startsWith(`--${flag} `)) ?? '';
      assert.ok(line.includes(variableOf(flag)) && line.includes(about), `--${flag} is missing in:\n${stdout}`);
    }
    assert.deepEqual(readdirSync(home), [], 'asking for help leaves nothing behind');
  });

  test('a port in use is a clear message', async () => {
    const verdict = await whileTaken((port) => run(['--data-dir', newDirectory(), '--port', port]));
    assertRefusal(verdict, 1, ['on 127.0.0.1 is already in use', '--port']);
  });

  test('an HTTPS port in use is a clear message too, and the server does not stay half started', async () => {
    const { cert, key } = await makeCertificate();
    const flags = ['--data-dir', newDirectory(), '--port', '0', '--tls-cert', cert, '--tls-key', key];
    const verdict = await whileTaken((port) => run([...flags, '--tls-port', port]));
    assertRefusal(verdict, 1, ['on 127.0.0.1 is already in use', '--tls-port']);
  });

  test('a certificate that is not there or is none names its file', async () => {
    const { cert, key } = await makeCertificate();
    const flags = (certFile: string) => [
      '--data-dir',
      newDirectory(),
      '--port',
      '0',
      '--tls-port',
      '0',
      '--tls-cert',
      certFile,
      '--tls-key',
      key,
    ];
    const missing = join(newDirectory(), 'missing.pem');
    assertRefusal(await run(flags(missing)), 2, [missing]);
    const broken = join(newDirectory(), 'broken.pem');
    writeFileSync(broken, 'no certificate\n');
    assertRefusal(await run(flags(broken)), 1, [broken]);
    assert.ok(existsSync(cert));
  });

  test('a signal that comes twice, as from a terminal and from npm, does not cut the stop short', async () => {
    const dataDir = newDirectory();
    const server = await start(dataDir);
    server.child.kill('SIGTERM');
    assert.equal(await server.end('SIGTERM'), 0);
    assert.ok(!existsSync(join(dataDir, 'server.pid')));
  });

  test('a key file that is missing or another one is refused, and none is made up', async () => {
    const dataDir = newDirectory();
    assert.equal(await stop(await start(dataDir)), 0);
    const key = join(dataDir, 'cipher.key');
    const right = readFileSync(key, 'utf8');
    rmSync(key);
    assertRefusal(await run(['--data-dir', dataDir, '--port', '0'], await databaseVariablesOf(dataDir)), 1, [
      'cipher.key is missing',
      process.env.TEST_DATABASE_URL ? 'copy that of another server' : 'Put the right one back',
    ]);
    assert.ok(!existsSync(key));
    writeFileSync(key, 'ab'.repeat(32));
    assertRefusal(await run(['--data-dir', dataDir, '--port', '0'], await databaseVariablesOf(dataDir)), 1, [
      'is not the one with which the secrets of this server were encrypted',
    ]);
    writeFileSync(key, right);
    assert.equal(await stop(await start(dataDir)), 0);
  });

  test('a database of a newer version is refused and left as it is', async () => {
    const dataDir = newDirectory();
    assert.equal(await stop(await start(dataDir)), 0);
    const file = join(dataDir, 'slipway.db');
    await changeRows(dataDir, 'UPDATE schema_version SET version = 4711');
    const before = isEmbedded && readFileSync(file);
    const verdict = await run(['--data-dir', dataDir, '--port', '0'], await databaseVariablesOf(dataDir));
    assertRefusal(verdict, 1, ['schema 4711', 'newer version']);
    if (before) assert.deepEqual(readFileSync(file), before);
    else assert.deepEqual(await rowsIn(dataDir, 'SELECT version FROM schema_version'), [{ version: 4711 }]);
  });

  test('SIGTERM lets a request under way finish, takes no new ones and ends with 0', () => withGrowingLimits(stopPolitely));

  async function stopPolitely(factor: number): Promise<void> {
    const dataDir = newDirectory();
    const server = await start(dataDir);
    const idle = connect(portOf(server), '127.0.0.1');
    await once(idle, 'connect');

    const write = await beginWrite(server, { name: 'finished-late', environment_variables: [{ name: 'A', value: 'b' }] });
    const askedAt = performance.now();
    const ended = server.end('SIGTERM');
    await untilRefused(portOf(server));
    assert.equal(server.child.exitCode, null, 'the server waits for the request that is under way');
    const answer = await write.finish();
    assert.equal(answer.status, 200, answer.text);
    assert.equal(await ended, 0, server.output());
    running.delete(server);
    idle.destroy();
    const limitMs = Math.min(factor * MAX_POLITE_STOP_MS, MAX_STOP_MS);
    assert.ok(performance.now() - askedAt < limitMs, 'a client that keeps its connection does not hold up the end');

    const again = await start(dataDir);
    const kept = await fetch(`${again.url}/api/admin/environments/finished-late`, { headers: asAdmin('secret') });
    assert.equal(kept.status, 200);
    assert.equal(await stop(again), 0);
  }

  test('a request that never ends is cut off after ten seconds', async () => {
    const server = await start(newDirectory());
    const write = await beginWrite(server, { name: 'never-finished' });
    const cutOff = write.cutOff();
    const askedAt = performance.now();
    assert.equal(await stop(server), 0);
    assert.ok(performance.now() - askedAt >= MAX_STOP_MS - CLOCK_MS);
    await cutOff;
  });

  test('SIGINT ends the server with 0 too', async () => {
    const server = await start(newDirectory());
    assert.equal(await server.end('SIGINT'), 0, server.output());
    running.delete(server);
  });

  test('a server with a certificate serves HTTPS, and sends HTTP clients there', async () => {
    const { cert, key } = await makeCertificate();
    const server = await start(newDirectory(), ['--tls-cert', cert, '--tls-key', key, '--tls-port', '0']);
    const secureUrl = / and (https:\/\/127\.0\.0\.1:\d+)$/m.exec(server.output())?.[1];
    assert.ok(secureUrl, server.output());
    const ca = readFileSync(cert);
    const version = await getSecurely(`${secureUrl}/api/version`, ca);
    assert.equal(version.status, 200);
    assert.ok(version.text.includes(`"href":"${secureUrl}/api/version"`), 'links lead back to https');
    await assert.rejects(getSecurely(`${secureUrl}/api/version`), { code: /SELF_SIGNED/ });
    const { status, headers } = await fetch(`${server.url}/api/version`, { redirect: 'manual' });
    assert.deepEqual([status, headers.get('location')], [308, `${secureUrl}/api/version`]);
    assert.equal(await stop(server), 0);
  });
});

interface Verdict {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the server where it is expected to end by itself. */
async function run(args: readonly string[], variables: Readonly<Record<string, string>> = {}, cwd = newDirectory()): Promise<Verdict> {
  const child = spawn(process.execPath, [SERVER, ...args], { cwd, env: bareEnvironment(variables) });
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => (output.stdout += chunk));
  child.stderr.on('data', (chunk) => (output.stderr += chunk));
  const timer = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
  const [code] = (await once(child, 'close')) as [number | null];
  clearTimeout(timer);
  assert.notEqual(code, null, `the server did not end by itself: ${output.stdout}${output.stderr}`);
  return { code, ...output };
}

function assertRefusal({ code, stdout, stderr }: Verdict, wantedCode: number, words: readonly string[]): void {
  assert.equal(code, wantedCode, stdout + stderr);
  assert.equal(stdout, '');
  assert.match(stderr, /^[^\n]+\n$/, 'one line');
  for (const word of words) assert.ok(stderr.includes(word), `"${word}" is missing in: ${stderr}`);
}

async function start(dataDir: string, flags: readonly string[] = [], password = 'secret'): Promise<ServerProcess> {
  const server = await startAsItIs(dataDir, flags, password);
  running.add(server);
  return server;
}

async function stop(server: ServerProcess): Promise<number | null> {
  const code = await server.end('SIGTERM');
  running.delete(server);
  return code;
}

function newDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'slipway-start-'));
  directories.push(directory);
  return directory;
}

function modeOf(file: string): number {
  return statSync(file).mode & 0o777;
}

function portOf(server: ServerProcess): number {
  return Number(new URL(server.url).port);
}

function asAdmin(password: string): Record<string, string> {
  return { Authorization: basic('admin', password) };
}

async function statusOfVersion(server: ServerProcess, password: string): Promise<number> {
  const response = await fetch(`${server.url}/api/version`, { headers: { ...asAdmin(password), Connection: 'close' } });
  await response.text();
  return response.status;
}

async function whileTaken<T>(task: (port: string) => Promise<T>): Promise<T> {
  const holder = createServer().listen(0, '127.0.0.1');
  await once(holder, 'listening');
  try {
    return await task(String((holder.address() as AddressInfo).port));
  } finally {
    holder.close();
  }
}

interface WriteUnderWay {
  finish(): Promise<{ readonly status: number | undefined; readonly text: string }>;
  /** Resolves when the server has closed the connection without an answer. */
  cutOff(): Promise<unknown>;
}

/** Sends half of a body, once the server has said that it waits for it. */
async function beginWrite(server: ServerProcess, body: object): Promise<WriteUnderWay> {
  const text = JSON.stringify(body);
  const headers = { ...asAdmin('secret'), 'Content-Type': 'application/json', 'Content-Length': text.length, Expect: '100-continue' };
  const agent = new HttpAgent({ keepAlive: true });
  const request = httpRequest(`${server.url}/api/admin/environments`, { method: 'POST', agent, headers });
  const half = Math.floor(text.length / 2);
  request.flushHeaders();
  await once(request, 'continue');
  request.write(text.slice(0, half));
  return {
    finish: () => {
      request.end(text.slice(half));
      return answerTo(request);
    },
    cutOff: () => assert.rejects(answerTo(request), { code: 'ECONNRESET' }),
  };
}

async function answerTo(request: ClientRequest): Promise<{ readonly status: number | undefined; readonly text: string }> {
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  let text = '';
  for await (const chunk of response) text += chunk;
  return { status: response.statusCode, text };
}

async function untilRefused(port: number): Promise<void> {
  for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline; await pause(20)) {
    const socket = connect(port, '127.0.0.1');
    const isRefused = await once(socket, 'connect').then(
      () => false,
      () => true,
    );
    socket.destroy();
    if (isRefused) return;
  }
  assert.fail('the server still takes new connections after SIGTERM');
}

function getSecurely(url: string, ca?: Buffer): Promise<{ readonly status: number | undefined; readonly text: string }> {
  const request = httpsRequest(url, { agent: new HttpsAgent({ ca }), headers: { ...asAdmin('secret'), Connection: 'close' } });
  request.end();
  return answerTo(request);
}

let certificate: Promise<{ readonly cert: string; readonly key: string }> | undefined;

function makeCertificate(): Promise<{ readonly cert: string; readonly key: string }> {
  return (certificate ??= signForLocalhost(newDirectory()));
}

async function signForLocalhost(directory: string): Promise<{ readonly cert: string; readonly key: string }> {
  await ensureDebianPackages(['openssl']);
  const cert = join(directory, 'cert.pem');
  const key = join(directory, 'key.pem');
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-noenc', '-keyout', key];
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1', '-days', '2'];
  await promisify(execFile)((await findProgram('openssl'))!, ['req', '-x509', ...newKey, ...subject, '-out', cert]);
  return { cert, key };
}
