// A request that only says how much it would send.
import { request as httpRequest } from 'node:http';
import type { Reply } from '../server/server.ts';

export interface HugeBody {
  readonly method: string;
  readonly url: string;
  readonly type: string;
  readonly bytes: number;
  readonly as: string;
}

export function askWithHugeBody({ method, url, type, bytes, as }: HugeBody): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const headers = { Authorization: as, 'Content-Type': type, 'Content-Length': String(bytes) };
    const sent = httpRequest(url, { method, headers }, async (response) => {
      const chunks = await Array.fromAsync(response.take(1));
      const text = Buffer.concat(chunks).toString();
      sent.destroy();
      const replyHeaders = new Headers({ 'content-type': response.headers['content-type'] ?? '' });
      resolve({ status: response.statusCode!, headers: replyHeaders, text, json: JSON.parse(text), etag: undefined });
    });
    sent.on('error', reject);
    sent.flushHeaders();
  });
}
