// Content that is read slowly, over a connection that others use meanwhile.
import assert from 'node:assert/strict';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { contentOf, releasePiece } from './answer-content.ts';
import { ServerClient } from './server-client.ts';

test('later answers over the same connection are left alone', async (context) => {
  let connections = 0;
  const large = Buffer.alloc(300_000, 'large ');
  const server = createServer((request, response) => response.end(request.url === '/large' ? large : JSON.stringify({ url: request.url })));
  server.on('connection', () => connections++);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const client = new ServerClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  context.after(() => {
    client.close();
    server.close();
  });
  const open = (path: string): Promise<IncomingMessage> => client.open({ method: 'GET', path });

  for (let turn = 0; turn < 5; turn++) {
    const pieces: Buffer[] = [];
    for await (const piece of contentOf(await open('/large'))) {
      pieces.push(Buffer.from(piece));
      releasePiece(piece);
      // The reader asks for no more, though the content may be at its end.
      await wait(5);
      if (Buffer.concat(pieces).length === large.length)
        for (let index = 0; index < 3; index++) {
          const answer = await client.send({ method: 'GET', path: `/${index}` });
          assert.deepEqual([answer.status, answer.body], [200, `{"url":"/${index}"}`]);
        }
    }
    assert.ok(Buffer.concat(pieces).equals(large));
  }
  assert.equal(connections, 1);
});
