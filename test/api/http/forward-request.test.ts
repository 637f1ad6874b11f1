// Requests that another server answers: they go there as they came, with a signed note about the client.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, type Server, type ServerResponse, request as send } from 'node:http';
import { Agent as SecureAgent } from 'node:https';
import { type AddressInfo, connect, createServer as createTcpServer } from 'node:net';
import { after, before, test } from 'node:test';
import { pino } from 'pino';
import { RequestForwarder } from '../../../src/api/http/forward-request.ts';
import { cipherOf } from '../../../src/kit/bytes/cipher.ts';
import { Refusal } from '../../../src/kit/refusal.ts';
import { Scope } from '../../../src/kit/telemetry/scope.ts';

const cipher = cipherOf('ab'.repeat(32))!;
const stranger = cipherOf('cd'.repeat(32))!;
const agent = new Agent();
const secureAgent = new SecureAgent();
const log = pino({ level: 'silent' });
const CLIENT = { address: '203.0.113.9', base: 'https://cd.example.org/slipway' };

let keeper: Server;
let front: Server;
let isKeeper = false;
let keeperUrl: string | undefined;
let obstacle: string | undefined;
const heard: { incoming: IncomingMessage; body: string; address: string | undefined; base: string | undefined }[] = [];

/** The time of the database, which differs from that of the machine. */
let now = 1_000_000_000_000;

const parts = { isKeeper: () => isKeeper, url: () => keeperUrl, obstacle: () => obstacle, now: () => now, agent, secureAgent, log };
const forwarder = new RequestForwarder({ ...parts, sign: (text) => cipher.sign(text) });

before(async () => {
  keeper = createServer(async (incoming, response) => {
    const client = forwarder.forwardedClientOf(incoming);
    let body = '';
    for await (const chunk of incoming) body += chunk;
    heard.push({ incoming, body, address: client?.address, base: client?.base });
    response.writeHead(201, { 'X-Kept': 'yes' }).end('made');
  });
  keeper.on('checkContinue', (incoming, response) => {
    if (incoming.headers.authorization === undefined) {
      response.writeHead(401, { Connection: 'close' }).end('who?');
      return;
    }
    response.writeContinue();
    keeper.emit('request', incoming, response);
  });
  const serve = (incoming: IncomingMessage, response: ServerResponse) => {
    const onFailure = (failure: Error) => response.writeHead(failure instanceof Refusal ? 503 : 504).end(failure.message);
    forwarder.forward(incoming, response, { ...CLIENT, requestId: 'run-1', scope: new Scope({}) }, { onFailure, isHeld: false });
  };
  front = createServer(serve).on('checkContinue', serve);
  for (const server of [keeper, front]) {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  }
  keeperUrl = urlOf(keeper);
});

after(() => {
  agent.destroy();
  keeper.close();
  front.close();
});

function urlOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Sends a path as it is: `fetch` would make another one of it. */
async function ask(
  path: string,
  headers: Record<string, string> = {},
  body = '',
  method = 'POST',
): Promise<{ status: number; text: string; kept: unknown }> {
  const { port } = front.address() as AddressInfo;
  const sent = send({ host: '127.0.0.1', port, method, path, headers: { ...headers, 'Content-Length': String(body.length) } });
  sent.end(body);
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  let text = '';
  for await (const chunk of answer) text += chunk;
  return { status: answer.statusCode!, text, kept: answer.headers['x-kept'] };
}

test('method, path, headers and body arrive, and so does the answer', async () => {
  const reply = await ask('/api/backups?x=1', { Authorization: 'Bearer t', Host: 'cd.example.org' }, 'body');
  assert.deepEqual(reply, { status: 201, text: 'made', kept: 'yes' });
  const { incoming, body, address, base } = heard.at(-1)!;
  assert.deepEqual([incoming.method, incoming.url, body], ['POST', '/api/backups?x=1', 'body']);
  assert.deepEqual([incoming.headers.authorization, incoming.headers.host], ['Bearer t', 'cd.example.org']);
  assert.deepEqual({ address, base }, CLIENT);
});

test('a path that looks like another host stays a path', async () => {
  assert.equal((await ask('//evil.example.org/api')).status, 201);
  assert.equal(heard.at(-1)!.incoming.url, '//evil.example.org/api');
});

test('headers about the connection of the client do not arrive, and break nothing', async () => {
  const about = [
    'Connection: close, Upgrade',
    'Upgrade: h2c',
    'Trailer: X-Sum',
    'TE: trailers',
    'Keep-Alive: timeout=9',
    'Proxy-Connection: x',
  ];
  for (const rest of ['\r\n', 'Content-Length: 4\r\n\r\nbody']) {
    // Node refuses to send some of them.
    const socket = connect((front.address() as AddressInfo).port, '127.0.0.1');
    socket.write(`DELETE /api/backups HTTP/1.1\r\nHost: a\r\n${about.join('\r\n')}\r\n${rest}`);
    let answer = '';
    for await (const chunk of socket) answer += chunk;
    assert.match(answer, /^HTTP\/1\.1 201 /);
    const { headers } = heard.at(-1)!.incoming;
    assert.deepEqual(
      ['upgrade', 'trailer', 'te', 'keep-alive', 'proxy-connection'].filter((name) => name in headers),
      [],
    );
  }
  assert.equal(heard.at(-1)!.body, 'body');
});

test('a body of unknown length arrives, with any method', async () => {
  for (const method of ['POST', 'GET']) {
    const { port } = front.address() as AddressInfo;
    const sent = send({ host: '127.0.0.1', port, method, path: '/api/backups', headers: { 'Transfer-Encoding': 'chunked' } });
    sent.write('of unknown ');
    sent.end('length');
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    answer.resume();
    assert.deepEqual([answer.statusCode, heard.at(-1)!.body], [201, 'of unknown length']);
  }
});

test('a client that waits to be asked for its body is asked when the other server does so', async () => {
  const before = heard.length;
  const ask = (headers: Record<string, string>) => {
    const { port } = front.address() as AddressInfo;
    const waiting = { ...headers, Expect: '100-continue', 'Content-Length': '4' };
    return send({ host: '127.0.0.1', port, method: 'POST', path: '/api/backups', headers: waiting });
  };
  const refused = ask({});
  refused.on('continue', () => assert.fail('an unknown sender was asked for the body'));
  const [answer] = (await once(refused, 'response')) as [IncomingMessage];
  const text = (await answer.toArray()).join('');
  refused.destroy();
  assert.deepEqual([answer.statusCode, answer.headers.connection, text], [401, 'close', 'who?']);
  assert.equal(heard.length, before);

  const accepted = ask({ Authorization: 'Bearer t' });
  await once(accepted, 'continue');
  accepted.end('body');
  const [made] = (await once(accepted, 'response')) as [IncomingMessage];
  made.resume();
  assert.deepEqual([made.statusCode, made.headers.connection, heard.at(-1)!.body], [201, 'keep-alive', 'body']);
});

test('a client that sends its body without being asked has its answer all the same', async () => {
  const { port } = front.address() as AddressInfo;
  const size = 8 * 1024 * 1024;
  const sent = send({ host: '127.0.0.1', port, method: 'POST', path: '/', headers: { Expect: '100-continue', 'Content-Length': size } });
  sent.end(Buffer.alloc(size));
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  assert.deepEqual([answer.statusCode, (await answer.toArray()).join('')], [401, 'who?']);
});

test('an invalid answer is reported as a failure', async () => {
  let answer = '';
  const other = createTcpServer((socket) => socket.on('error', () => {}).once('data', () => socket.end(answer)));
  other.listen(0, '127.0.0.1');
  await once(other, 'listening');
  const working = keeperUrl;
  keeperUrl = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
  for (answer of ['no HTTP\r\n\r\n', 'HTTP/1.1 099 Low\r\n\r\n', 'HTTP/1.1 101 Other\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n']) {
    assert.equal((await ask('/api/backups')).status, 504, answer);
    assert.equal((await ask('/api/backups', {}, '', 'GET')).status, 503, answer);
  }
  answer = 'HTTP/1.1 200 OK\r\nTrailer: X-Sum\r\nContent-Length: 2\r\n\r\nok';
  assert.equal((await ask('/api/backups')).text, 'ok');
  keeperUrl = working;
  other.close();
});

function signedBy(signer: typeof cipher, time: number, address = CLIENT.address): IncomingMessage {
  const header = `${address} ${CLIENT.base} ${time} ${signer.sign(`${CLIENT.address} ${CLIENT.base} ${time}`)}`;
  return { headers: { 'x-svc-handed-on': header }, socket: { remoteAddress: '10.0.0.2' } } as unknown as IncomingMessage;
}

test('a request with a wrong signature, or an old one, is refused, and the log says why, now and then', (context) => {
  const warned = context.mock.method(log, 'warn', () => {});
  const trusted = signedBy(cipher, now);
  assert.doesNotThrow(() => forwarder.mustBeTrusted(trusted));
  assert.deepEqual(forwarder.forwardedClientOf(trusted), CLIENT);
  const wrong = [
    signedBy(stranger, now),
    signedBy(cipher, now, '127.0.0.1'),
    signedBy(cipher, now - 120_000),
    signedBy(cipher, now + 120_000),
  ];
  for (const one of wrong) {
    assert.throws(() => forwarder.mustBeTrusted(one), { kind: 'unavailable', message: /cannot be verified/ });
    assert.equal(forwarder.forwardedClientOf(one), undefined);
  }
  assert.equal(warned.mock.callCount(), 1);
  assert.deepEqual(warned.mock.calls[0]!.arguments[0], {
    from: '10.0.0.2',
    problem: 'It is not signed by a server that has the same cipher key.',
  });
  const direct = { headers: {} } as IncomingMessage;
  assert.doesNotThrow(() => forwarder.mustBeTrusted(direct));
  assert.equal(forwarder.forwardedClientOf(direct), undefined);
});

test('a request that was trusted when it came stays so, however long its body takes', () => {
  const long = signedBy(cipher, now);
  assert.deepEqual(forwarder.forwardedClientOf(long), CLIENT);
  now += 3_600_000;
  assert.deepEqual(forwarder.forwardedClientOf(long), CLIENT);
});

test('the server that does the work answers a request that was forwarded; while the work moves, it is refused', () => {
  const plain = { headers: {} } as IncomingMessage;
  const forwarded = { headers: { 'x-svc-handed-on': 'x' } } as unknown as IncomingMessage;
  assert.equal(forwarder.mustForward(plain), true);
  assert.throws(() => forwarder.mustForward(forwarded), /moving to another server/);
  isKeeper = true;
  assert.equal(forwarder.mustForward(forwarded), false);
  isKeeper = false;
});

test('a server that cannot know who does the work says so, and not that the work moves', async () => {
  obstacle = 'The database is away.';
  const forwarded = { headers: { 'x-svc-handed-on': 'x' } } as unknown as IncomingMessage;
  assert.throws(() => forwarder.mustForward(forwarded), /^Error: The database is away\.$/);
  const working = keeperUrl;
  keeperUrl = 'http://127.0.0.1:1';
  const reply = await ask('/api/backups');
  assert.deepEqual([reply.status, reply.text], [503, 'The database is away.']);
  keeperUrl = working;
  obstacle = undefined;
});

test('a server that cannot be reached is reported as a refusal to be tried again', async () => {
  const working = keeperUrl;
  keeperUrl = 'http://127.0.0.1:1';
  const reply = await ask('/api/backups');
  assert.equal(reply.status, 503);
  assert.match(reply.text, /Try again in a moment/);
  keeperUrl = working;
});

test('a server that is lost after it got the request: a change may have been made, and a read is tried again', async () => {
  const lost = createServer((incoming) => incoming.socket.destroy()).listen(0, '127.0.0.1');
  await once(lost, 'listening');
  const working = keeperUrl;
  keeperUrl = urlOf(lost);
  const changing = await ask('/api/backups');
  assert.equal(changing.status, 504);
  assert.match(changing.text, /It is not known whether it was done\. Look before you try again\./);
  assert.equal((await ask('/api/backups', {}, '', 'GET')).status, 503);
  keeperUrl = working;
  lost.close();
});

test('a server that hangs is given up as soon as another does the work', async () => {
  let arrived = () => {};
  const arrival = new Promise<void>((resolve) => (arrived = resolve));
  const hanging = createServer(() => arrived()).listen(0, '127.0.0.1');
  await once(hanging, 'listening');
  const working = keeperUrl;
  keeperUrl = urlOf(hanging);
  const asked = ask('/api/backups');
  await arrival;
  forwarder.giveUpElsewhere();
  keeperUrl = working;
  forwarder.giveUpElsewhere();
  assert.equal((await asked).status, 504);
  hanging.close();
});
