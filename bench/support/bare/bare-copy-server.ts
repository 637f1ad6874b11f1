// A bare server that takes a file and gives it: an upload is on disk before it is answered, and nothing is checked.
import { createReadStream, createWriteStream } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { COPY_BYTES } from './bare-copy.ts';

const [root = ''] = process.argv.slice(2);

const server = createServer((request, response) => {
  const file = join(root, 'copy');
  const done =
    request.method === 'PUT'
      ? pipeline(request, createWriteStream(file, { highWaterMark: COPY_BYTES, flush: true })).then(() => void response.end())
      : pipeline(createReadStream(file, { highWaterMark: COPY_BYTES }), response);
  done.catch((failure: Error) => response.destroy(failure));
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`ready at http://127.0.0.1:${(server.address() as AddressInfo).port}\n`));
