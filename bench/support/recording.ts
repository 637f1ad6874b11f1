// Takes down one real answer, so that a bare server can send the same bytes.
import { request } from 'node:http';
import type { RequestLine } from './connection.ts';

export interface Recording {
  readonly status: number;
  /** Name, value, name, value … in the order they came. */
  readonly headers: readonly string[];
  readonly body: string;
  readonly keepAliveSeconds: number;
}

/** node:http writes these by itself. */
const WRITTEN_BY_NODE = new Set(['date', 'connection', 'keep-alive']);

export async function record(url: string, request: RequestLine, status: number): Promise<Recording> {
  const recording = await ask(url, request);
  if (recording.status === status) return recording;
  throw new Error(`${request.method} ${request.path}: expected ${status}, got ${recording.status} ${recording.body}`);
}

function ask(url: string, { method, path, headers, body = '' }: RequestLine): Promise<Recording> {
  return new Promise((resolve, reject) => {
    const type = body === '' ? {} : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) };
    const outgoing = request(url + path, { method, headers: { ...headers, ...type, Connection: 'keep-alive' }, agent: false }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () => {
        const [, seconds = '5'] = /timeout=(\d+)/.exec(String(answer.headers['keep-alive'])) ?? [];
        resolve({
          status: answer.statusCode!,
          headers: keptHeaders(answer.rawHeaders),
          body: Buffer.concat(chunks).toString('utf8'),
          keepAliveSeconds: Number(seconds),
        });
        outgoing.destroy();
      });
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

function keptHeaders(raw: readonly string[]): string[] {
  const kept: string[] = [];
  for (let at = 0; at < raw.length; at += 2) if (!WRITTEN_BY_NODE.has(raw[at]!.toLowerCase())) kept.push(raw[at]!, raw[at + 1]!);
  return kept;
}
