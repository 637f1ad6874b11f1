// Deliveries over real connections: to no address that is forbidden, for no longer than allowed.
import assert from 'node:assert/strict';
import { lookup } from 'node:dns/promises';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, createServer as createSocketServer, type Server as SocketServer } from 'node:net';
import { hostname } from 'node:os';
import { after, describe, test } from 'node:test';
import { Poster } from '../../src/events/webhooks/post.ts';
import { ForbiddenAddress, guardedLookup } from '../../src/kit/network/guarded-lookup.ts';
import { isOnOwnNetwork } from '../../src/kit/network/own-network.ts';
import { TestServer } from '../support/server.ts';
import { SECRET } from './receiver.ts';

const open: (Server | SocketServer)[] = [];
const posters: Poster[] = [];
after(() => {
  for (const poster of posters) poster.close();
  for (const server of open) {
    if ('closeAllConnections' in server) server.closeAllConnections();
    server.close();
  }
});

async function listening<T extends Server | SocketServer>(server: T): Promise<number> {
  open.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  return (server.address() as AddressInfo).port;
}

function poster(mayConnect: (address: string) => boolean, timeoutMs = 5000): Poster {
  const made = new Poster({ mayConnect, timeoutMs });
  posters.push(made);
  return made;
}

const post = (by: Poster, url: string, signal = new AbortController().signal) =>
  by.post({ url: new URL(url), headers: {}, body: Buffer.from('{}'), signal });
const outside = (address: string) => !isOnOwnNetwork(address);

describe('an address on the own network', () => {
  for (const host of ['127.0.0.1', '[::ffff:127.0.0.1]', '2130706433', '0x7f.1', '0.0.0.0', 'localhost']) {
    test(`${host} is not even connected to`, async () => {
      let connections = 0;
      const port = await listening(createSocketServer(() => connections++));
      const { status, error } = await post(poster(outside), `http://${host}:${port}/`);
      assert.equal(status, undefined);
      assert.match(error!, /lies on the network of this server/);
      assert.equal(connections, 0);
    });
  }

  test('behind a name that meant another one before is refused: what counts is what the connection looks up', async () => {
    const answers = ['93.184.215.14', '127.0.0.1'];
    const look = ((_: string, __: object, answer: (failure: null, found: object[]) => void) =>
      answer(null, [{ address: answers.shift()!, family: 4 }])) as never;
    const guarded = guardedLookup(outside, look);
    const ask = () =>
      new Promise((resolve, reject) => guarded('rebinding.example', {}, (failure, found) => (failure ? reject(failure) : resolve(found))));
    assert.equal(await ask(), '93.184.215.14');
    await assert.rejects(
      ask(),
      (failure: unknown) => failure instanceof ForbiddenAddress && /rebinding\.example is 127\.0\.0\.1/.test(failure.message),
    );
  });

  test('among several of one name is enough', async () => {
    const found = [
      { address: '93.184.215.14', family: 4 },
      { address: 'fd00::1', family: 6 },
    ];
    const look = ((_: string, __: object, answer: (failure: null, all: object[]) => void) => answer(null, found)) as never;
    const failure = await new Promise((resolve) => guardedLookup(outside, look)('both.example', { all: true }, resolve));
    assert.ok(failure instanceof ForbiddenAddress);
  });

  test('at the other end of a connection gets nothing of the request', async () => {
    let bytes = 0;
    const port = await listening(
      createSocketServer((socket) => socket.on('data', (chunk) => (bytes += chunk.length)).on('error', () => {})),
    );
    // Whatever fooled the first look, the second sees the connection itself.
    const looks = [true, false];
    const { error } = await post(
      poster(() => looks.shift()!),
      `http://localhost:${port}/`,
    );
    assert.match(error!, /lies on the network of this server/);
    assert.equal(bytes, 0);
  });
});

describe('a receiver', () => {
  test('that never answers is given up', async () => {
    const port = await listening(createSocketServer((socket) => socket.on('error', () => {})));
    const { status, error } = await post(
      poster(() => true, 200),
      `http://127.0.0.1:${port}/`,
    );
    assert.deepEqual([status, error], [undefined, 'There was no answer within 0.2 seconds.']);
  });

  test('that is not there is told so', async () => {
    const server = createSocketServer();
    const port = await listening(server);
    await new Promise((resolve) => server.close(resolve));
    assert.match(
      (
        await post(
          poster(() => true),
          `http://127.0.0.1:${port}/`,
        )
      ).error!,
      /ECONNREFUSED/,
    );
  });

  test('that closes a connection which was kept is asked again at once', async () => {
    let connections = 0;
    let requests = 0;
    const server = createServer((request, response) => {
      // The first connection answers one request, and is gone with the second.
      if (connections === 1 && ++requests > 1) request.socket.resetAndDestroy();
      else response.writeHead(204).end();
    });
    server.on('connection', () => connections++);
    const port = await listening(server);
    const by = poster(() => true);
    assert.equal((await post(by, `http://127.0.0.1:${port}/`)).status, 204);
    assert.equal((await post(by, `http://127.0.0.1:${port}/`)).status, 204);
    assert.equal(connections, 2);
  });

  test('is not waited for by a server that stops', async () => {
    const port = await listening(createSocketServer((socket) => socket.on('error', () => {})));
    const stopping = new AbortController();
    const posting = post(
      poster(() => true),
      `http://127.0.0.1:${port}/`,
      stopping.signal,
    );
    setTimeout(() => stopping.abort(), 20);
    await assert.rejects(posting, { name: 'AbortError' });
  });
});

describe('a server that was not told to allow them', () => {
  test('refuses webhooks with such addresses, beside the field', async () => {
    const server = await TestServer.start();
    try {
      for (const url of [
        'http://127.0.0.1/x',
        'http://[::1]/',
        'http://169.254.169.254/latest',
        'http://localhost:1/',
        'http://0/',
        'http://[fd00::1]/',
      ]) {
        const reply = await server.post('/api/admin/webhooks', { id: 'in', url, secret: SECRET });
        assert.equal(reply.status, 422, url);
        assert.match(reply.json.data.errors.url[0], /^The address \S+ lies on the network of the server.*--allow-private-webhooks/);
      }
      const wrong = ['one', 'two'].map((id) => ({ id, url: 'http://127.0.0.1/x', secret: null }));
      const planned = await server.post('/api/admin/config/plan', { webhooks: wrong });
      assert.deepEqual(
        planned.json.errors.map(({ resource, id, path }: Record<string, string>) => `${resource} ${id} ${path}`).toSorted(),
        ['webhooks one /secret', 'webhooks one /url', 'webhooks two /secret', 'webhooks two /url'],
      );
      const name = hostname();
      const address = await lookup(name).catch(() => undefined);
      if (!address || !isOnOwnNetwork(address.address)) return;
      // A name can mean something else at any time: it is looked at with every delivery.
      assert.equal((await server.post('/api/admin/webhooks', { id: 'in', url: `http://${name}:1/`, secret: SECRET })).status, 200);
      const { json } = await server.post('/api/admin/webhooks/in/test', {});
      assert.match(json.error, /lies on the network of this server/);
    } finally {
      await server.stop();
    }
  });
});
