// A server that answers 504 to a change does not know whether it was made: the command line says so, and so does its exit code.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { slipway } from '../support/server/command-line.ts';

let server: Server;
let environment: Record<string, string>;
let status = 504;

before(async () => {
  server = createServer((request, response) => {
    request.resume();
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify({ message: 'It is not known.' }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  environment = { SLIPWAY_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, SLIPWAY_TOKEN: 'mine' };
});
after(() => server.close());

test('504 has an exit code of its own, and the message says that the outcome is unknown', async () => {
  status = 504;
  const { status: code, err } = await slipway(['token', 'revoke', '7'], { environment });
  assert.equal(code, 7);
  assert.match(err, /^http:\S+ does not know whether this was done: It is not known\. \(504\) Look before you do it again\.\n$/);
});

test('503 has the exit code of a server that cannot be reached now', async () => {
  status = 503;
  const { status: code, err } = await slipway(['token', 'revoke', '7'], { environment });
  assert.equal(code, 6);
  assert.match(err, /refused: .* \(503\)\n$/);
});
