// One request to a store, with its whole answer: sent to no forbidden address, and redirected nowhere.
import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { guardedConnection } from '../../kit/network/guarded-lookup.ts';
import { TRUSTED } from '../../kit/network/reach.ts';

export interface BucketRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly content: Buffer;
  readonly signal: AbortSignal;
}

export interface BucketAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Answers of stores are a few lines of XML. */
const MAX_ANSWER_BYTES = 1024 * 1024;

/** Only system administrators name the store, so it may be on this machine. */
export function sendToBucket({ method, url, headers, content, signal }: BucketRequest): Promise<BucketAnswer> {
  return new Promise((resolve, reject) => {
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
    const length = method === 'HEAD' ? {} : { 'content-length': String(content.length) };
    const sent = send(url, { method, headers: { ...headers, ...length }, signal, ...guardedConnection(url.hostname, TRUSTED) });
    sent.once('error', reject);
    sent.once('response', (answer) => {
      textOf(answer).then((body) => resolve({ status: answer.statusCode!, headers: answer.headers, text: body }), reject);
    });
    sent.end(method === 'HEAD' ? undefined : content);
  });
}

async function textOf(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_ANSWER_BYTES) throw new Error(`the answer has more than ${MAX_ANSWER_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
