// The history of the configuration over HTTP, with the stock git client and with requests that no git would send.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { configGitRoutes, READ_ONLY } from '../../../src/api/endpoints/config-git/routes.ts';
import { GitProgram, HistoryRepository } from '../../../src/kit/git/history.ts';
import { ChangingDocument } from '../../support/configuration/changing-document.ts';
import { fsck, git, tryGit } from '../../support/git.ts';
import { addUser, givePassword } from '../../support/requests/callers.ts';
import { ADMIN_PASSWORD, basic, TestServer } from '../../support/server/server.ts';
import { ensureDebianPackages } from '../../support/services/debian.ts';
import { until } from '../../support/until.ts';

const PATH = '/api/some-repository.git';
const REFS = `${PATH}/info/refs?service=git-upload-pack`;
const UPLOAD = `${PATH}/git-upload-pack`;
const REQUEST_TYPE = 'application/x-git-upload-pack-request';
const directory = mkdtempSync(join(tmpdir(), 'slipway-config-git-'));
const repository = new HistoryRepository(join(directory, 'history.git'));
const document = new ChangingDocument(20, 10);
let server: TestServer;
let written = 0;
let copies = 0;
/** Runs before the history answers that it is up to date. */
let beforeUpToDate: () => Promise<void> | void = () => {};

const history = { directory: repository.directory, upToDate: async () => beforeUpToDate() };

function write(count: number): void {
  repository.prepare(document.many(count)).publish();
  written += count;
}

before(async () => {
  await ensureDebianPackages(['git']);
  assert.ok(repository.recover(undefined));
  write(300);
  server = await TestServer.start({}, { routes: configGitRoutes(history, { path: PATH }) });
  givePassword(server, 'admin', { password: ADMIN_PASSWORD });
});
after(async () => {
  await server.stop();
  rmSync(directory, { recursive: true, force: true });
});
beforeEach(() => {
  beforeUpToDate = () => {};
});

function addressOf(login: string, password: string, { url } = server): string {
  return url.replace('http://', `http://${login}:${encodeURIComponent(password)}@`) + PATH;
}

const asAdmin = () => addressOf('admin', ADMIN_PASSWORD);
const newCopy = () => join(directory, `copy-${++copies}`);
const countIn = async (copy: string) => Number(await git(copy, 'rev-list', '--count', 'HEAD'));

describe('the stock client', () => {
  for (const version of [0, 1, 2]) {
    test(`clones and fetches, version ${version} of the protocol`, async () => {
      const copy = newCopy();
      await git(directory, '-c', `protocol.version=${version}`, 'clone', '--quiet', asAdmin(), copy);
      assert.equal(await countIn(copy), written);
      assert.equal(readFileSync(join(copy, 'document.xml'), 'utf8'), String(document.text));
      assert.equal(await fsck(copy), '');
      assert.equal((await git(copy, 'branch', '--show-current')).trim(), 'master');
      for (const count of [1, 300]) {
        write(count);
        await git(copy, '-c', `protocol.version=${version}`, 'pull', '--quiet', '--ff-only');
        assert.equal(await countIn(copy), written);
        assert.equal(readFileSync(join(copy, 'document.xml'), 'utf8'), String(document.text));
      }
      await git(copy, '-c', `protocol.version=${version}`, 'fetch', '--quiet');
      assert.equal(await fsck(copy), '');
    });
  }

  test('clones only the newest, and the rest later', async () => {
    const copy = newCopy();
    await git(directory, 'clone', '--quiet', '--depth', '3', asAdmin(), copy);
    assert.equal(await countIn(copy), 3);
    await git(copy, 'fetch', '--quiet', '--unshallow');
    assert.equal(await countIn(copy), written);
    assert.equal(await fsck(copy), '');
  });

  test('sees every change that was acknowledged before the request', async () => {
    const copy = newCopy();
    beforeUpToDate = async () => {
      beforeUpToDate = () => {};
      await pause(200);
      write(1);
    };
    await git(directory, 'clone', '--quiet', asAdmin(), copy);
    assert.equal(await countIn(copy), written);
    assert.equal(readFileSync(join(copy, 'document.xml'), 'utf8'), String(document.text));
  });

  test('clones while the history moves on between its requests', async () => {
    for (const version of [0, 2]) {
      const copy = newCopy();
      beforeUpToDate = () => write(2);
      await git(directory, '-c', `protocol.version=${version}`, 'clone', '--quiet', asAdmin(), copy);
      beforeUpToDate = () => {};
      assert.ok((await countIn(copy)) >= 300);
      assert.equal(await fsck(copy), '');
    }
  });

  test('sends large requests compressed and in pieces', async () => {
    const copy = newCopy();
    await git(directory, 'clone', '--quiet', asAdmin(), copy);
    await git(copy, '-c', 'user.name=a', '-c', 'user.email=a', 'commit', '--quiet', '--allow-empty', '-m', 'one');
    // Many commits that the server does not have: the client announces all of them.
    const lines = Array.from({ length: 5000 }, (_, index) => {
      const from = index === 0 ? 'from refs/heads/master\n' : '';
      return `commit refs/heads/b${index % 50}\ncommitter a <a> ${1_800_000_000 + index} +0000\ndata 1\nx\n${index < 50 ? from : ''}\n`;
    });
    writeFileSync(join(copy, 'stream'), lines.join(''));
    await git(copy, '-c', 'alias.load=!git fast-import --quiet < stream', 'load');
    write(1);
    for (const version of [0, 2]) {
      await git(copy, '-c', `protocol.version=${version}`, '-c', 'http.postBuffer=65536', 'fetch', '--quiet', 'origin');
      assert.equal((await git(copy, 'rev-parse', 'origin/master')).trim(), (await git(history.directory, 'rev-parse', 'master')).trim());
    }
  });

  test('eight clones at once', async () => {
    const clones = Array.from({ length: 8 }, async () => {
      const copy = newCopy();
      await git(directory, 'clone', '--quiet', '--bare', asAdmin(), copy);
      return countIn(copy);
    });
    assert.deepEqual(
      await Promise.all(clones),
      clones.map(() => written),
    );
  });

  test('reads only, although it sends POST requests', async () => {
    server.lines.length = 0;
    await git(directory, 'clone', '--quiet', asAdmin(), newCopy());
    const posts = server.lines.map((line) => JSON.parse(line)).filter(({ method }) => method === 'POST');
    assert.ok(posts.length > 0);
    for (const { msg, path } of posts) assert.equal(msg, 'read', path);
  });

  test('clones with a token instead of a password', async () => {
    const { json } = await server.post('/api/current_user/access_tokens', { description: 'for git' });
    const copy = newCopy();
    const address = server.url + PATH;
    await git(directory, '-c', `http.extraHeader=Authorization: Bearer ${json.token}`, 'clone', '--quiet', address, copy);
    assert.equal(await countIn(copy), written);
  });

  test('clones under a context path', async () => {
    const other = await TestServer.start({ 'context-path': '/cd/main' }, { routes: configGitRoutes(history, { path: PATH }) });
    const copy = newCopy();
    await git(directory, 'clone', '--quiet', addressOf('admin', ADMIN_PASSWORD, other), copy);
    await other.stop();
    assert.equal(await countIn(copy), written);
  });
});

describe('rights', () => {
  test('wrong credentials and none are asked for again, others are refused', async () => {
    const user = await addUser(server, 'somebody');
    const [anonymous, wrong, plain] = await Promise.all(
      [server.url + PATH, addressOf('admin', 'wrong'), addressOf('somebody', 'open sesame')].map((address) =>
        tryGit(directory, 'clone', '--quiet', address, newCopy()),
      ),
    );
    assert.match(anonymous!.stderr, /could not read Username/);
    assert.match(wrong!.stderr, /Authentication failed/);
    assert.match(plain!.stderr, /403/);
    for (const path of [REFS, `${PATH}/info/refs`, `${PATH}/objects/info/packs`]) {
      const unknown = await server.get(path, { as: '' });
      assert.equal(unknown.status, 401);
      assert.match(unknown.headers.get('www-authenticate')!, /^Basic realm=/);
      assert.equal((await server.get(path, { as: user })).status, 403);
    }
    for (const path of [UPLOAD, `${PATH}/git-receive-pack`]) {
      assert.equal((await server.ask('POST', path, { as: '' })).status, 401);
      assert.equal((await server.ask('POST', path, { as: user })).status, 403);
    }
  });

  test('no user may push, and the client shows the reason', async () => {
    const copy = newCopy();
    await git(directory, 'clone', '--quiet', asAdmin(), copy);
    await git(copy, '-c', 'user.name=a', '-c', 'user.email=a', 'commit', '--quiet', '--allow-empty', '-m', 'mine');
    const { code, stderr } = await tryGit(copy, 'push');
    assert.notEqual(code, 0);
    assert.ok(stderr.includes(READ_ONLY), stderr);
    const direct = await server.ask('POST', `${PATH}/git-receive-pack`, { text: '0000' });
    assert.deepEqual([direct.status, direct.json.message], [403, READ_ONLY]);
    assert.equal((await git(history.directory, 'rev-list', '--count', 'master')).trim(), String(written));
  });
});

describe('requests of git on the wire', () => {
  const upload = (body: Buffer | string, headers: Record<string, string> = {}) =>
    fetch(server.url + UPLOAD, {
      method: 'POST',
      headers: { Authorization: basic('admin', ADMIN_PASSWORD), 'Content-Type': REQUEST_TYPE, 'Git-Protocol': 'version=2', ...headers },
      body: body as string,
    });
  const LIST = '0014command=ls-refs\n00010000';

  test('the advertisement has its service line in version 0 alone, and is never cached', async () => {
    const old = await server.get(REFS);
    assert.equal(old.headers.get('content-type'), 'application/x-git-upload-pack-advertisement');
    assert.match(old.headers.get('cache-control')!, /no-cache/);
    assert.match(old.text, /^001e# service=git-upload-pack\n0000/);
    assert.match(old.text, /refs\/heads\/master/);
    assert.match((await server.get(REFS, { headers: { 'Git-Protocol': 'version=2' } })).text, /^000eversion 2\n/);
    for (const strange of ['version=9', 'version=2:x', '$(touch /tmp/x)', 'version=2\tversion=1']) {
      assert.match((await server.get(REFS, { headers: { 'Git-Protocol': strange } })).text, /^001e# service/, strange);
    }
    const head = await server.ask('HEAD', REFS);
    assert.deepEqual([head.status, head.text], [200, '']);
  });

  test('compressed requests are understood, up to a size', async () => {
    for (const [body, encoding] of [
      [LIST, 'identity'],
      [gzipSync(LIST), 'gzip'],
      [gzipSync(LIST), 'x-gzip'],
    ] as const) {
      const answer = await upload(body, { 'Content-Encoding': encoding });
      assert.equal(answer.status, 200, encoding);
      assert.equal(answer.headers.get('content-type'), 'application/x-git-upload-pack-result');
      assert.match(await answer.text(), /refs\/heads\/master/, encoding);
    }
    const endless = `0014command=ls-refs\n0001${'001cref-prefix refs/heads/m\n'.repeat(610_000)}0000`;
    assert.equal((await upload(gzipSync(endless), { 'Content-Encoding': 'gzip' })).status, 413);
    assert.equal((await upload(endless)).status, 413);
    assert.equal((await upload(endless.slice(0, 8_000_000).replace('001c', '001b'))).status, 400, 'git gives up before the end');
    assert.equal((await upload('not compressed', { 'Content-Encoding': 'gzip' })).status, 400);
    assert.equal((await upload(gzipSync(LIST).subarray(0, 20), { 'Content-Encoding': 'gzip' })).status, 400);
    assert.equal((await upload(LIST, { 'Content-Encoding': 'br' })).status, 415);
    assert.equal((await upload(LIST)).status, 200, 'the server goes on');
  });

  test('requests that no git client sends are refused with a reason', async () => {
    for (const nonsense of ['', 'hello', '0000', 'zzzz', '0014command=rm -rf /00000000', '0009command', LIST.repeat(3).slice(0, 50)]) {
      const answer = await upload(nonsense);
      assert.ok(answer.status === 200 || answer.status === 400, `${answer.status} for ${nonsense}`);
    }
    assert.match(await (await upload('zzzz')).text(), /Git cannot read the request\. .*bad line length/);
    assert.equal((await upload(LIST, { 'Content-Type': 'text/plain' })).status, 415);
    assert.equal((await upload(Buffer.alloc(17 * 1024 * 1024))).status, 413);
    for (const path of [`${PATH}/info/refs`, `${PATH}/info/refs?service=git-upload-archive`, `${PATH}/objects/info/packs`]) {
      const answer = await server.get(path);
      assert.equal(answer.status, 400);
      assert.match(answer.headers.get('content-type')!, /^text\/plain/);
      assert.match(answer.text, /smart protocol/);
    }
    const push = await server.get(`${PATH}/info/refs?service=git-receive-pack`);
    assert.deepEqual([push.status, push.text], [403, `${READ_ONLY}\n`]);
    assert.doesNotMatch(server.log, /"level":50/, 'none of it is a fault of the server');
  });

  test('a history that git cannot serve is suspected, one whose client goes is not', async () => {
    const broken = new HistoryRepository(join(directory, 'broken.git'));
    broken.recover(undefined);
    broken.prepare(new ChangingDocument(10, 10).many(5)).publish();
    let suspicions = 0;
    const suspect = () => {
      suspicions++;
    };
    const routes = configGitRoutes({ directory: broken.directory, upToDate: async () => {}, suspect }, { path: PATH });
    const other = await TestServer.start({}, { routes });
    await git(directory, 'clone', '--quiet', addressOf('admin', ADMIN_PASSWORD, other), newCopy());
    assert.equal(suspicions, 0);
    const packs = join(broken.directory, 'objects', 'pack');
    const pack = join(packs, readdirSync(packs).find((file) => file.endsWith('.pack'))!);
    chmodSync(pack, 0o644);
    writeFileSync(pack, readFileSync(pack).fill(0x55, 12));
    const { code } = await tryGit(directory, 'clone', '--quiet', addressOf('admin', ADMIN_PASSWORD, other), newCopy());
    await until('a suspicion', () => suspicions > 0).finally(() => other.stop());
    assert.notEqual(code, 0);
  });

  test('git ends when the client goes', async () => {
    const large = new HistoryRepository(join(directory, 'large.git'));
    large.recover(undefined);
    // Data that does not compress does not fit into the buffers on the way to a client that does not read.
    const facts = { fileName: 'document.xml', author: 'a', time: new Date(0), message: 'm' };
    large.prepare([{ ...facts, chunks: [randomBytes(12_000_000)] }]).publish();
    const other = await TestServer.start(
      {},
      { routes: configGitRoutes({ directory: large.directory, upToDate: async () => {} }, { path: PATH }) },
    );
    const [, tip] = /([0-9a-f]{40}) refs\/heads\/master/.exec((await other.get(REFS)).text)!;
    const request = `0032want ${tip}\n00000009done\n`;
    const head = [
      `POST ${UPLOAD} HTTP/1.1`,
      'Host: here',
      `Authorization: ${basic('admin', ADMIN_PASSWORD)}`,
      `Content-Type: ${REQUEST_TYPE}`,
      `Content-Length: ${request.length}`,
    ];
    const { port } = new URL(other.url);
    const running = () => processesIn(large.directory);
    for (const howToGo of ['destroy', 'end'] as const) {
      const socket = connect(Number(port), '127.0.0.1');
      socket.write(`${head.join('\r\n')}\r\n\r\n${request}`);
      await new Promise((resolve) => socket.once('readable', resolve));
      await until('git and its helper', () => running().length === 2);
      await pause(300);
      assert.equal(running().length, 2, 'git and its helper wait for a client that does not read');
      if (howToGo === 'destroy') socket.destroy();
      else socket.resetAndDestroy();
      await until('the end of the programs', () => running().length === 0);
    }
    await other.stop();
  });
});

describe('a machine without a good git', () => {
  test('has a health message', async () => {
    const old = join(directory, 'old-git');
    writeFileSync(old, '#!/bin/sh\necho git version 1.8.3\n');
    chmodSync(old, 0o755);
    for (const [path, expected] of [
      ['/nowhere/git', /cannot be started/],
      [old, /too old: 2\.18 or later is needed. It says: git version 1\.8\.3/],
    ] as const) {
      const other = await TestServer.start({}, { routes: configGitRoutes(history, { path: PATH, git: new GitProgram(path) }) });
      const answer = await other.get(REFS);
      assert.equal(answer.status, 503);
      assert.match(answer.text, expected);
      const { stderr } = await tryGit(directory, 'clone', '--quiet', addressOf('admin', ADMIN_PASSWORD, other), newCopy());
      assert.match(stderr, expected, 'the client shows it');
      await other.stop();
    }
  });

  test('variables of the environment do not change its settings', async () => {
    process.env.GIT_CONFIG_COUNT = '1';
    process.env.GIT_CONFIG_KEY_0 = 'uploadpack.hideRefs';
    process.env.GIT_CONFIG_VALUE_0 = 'refs/';
    process.env.GIT_DIR = '/nowhere';
    try {
      assert.match((await server.get(REFS)).text, /refs\/heads\/master/);
    } finally {
      for (const name of ['GIT_CONFIG_COUNT', 'GIT_CONFIG_KEY_0', 'GIT_CONFIG_VALUE_0', 'GIT_DIR']) delete process.env[name];
    }
  });
});

/** The processes that work in this directory. */
function processesIn(path: string): string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readlinkSync(`/proc/${pid}/cwd`) === path;
    } catch {
      return false; // gone meanwhile
    }
  });
}
