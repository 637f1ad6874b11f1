// Requests that another server keeps waiting do not keep this one from stopping.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, createServer, get, type IncomingMessage, type Server } from 'node:http';
import { Agent as SecureAgent } from 'node:https';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { pino } from 'pino';
import { RequestForwarder } from '../../../src/api/http/forward-request.ts';
import { Scope } from '../../../src/kit/telemetry/scope.ts';

const CLIENT = { address: '203.0.113.9', base: 'https://cd.example.org', requestId: 'run-1', scope: new Scope({}) };
const agent = new Agent();

/** Says at once that it has a stream or a file, and never ends it; answers nothing else. */
const keeper = createServer((incoming, response) => {
  const type = { '/stream': 'text/event-stream', '/file': 'application/zip' }[incoming.url!];
  if (type) response.writeHead(200, { 'Content-Type': type }).write('begun');
  keeper.emit('heard');
});
let front: Server;
let forwarder: RequestForwarder;

before(async () => {
  keeper.listen(0, '127.0.0.1');
  await once(keeper, 'listening');
  forwarder = new RequestForwarder({
    isKeeper: () => false,
    url: () => urlOf(keeper),
    obstacle: () => undefined,
    sign: () => 'signed',
    now: () => 0,
    agent,
    secureAgent: new SecureAgent(),
    log: pino({ level: 'silent' }),
  });
  front = createServer((incoming, response) =>
    forwarder.forward(incoming, response, CLIENT, {
      onFailure: (failure) => response.writeHead(503).end(failure.message),
      isHeld: incoming.url === '/poll',
    }),
  );
  front.listen(0, '127.0.0.1');
  await once(front, 'listening');
});
after(() => {
  agent.destroy();
  for (const server of [keeper, front]) {
    server.closeAllConnections();
    server.close();
  }
});

function urlOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function begin(path: string): Promise<IncomingMessage> {
  const [answer] = await once(get(urlOf(front) + path), 'response');
  return answer;
}

async function textOf(answer: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of answer) text += chunk;
  return text;
}

test('polls are refused and streams end when this server stops; downloads go on', async () => {
  const heard = once(keeper, 'heard');
  const poll = begin('/poll');
  await heard;
  const [stream, file] = [await begin('/stream'), await begin('/file')];
  file.resume();
  forwarder.endHeld();
  const refused = await poll;
  assert.deepEqual([refused.statusCode, await textOf(refused)], [503, 'The server is about to stop. Try again in a moment.']);
  assert.equal(await textOf(stream), 'begun');
  assert.equal(file.destroyed || file.complete, false);
  file.destroy();
});

test('a poll that comes while the server stops is refused', async () => {
  const late = await begin('/poll');
  late.resume();
  assert.equal(late.statusCode, 503);
});
