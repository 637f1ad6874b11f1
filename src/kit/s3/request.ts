// One request to a store, redirected nowhere.
import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { tracedCall } from '../telemetry/scope.ts';

export interface StoreRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly content: Buffer;
  readonly signal: AbortSignal;
  /** Options of the connection to a host. */
  readonly connection?: (host: string) => RequestOptions;
  /** Time limit without any data from the store. */
  readonly silenceMs?: number;
}

/** The answer before its content, which the caller reads to its end or destroys. */
export function openRequest(request: StoreRequest): Promise<IncomingMessage> {
  const { method, url } = request;
  const attributes = { 'http.request.method': method, 'server.address': url.hostname, 'slipway.peer': 'object store' };
  return tracedCall(
    method,
    attributes,
    (trace) => open({ ...request, headers: { ...request.headers, ...trace } }),
    ({ statusCode }) => statusCode,
  );
}

function open({ method, url, headers, content, signal, connection, silenceMs }: StoreRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
    const hasContent = method !== 'HEAD' && method !== 'GET';
    const length = hasContent ? { 'content-length': String(content.length) } : {};
    const sent = send(url, { method, headers: { ...headers, ...length }, signal, timeout: silenceMs, ...connection?.(url.hostname) });
    sent.on('error', reject);
    sent.once('timeout', () => sent.destroy(new Error(`there was no answer for ${silenceMs! / 1000} s`)));
    sent.once('response', resolve);
    sent.end(hasContent ? content : undefined);
  });
}

export async function textOf(answer: IncomingMessage, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new Error(`the answer has more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
