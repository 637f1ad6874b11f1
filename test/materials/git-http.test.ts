// Git over real HTTP: how the client logs in, where credentials can be seen, and servers that hang, lie or send too much.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer, type Server, type ServerResponse } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { CommandStopped } from '../../src/kit/process/command.ts';
import { gitClient } from '../../src/materials/types/git/git-client.ts';
import { readMaterialRules } from '../../src/server/open/material-rules.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { makeCertificates } from '../support/services/certificates.ts';
import { ensureDebianPackages } from '../support/services/debian.ts';
import { type GitHttp, startGitHttp } from './support/git-http.ts';
import { GitOrigin, gitMaterial } from './support/git-origin.ts';
import { allTextOf, commandLinesDuring, filesHolding, Lab, listenDuring, pollAll } from './support/polling.ts';

const lab = new Lab();
const root = lab.newPath('served');
const USERNAME = 'bob@corp';
const PASSWORD = "p@ss/w%rd:'$(x)\\ü";
let origin: GitOrigin;
let server: GitHttp;

before(async () => {
  await ensureDebianPackages(['git']);
  mkdirSync(root);
  origin = await GitOrigin.make(join(root, 'app'));
  await origin.commit('one', { 'a.txt': 'a' });
  server = await startGitHttp({ root, username: USERNAME, password: PASSWORD });
});
after(async () => {
  await server.stop();
  lab.remove();
});

const inUrl = (url: string, username: string, password: string) =>
  url.replace('://', `://${encodeURIComponent(username)}:${encodeURIComponent(password)}@`);

describe('credentials', () => {
  test('credentials beside the address or in it are accepted, and shown nowhere', async () => {
    const url = `${server.url}/app`;
    for (const material of [gitMaterial(url, { username: USERNAME, password: PASSWORD }), gitMaterial(inUrl(url, USERNAME, PASSWORD))]) {
      const context = lab.context();
      const known = await origin.tip();
      const lines = await commandLinesDuring(async () => {
        assert.equal((await pollAll(gitClient, material, undefined, context))[0]!.revision, known);
        await gitClient.checkConnection(material, context);
        assert.deepEqual(await pollAll(gitClient, material, known, context), []);
        const next = await origin.commit('next');
        assert.equal((await pollAll(gitClient, material, known, context))[0]!.revision, next);
        await gitClient.checkOut!(material, next, lab.newPath('checkout'), context);
      });
      assert.ok(
        [...lines].some((line) => line.includes('remote-http') && line.includes(url)),
        'the look at processes sees git',
      );
      for (const secret of [PASSWORD, encodeURIComponent(PASSWORD), Buffer.from(`${USERNAME}:${PASSWORD}`).toString('base64')]) {
        assert.deepEqual(
          [...lines].filter((line) => line.includes(secret)),
          [],
        );
        assert.deepEqual(filesHolding(lab.directory, secret), []);
      }
    }
  });

  test('a token alone is accepted', async (t) => {
    const token = await startGitHttp({ root, username: 't0ken' });
    t.after(() => token.stop());
    const material = gitMaterial(`${token.url.replace('://', '://t0ken@')}/app`);
    assert.equal((await pollAll(gitClient, material, undefined, lab.context())).length, 1);
  });

  test('wrong or missing credentials are reported without repeating them', async () => {
    const wrong = 'wr0ng-s3cret';
    for (const material of [
      gitMaterial(`${server.url}/app`, { username: USERNAME, password: wrong }),
      gitMaterial(inUrl(`${server.url}/app`, USERNAME, wrong)),
      gitMaterial(`${server.url.replace('://', `://${wrong}@`)}/app`),
      gitMaterial(`${server.url}/app`),
    ]) {
      for (const attempt of [
        () => gitClient.checkConnection(material, lab.context()),
        () => pollAll(gitClient, material, undefined, lab.context()),
        () => pollAll(gitClient, material, 'a'.repeat(40), lab.context()),
      ]) {
        const failure = await attempt().then(
          () => assert.fail('let in'),
          (reason) => reason,
        );
        assert.match(failure.message, /Authentication failed|could not read Username/);
        assert.doesNotMatch(allTextOf(failure), new RegExp(wrong));
      }
    }
  });

  test('a password that the server repeats is not shown', async (t) => {
    const parrot = createHttpServer((request, response) => {
      const { authorization } = request.headers;
      if (!authorization) response.writeHead(401, { 'WWW-Authenticate': 'Basic realm="x"' }).end();
      else {
        const credentials = Buffer.from(authorization.slice(6), 'base64').toString();
        response.writeHead(200, { 'Content-Type': 'application/x-git-upload-pack-advertisement' });
        const line = `ERR ${credentials} is not allowed, nor ${authorization}`;
        response.end(`001e# service=git-upload-pack\n0000${(line.length + 4).toString(16).padStart(4, '0')}${line}`);
      }
    });
    const url = `http://127.0.0.1:${await listenDuring(t, parrot)}/app`;
    const material = gitMaterial(url, { username: 'bob', password: 'hunter2' });
    const failure = await gitClient.checkConnection(material, lab.context()).then(
      () => assert.fail('accepted'),
      (reason) => reason,
    );
    assert.match(failure.message, /bob:\*{6} is not allowed, nor Basic \*{6}/);
    assert.doesNotMatch(allTextOf(failure), /hunter2|Ym9iOmh1bnRlcjI/);
  });

  test('a redirect to another server does not get the credentials', async (t) => {
    const authorizations: (string | undefined)[] = [];
    const other = createHttpServer((request, response) => {
      authorizations.push(request.headers.authorization);
      response.writeHead(401, { 'WWW-Authenticate': 'Basic realm="trap"' }).end();
    });
    const elsewhere = `http://127.0.0.1:${await listenDuring(t, other)}`;
    const sender = createHttpServer((request, response) => response.writeHead(302, { Location: `${elsewhere}${request.url}` }).end());
    const url = `http://127.0.0.1:${await listenDuring(t, sender)}/app`;
    const material = gitMaterial(url, { username: 'bob', password: 'hunter2' });
    await assert.rejects(gitClient.checkConnection(material, lab.context()));
    assert.ok(authorizations.length > 0);
    assert.deepEqual(new Set(authorizations), new Set([undefined]));
  });
});

describe('protocols and certificates', () => {
  test('a certificate must be known, unless it need not', async (t) => {
    const certificates = await makeCertificates();
    t.after(() => certificates.remove());
    const secure = await startGitHttp({ root, username: USERNAME, password: PASSWORD, tls: certificates });
    t.after(() => secure.stop());
    const material = gitMaterial(`${secure.url}/app`, { username: USERNAME, password: PASSWORD });
    await assert.rejects(gitClient.checkConnection(material, lab.context()), /certificate/i);
    const { host, hostname } = new URL(secure.url);
    const knowing = await readMaterialRules({
      dataDir: lab.newPath('data'),
      materialTls: { caFile: certificates.caFile, uncheckedHosts: [] },
      allowLoopback: true,
      allowPrivateRepositories: true,
      localRepositories: [],
    });
    await gitClient.checkConnection(material, { ...lab.context(), ...knowing });
    for (const one of [host, hostname])
      await gitClient.checkConnection(material, { ...lab.context(), tls: { uncheckedHosts: ['else', one] } });
    const others = { ...lab.context(), tls: { uncheckedHosts: ['else', `${hostname}:1`] } };
    await assert.rejects(gitClient.checkConnection(material, others), /certificate/i);
  });

  test('transports that run programs are not used', async () => {
    const proof = lab.newPath('proof');
    for (const url of [`ext::sh -c "touch ${proof}"`, 'fd::7', 'unknown://host/x']) {
      await assert.rejects(gitClient.checkConnection(gitMaterial(url), lab.context()), /not allowed|remote-unknown/, url);
    }
    assert.ok(!existsSync(proof));
  });

  test('an address cannot become an option', async () => {
    const proof = lab.newPath('proof');
    await assert.rejects(gitClient.checkConnection(gitMaterial(`--upload-pack=touch ${proof}`), lab.context()));
    await assert.rejects(pollAll(gitClient, gitMaterial(`--upload-pack=touch ${proof}`), undefined, lab.context()));
    assert.ok(!existsSync(proof));
  });
});

describe('limits', () => {
  test('a server that never answers is given up, and so is all that was started', async (t) => {
    const silent = createServer(() => {});
    const url = `http://127.0.0.1:${await listenDuring(t, silent)}/app`;
    const asking = { ...lab.context(), limits: { timeoutMs: PATIENCE_MS, responseTimeoutMs: 500, maxBytes: 1_000_000 } };
    for (const known of [undefined, 'a'.repeat(40)]) {
      await assert.rejects(pollAll(gitClient, gitMaterial(url), known, asking), (failure: CommandStopped) => {
        assert.ok(failure instanceof CommandStopped);
        assert.equal(failure.message, 'git was stopped: it took longer than 0.5 seconds.');
        return true;
      });
    }
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 300);
    await assert.rejects(
      pollAll(gitClient, gitMaterial(url), undefined, lab.context({ signal: controller.signal })),
      (failure: CommandStopped) => failure.reason === 'aborted',
    );
    const lines = readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((pid) => (existsSync(`/proc/${pid}/cmdline`) ? readFileSync(`/proc/${pid}/cmdline`, 'utf8') : ''));
    assert.ok(!lines.some((line) => line.includes(url)));
  });

  test('a repository that is too large is given up and leaves nothing', async () => {
    const large = await GitOrigin.make(join(root, 'large'));
    const known = await large.commit('small', { 'a.txt': 'a' });
    const maxBytes = 2 * 1024 * 1024;
    const context = lab.context({ maxBytes });
    const material = gitMaterial(large.address);
    await pollAll(gitClient, material, undefined, context);
    writeFileSync(join(large.path, 'huge.bin'), randomBytes(8 * 1024 * 1024));
    await large.commit('huge');
    const message = /^Error: The repository is too large: it needs more than the 2 MB that one may take on this server\.$/;
    await assert.rejects(pollAll(gitClient, material, known, context), message, 'one that has grown');
    assert.deepEqual(readdirSync(context.directory), []);
    const served = gitMaterial(`${server.url}/large`, { username: USERNAME, password: PASSWORD });
    for (const again of [material, served]) {
      const fresh = lab.context({ maxBytes });
      await assert.rejects(pollAll(gitClient, again, undefined, fresh), message);
      assert.deepEqual(readdirSync(fresh.directory), []);
    }
  });

  test('a server that sends nothing after the refs is given up as soon as a silent one', async (t) => {
    const url = `http://127.0.0.1:${await listenDuring(
      t,
      answering(() => {}),
    )}/app`;
    const context = { ...lab.context(), limits: { timeoutMs: 60_000, responseTimeoutMs: 1_500, maxBytes: 1_000_000 } };
    await assert.rejects(pollAll(gitClient, gitMaterial(url), undefined, context), (failure: CommandStopped) => {
      assert.equal(failure.message, 'git was stopped: nothing came for 1.5 seconds.');
      return failure instanceof CommandStopped && failure.reason === 'silence';
    });
    assert.deepEqual(readdirSync(context.directory), []);
  });

  test('a server that sends without end is stopped in the middle', async (t) => {
    const endless = answering((response) => {
      response.write(packet('packfile\n'));
      // One object of a size that never ends: a blob of 2 GB that does not compress.
      response.write(sideband(Buffer.from([0x50, 0x41, 0x43, 0x4b, 0, 0, 0, 2, 0, 0, 0, 1, 0xb0, 0x80, 0x80, 0x80, 0x40, 0x78, 0x01])));
      const stored = Buffer.concat([Buffer.from([0, 0xff, 0xff, 0, 0]), Buffer.alloc(65535, 7)]);
      const timer = setInterval(() => {
        for (let turn = 0; turn < 4; turn++)
          response.write(Buffer.concat([sideband(stored.subarray(0, 40_000)), sideband(stored.subarray(40_000))]));
      }, 20);
      response.on('close', () => clearInterval(timer));
    });
    const url = `http://127.0.0.1:${await listenDuring(t, endless)}/app`;
    const context = lab.context({ maxBytes: 3 * 1024 * 1024 });
    await assert.rejects(pollAll(gitClient, gitMaterial(url), undefined, context), /The repository is too large/);
    assert.deepEqual(readdirSync(context.directory), []);
  });
});

/** Knows a branch, and leaves the answer to a fetch to the callback. */
function answering(fetch: (response: ServerResponse) => void): Server {
  return createHttpServer((request, response) => {
    if (request.method === 'GET') {
      const capabilities = ['version 2', 'ls-refs', 'fetch', 'object-format=sha1'].map((text) => packet(`${text}\n`)).join('');
      response.writeHead(200, { 'Content-Type': 'application/x-git-upload-pack-advertisement' });
      response.end(`001e# service=git-upload-pack\n0000${capabilities}0000`);
      return;
    }
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      response.writeHead(200, { 'Content-Type': 'application/x-git-upload-pack-result' });
      if (!String(Buffer.concat(chunks)).includes('command=ls-refs')) return fetch(response);
      const tip = 'a'.repeat(40);
      response.end(`${packet(`${tip} HEAD symref-target:refs/heads/main\n`)}${packet(`${tip} refs/heads/main\n`)}0000`);
    });
  });
}

function packet(text: string): string {
  return `${(text.length + 4).toString(16).padStart(4, '0')}${text}`;
}

function sideband(data: Buffer): Buffer {
  return Buffer.concat([Buffer.from((data.length + 5).toString(16).padStart(4, '0')), Buffer.from([1]), data]);
}
