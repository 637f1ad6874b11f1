// A raw body as it was before the client compressed it, and not more of it than allowed.
import { Readable } from 'node:stream';
import { createGunzip, type Gunzip } from 'node:zlib';
import { Refusal } from '../../../kit/refusal.ts';
import type { ApiRequest } from '../../engine/route.ts';

export function unpackedBody(request: Pick<ApiRequest, 'raw' | 'header'>, maxBytes: number): Readable {
  const { stream } = request.raw;
  const encoding = (request.header('content-encoding') ?? 'identity').trim().toLowerCase();
  switch (encoding) {
    case 'identity':
      return Readable.from(upTo(maxBytes, stream, stream));
    case 'gzip':
    case 'x-gzip':
      return Readable.from(upTo(maxBytes, gunzipped(stream), stream));
    default:
      throw new Refusal('unsupportedContent', `The request body is compressed with '${encoding.slice(0, 100)}'; only gzip is supported.`);
  }
}

function gunzipped(stream: Readable): Gunzip {
  const gunzip = createGunzip();
  stream.once('error', (failure) => gunzip.destroy(failure));
  return stream.pipe(gunzip);
}

async function* upTo(maxBytes: number, source: Readable, stream: Readable): AsyncGenerator<Buffer> {
  let size = 0;
  try {
    // A destroyed request could not be answered any more.
    for await (const chunk of source.iterator({ destroyOnReturn: source !== stream }) as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > maxBytes) throw new Refusal('tooLarge', `The request body is larger than ${maxBytes} bytes.`);
      yield chunk;
    }
  } catch (failure) {
    throw failure instanceof Refusal ? failure : new Refusal('malformed', `The request body cannot be read: ${(failure as Error).message}`);
  } finally {
    stream.resume();
  }
}
