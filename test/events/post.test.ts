// Deliveries over real connections: to no address that is forbidden, for no longer than allowed.
import assert from 'node:assert/strict';
import { lookup } from 'node:dns/promises';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, createServer as createSocketServer, type Server as SocketServer } from 'node:net';
import { hostname } from 'node:os';
import { after, describe, test } from 'node:test';
import { Poster } from '../../src/events/webhooks/post.ts';
import { classOf } from '../../src/kit/network/address-class.ts';
import { type NetworkPolicy, TRUSTED } from '../../src/kit/network/reach.ts';
import { webhookReach } from '../../src/server/open/network-rules.ts';
import { TestServer } from '../support/server/server.ts';
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

function poster(networkPolicy: NetworkPolicy, timeoutMs = 5000): Poster {
  const made = new Poster({ networkPolicy, timeoutMs });
  posters.push(made);
  return made;
}

const post = (by: Poster, url: string, signal = new AbortController().signal) =>
  by.post({ url: new URL(url), headers: {}, body: Buffer.from('{}'), signal });
const outside = webhookReach({ allowPrivateWebhooks: false });

describe('an address on the own network', () => {
  for (const host of ['127.0.0.1', '[::ffff:127.0.0.1]', '2130706433', '0x7f.1', '0.0.0.0', 'localhost']) {
    test(`${host} is not even connected to`, async () => {
      let connections = 0;
      const port = await listening(createSocketServer(() => connections++));
      const { status, error } = await post(poster(outside), `http://${host}:${port}/`);
      assert.equal(status, undefined);
      assert.match(error!, /an address on the network of the server/);
      assert.equal(connections, 0);
    });
  }

  for (const host of ['169.254.169.254', '[::ffff:a9fe:a9fe]', '0xa9fea9fe', '[fe80::1]', '[fd00:ec2::254]', '100.100.100.200']) {
    test(`${host} is refused, even where all other addresses are allowed`, async () => {
      const { status, error } = await post(poster(TRUSTED), `http://${host}/latest/meta-data/`);
      assert.equal(status, undefined);
      assert.match(error!, /is a link-local address, or one of the metadata service of a cloud/);
    });
  }
});

describe('a receiver', () => {
  test('a receiver that never answers is given up', async () => {
    const port = await listening(createSocketServer((socket) => socket.on('error', () => {})));
    const { status, error } = await post(poster(TRUSTED, 200), `http://127.0.0.1:${port}/`);
    assert.deepEqual([status, error], [undefined, 'There was no answer within 0.2 seconds.']);
  });

  test('a receiver that is not there is reported as such', async () => {
    const server = createSocketServer();
    const port = await listening(server);
    await new Promise((resolve) => server.close(resolve));
    assert.match((await post(poster(TRUSTED), `http://127.0.0.1:${port}/`)).error!, /ECONNREFUSED/);
  });

  test('a receiver that closes a kept connection is asked again at once', async () => {
    let connections = 0;
    let requests = 0;
    const server = createServer((request, response) => {
      // The first connection answers one request, and is gone with the second.
      if (connections === 1 && ++requests > 1) request.socket.resetAndDestroy();
      else response.writeHead(204).end();
    });
    server.on('connection', () => connections++);
    const port = await listening(server);
    const by = poster(TRUSTED);
    assert.equal((await post(by, `http://127.0.0.1:${port}/`)).status, 204);
    assert.equal((await post(by, `http://127.0.0.1:${port}/`)).status, 204);
    assert.equal(connections, 2);
  });

  test('is not waited for by a server that stops', async () => {
    const port = await listening(createSocketServer((socket) => socket.on('error', () => {})));
    const stopping = new AbortController();
    const posting = post(poster(TRUSTED), `http://127.0.0.1:${port}/`, stopping.signal);
    setTimeout(() => stopping.abort(), 20);
    await assert.rejects(posting, { name: 'AbortError' });
  });
});

describe('a server that was not told to allow them', () => {
  test('refuses webhooks with such addresses, beside the field', async () => {
    const server = await TestServer.start();
    try {
      for (const url of ['http://127.0.0.1/x', 'http://[::1]/', 'http://localhost:1/', 'http://0/', 'http://[fd00::1]/']) {
        const reply = await server.post('/api/admin/webhooks', { id: 'in', url, secret: SECRET });
        assert.equal(reply.status, 422, url);
        assert.match(
          reply.json.data.errors.url[0],
          /^\S+ (?:is|leads to) an address on the network of the server\..*--allow-private-webhooks/,
        );
      }
      const metadata = await server.post('/api/admin/webhooks', { id: 'in', url: 'http://169.254.169.254/latest', secret: SECRET });
      assert.equal(metadata.status, 422);
      assert.match(metadata.json.data.errors.url[0], /link-local/);
      const wrong = ['one', 'two'].map((id) => ({ id, url: 'http://127.0.0.1/x', secret: null }));
      const planned = await server.post('/api/admin/config/plan', { webhooks: wrong });
      assert.deepEqual(
        planned.json.errors.map(({ resource, id, path }: Record<string, string>) => `${resource} ${id} ${path}`).toSorted(),
        ['webhooks one /secret', 'webhooks one /url', 'webhooks two /secret', 'webhooks two /url'],
      );
      const name = hostname();
      const address = await lookup(name).catch(() => undefined);
      if (!address || classOf(address.address) === 'public') return;
      // A name can mean something else at any time: it is looked at with every delivery.
      assert.equal((await server.post('/api/admin/webhooks', { id: 'in', url: `http://${name}:1/`, secret: SECRET })).status, 200);
      const { json } = await server.post('/api/admin/webhooks/in/test', {});
      assert.match(json.error, /leads to an address on the network of the server/);
    } finally {
      await server.stop();
    }
  });
});

test('link-local addresses are refused although private ones are allowed', async () => {
  const server = await TestServer.start({ 'allow-private-webhooks': 'true' });
  try {
    const hook = (url: string) => server.post('/api/admin/webhooks', { id: 'in', url, secret: SECRET });
    assert.equal((await hook('http://169.254.169.254/latest')).status, 422);
    assert.equal((await hook('http://[::ffff:169.254.169.254]/')).status, 422);
    assert.equal((await hook('http://127.0.0.1:1/')).status, 200);
  } finally {
    await server.stop();
  }
});
