// Importing a file as an administrator does it, and starting the server after it.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, describe, test } from 'node:test';
import { hashPassword } from '../../src/plugins/bundled/authorization/password-hash.ts';
import { TestConfiguration } from '../support/configuration/configuration.ts';
import { referenceCipherText } from '../support/configuration/reference-cipher-text.ts';
import { ABOUT_EMBEDDED } from '../support/database/database.ts';
import { basic } from '../support/requests/basic.ts';
import { bareEnvironment } from '../support/server/bare-environment.ts';
import { slipway as runHere } from '../support/server/command-line.ts';
import { COMMAND_LINE } from '../support/server/programs.ts';
import { type ServerProcess, startProcess } from '../support/server/server-process.ts';

const fixture = (name: string) => join(import.meta.dirname, '..', 'document', 'fixtures', name);
const directories: string[] = [];
const running = new Set<ServerProcess>();

after(async () => {
  await Promise.all([...running].map((server) => server.end('SIGKILL')));
  for (const directory of directories) rmSync(directory, { recursive: true, force: true });
});

function newDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'slipway-import-'));
  directories.push(directory);
  return directory;
}

/** Runs a command in this process, because starting one for each command takes longer than the command. */
async function slipway(args: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const { out, err, status: code } = await runHere(args, { environment, directory: newDirectory() });
  return { out, err, code };
}

/** Runs a command in a process of its own, as an administrator does. */
async function slipwayProcess(args: readonly string[]) {
  const child = spawn(process.execPath, [COMMAND_LINE, ...args], { env: bareEnvironment(), cwd: newDirectory() });
  const [out, err, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((resolve) => child.once('exit', resolve)),
  ]);
  return { out, err, code };
}

async function start(dataDir: string, password = ''): Promise<ServerProcess> {
  const server = await startProcess(dataDir, [], password);
  running.add(server);
  return server;
}

async function stop(server: ServerProcess): Promise<void> {
  running.delete(server);
  await server.end('SIGTERM');
}

async function statusOf(server: ServerProcess, path: string, user: string, password: string): Promise<number> {
  return (await fetch(server.url + path, { headers: { Authorization: basic(user, password) } })).status;
}

/** The document that a server on this directory would write. */
async function exported(dataDir: string): Promise<string> {
  const world = await TestConfiguration.open(dataDir);
  const { document } = world;
  await world.close();
  return document;
}

const withKey = [fixture('schema-139.xml'), '--cipher-key', fixture('cipher.aes')];

describe('the command', { concurrency: 2 }, () => {
  test('prints its help, and refuses wrong arguments', async () => {
    const help = await slipway(['import', '--help']);
    assert.deepEqual([help.code, help.err], [0, '']);
    assert.match(help.out, /^Usage: npm run slipway -- import FILE/);
    for (const args of [
      [],
      ['expose'],
      ['import'],
      ['import', 'nowhere.xml'],
      ['import', ...withKey, '--cipher-key', fixture('schema-100.xml')],
    ]) {
      const wrong = await slipway(args);
      assert.deepEqual([wrong.code, wrong.out], [2, ''], args.join(' '));
      assert.notEqual(wrong.err, '');
    }
  });

  test('makes nothing with --plan, not even the directory', ABOUT_EMBEDDED, async () => {
    const dataDir = join(newDirectory(), 'new');
    const plan = await slipway(['import', ...withKey, '--plan', '--data-dir', dataDir]);
    assert.deepEqual([plan.code, plan.err], [0, '']);
    assert.match(plan.out, /^ {2}pipelines \(2\): libs, build$/m);
    assert.match(plan.out, /This was the plan only/);
    assert.ok(!existsSync(dataDir));
    assert.ok(!plan.out.includes('\u001b'), 'no colours where nobody can see them');
  });

  test('reports every wrong line of a file that it refuses, and makes nothing', ABOUT_EMBEDDED, async () => {
    const dataDir = newDirectory();
    const refused = await slipwayProcess(['import', fixture('schema-139.xml'), '--data-dir', dataDir]);
    assert.deepEqual([refused.code, refused.out], [1, '']);
    assert.match(refused.err, /5 things are wrong with it/);
    assert.match(refused.err, /schema-139\.xml:49: Mail server: This secret was encrypted by another server\./);
    const server = await start(dataDir);
    assert.match(server.output(), /^Administrator: admin, password: /m);
    await stop(server);
  });

  test('into an empty directory lets the next start make a way in beside the imported configuration', ABOUT_EMBEDDED, async () => {
    const dataDir = newDirectory();
    const done = await slipwayProcess(['import', ...withKey, '--data-dir', dataDir]);
    assert.deepEqual([done.code, done.err], [0, '']);
    assert.match(done.out, /Done, as revision 1\.\nNo administrator can log in yet: /);
    const server = await start(dataDir);
    const password = /^Administrator: admin, password: (\S+) /m.exec(server.output())![1]!;
    assert.equal(await statusOf(server, '/api/admin/pipelines/build', 'admin', password), 200);
    assert.equal(await statusOf(server, '/api/admin/security/auth_configs/github', 'admin', password), 200);
    const admins = await fetch(`${server.url}/api/admin/security/system_admins`, { headers: { Authorization: basic('admin', password) } });
    const { users, roles } = (await admins.json()) as { users: string[]; roles: string[] };
    assert.deepEqual([users, roles], [['root', 'admin'], ['ops']]);
    await stop(server);
    const again = await start(dataDir);
    assert.doesNotMatch(again.output(), /Administrator/);
    await stop(again);
  });

  test('makes up no administrator if the imported users can log in', ABOUT_EMBEDDED, async () => {
    const dataDir = newDirectory();
    const file = join(newDirectory(), 'config.xml');
    const property = '<property><key>PasswordFilePath</key><value>people</value></property>';
    const authConfig = `<authConfig id="f" pluginId="cd.go.authentication.passwordfile">${property}</authConfig>`;
    const security = `<security><authConfigs>${authConfig}</authConfigs><admins><user>Root</user></admins></security>`;
    writeFileSync(file, `<cruise schemaVersion="139"><server>${security}</server></cruise>`);
    writeFileSync(join(dataDir, 'people'), `root:${await hashPassword('right')}\n`);
    const done = await slipway(['import', file, '--data-dir', dataDir]);
    assert.doesNotMatch(done.out, /No administrator can log in/);
    const server = await start(dataDir);
    assert.doesNotMatch(server.output(), /Administrator/);
    assert.equal(await statusOf(server, '/api/admin/security/system_admins', 'root', 'right'), 200);
    assert.equal(await statusOf(server, '/api/admin/security/system_admins', 'root', 'wrong'), 401);
    assert.ok(!readdirSync(dataDir).includes('initial-admin-password'));
    await stop(server);
  });

  test('into the directory of a used server keeps its users, and locks none out', ABOUT_EMBEDDED, async () => {
    const dataDir = newDirectory();
    await stop(await start(dataDir, 'chosen'));
    const done = await slipway(['import', ...withKey, '--data-dir', dataDir]);
    assert.deepEqual([done.code, done.err], [0, '']);
    const server = await start(dataDir);
    assert.equal(await statusOf(server, '/api/admin/pipelines/build', 'admin', 'chosen'), 200);
    assert.equal(statSync(join(dataDir, 'imported.keys')).mode & 0o777, 0o600);
    const key = readFileSync(fixture('cipher.aes'), 'utf8');
    const variable = { name: 'A', secure: true, encrypted_value: referenceCipherText('hush', key) };
    const created = await fetch(`${server.url}/api/admin/environments`, {
      method: 'POST',
      headers: { Authorization: basic('admin', 'chosen'), 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: 'with-a-foreign-secret', environment_variables: [variable] }),
    });
    assert.equal(created.status, 200);
    assert.ok(!server.output().includes(key));
    const inUse = await slipway(['import', ...withKey, '--data-dir', dataDir]);
    assert.equal(inUse.code, 1);
    assert.match(inUse.err, /is in use by another Slipway server .* with --url URL\.\n$/);
    await stop(server);
  });

  test('makes a server with the same key write the same document as the first', ABOUT_EMBEDDED, async () => {
    const [from, to] = [newDirectory(), newDirectory()];
    await stop(await start(from, 'chosen'));
    assert.equal((await slipway(['import', ...withKey, '--data-dir', from])).code, 0);
    const documentOf = async (server: ServerProcess, password: string) => {
      const answer = await fetch(`${server.url}/api/admin/config.xml`, { headers: { Authorization: basic('admin', password) } });
      assert.equal(answer.status, 200);
      return answer.text();
    };
    const first = await start(from);
    const document = await documentOf(first, 'chosen');
    await stop(first);
    assert.match(document, /<pipeline name="build"/);
    const file = join(newDirectory(), 'config.xml');
    writeFileSync(file, document);
    copyFileSync(join(from, 'cipher.key'), join(to, 'cipher.key'));
    const done = await slipway(['import', file, '--data-dir', to]);
    assert.deepEqual([done.code, done.err], [0, '']);
    const second = await start(to, 'another');
    assert.equal(await documentOf(second, 'another'), document);
    await stop(second);
  });

  test('into an empty directory takes the key of a Slipway along, unless the file is refused', ABOUT_EMBEDDED, async () => {
    const [from, to] = [newDirectory(), newDirectory()];
    assert.equal((await slipway(['import', ...withKey, '--data-dir', from])).code, 0);
    const keyFile = join(from, 'cipher.key');
    const document = await exported(from);
    const file = join(newDirectory(), 'config.xml');
    writeFileSync(file, document.replace('</cruise>', '<nonsense /></cruise>'));
    const arguments_ = ['import', file, '--cipher-key', keyFile, '--data-dir', to];
    assert.equal((await slipway(arguments_)).code, 1);
    assert.equal(existsSync(join(to, 'cipher.key')), false);
    assert.equal(existsSync(join(to, 'imported.keys')), false);
    writeFileSync(file, document);
    const done = await slipway(arguments_);
    assert.deepEqual([done.code, done.err], [0, '']);
    assert.match(done.out, /The key file is taken over, too/);
    assert.equal(readFileSync(join(to, 'cipher.key'), 'utf8'), readFileSync(keyFile, 'utf8'));
    assert.equal(statSync(join(to, 'cipher.key')).mode & 0o777, 0o600);
    assert.equal(await exported(to), document);
    assert.equal(existsSync(join(to, 'imported.keys')), false, 'it is its own key now');
    // Where something is encrypted already, the key stays.
    const other = newDirectory();
    assert.equal((await slipway(['import', ...withKey, '--data-dir', other])).code, 0);
    const key = readFileSync(join(other, 'cipher.key'), 'utf8');
    assert.equal((await slipway(['import', file, '--cipher-key', keyFile, '--data-dir', other])).code, 0);
    assert.equal(readFileSync(join(other, 'cipher.key'), 'utf8'), key);
  });

  test('works through a running server, with a token', async () => {
    const server = await start(newDirectory(), 'chosen');
    const made = await fetch(`${server.url}/api/current_user/access_tokens`, {
      method: 'POST',
      headers: { Authorization: basic('admin', 'chosen'), 'Content-Type': 'application/json' },
      body: JSON.stringify({ description: 'import' }),
    });
    const { token } = (await made.json()) as { token: string };
    const there = ['import', '--url', server.url];
    const environment = { SLIPWAY_TOKEN: token };
    const refused = await slipway([...there, fixture('schema-127.xml')], environment);
    assert.equal(refused.code, 1);
    assert.match(
      refused.err,
      /schema-127\.xml:22: Authorization configuration 'ldap', property 'Password': This secret was encrypted by another server/,
    );
    const plan = await slipway([...there, ...withKey, '--plan'], environment);
    assert.deepEqual([plan.code, plan.err], [0, '']);
    assert.equal(await statusOf(server, '/api/admin/pipelines/build', 'admin', 'chosen'), 404);
    const done = await slipway([...there, ...withKey], environment);
    assert.deepEqual([done.code, done.err], [0, '']);
    assert.match(done.out, /^ {2}pipelines \(2\): libs, build$.*Done, as revision 2\.\n$/ms);
    assert.equal(await statusOf(server, '/api/admin/pipelines/build', 'admin', 'chosen'), 200);
    assert.equal((await slipway([...there, fixture('schema-127.xml')], environment)).code, 0, 'with the key that is known now');
    const stranger = await slipway([...there, ...withKey], { SLIPWAY_TOKEN: 'f'.repeat(40) });
    assert.deepEqual([stranger.code, stranger.out], [1, '']);
    assert.match(stranger.err, /^Login to \S+ failed: the access token is wrong\.\n$/);
    await stop(server);
    const gone = await slipway([...there, ...withKey], environment);
    assert.equal(gone.code, 1);
    assert.match(gone.err, /cannot be reached/);
  });
});
