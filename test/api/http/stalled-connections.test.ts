// Answers that the client does not read, over real connections: such as an archive that is made while it is sent.
import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { pipeline, Readable } from 'node:stream';
import { after, before, test } from 'node:test';
import { connect as connectTls } from 'node:tls';
import { closeStalledConnections } from '../../../src/api/http/stalled-connections.ts';
import { zipStream } from '../../../src/kit/zip/zip-stream.ts';
import { type Certificates, makeCertificates } from '../../support/services/certificates.ts';

const EVERY_MS = 50;
const PIECE = Buffer.alloc(64 * 1024);

let certificates: Certificates;
before(async () => {
  certificates = await makeCertificates('DNS:localhost,IP:127.0.0.1');
});
after(() => certificates.remove());

async function* endless() {
  for (;;) yield PIECE;
}

async function* entries() {
  yield { name: 'large', content: endless() };
}

for (const scheme of ['http', 'https'] as const) {
  test(`an archive over ${scheme} that is never read is ended, and its source is closed`, async (t) => {
    const ended = Promise.withResolvers<unknown>();
    const handle: RequestListener = (_, response) => {
      const body = Readable.from(zipStream(entries(), new Date(0)), { objectMode: false });
      pipeline(body, response, (failure) => ended.resolve(failure));
    };
    const server = scheme === 'http' ? createServer(handle) : createTlsServer({ cert: certificates.cert, key: certificates.key }, handle);
    closeStalledConnections(server, EVERY_MS);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const client: Socket =
      scheme === 'http' ? connect(port, '127.0.0.1') : connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false });
    client.on('error', () => {}); // it is reset
    client.pause();
    t.after(() => {
      client.destroy();
      server.close();
    });
    client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    assert.match(String(await ended.promise), /Premature close/i);
  });
}
