// Requests and answers as bytes: a client library would repair or refuse most requests of hostile clients.
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { PATIENCE_MS } from '../../support/patience.ts';

export interface Reply {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly text: string;
  readonly isToHead: boolean;
}

export interface ExchangeOptions {
  /** Ends the sending side when everything is sent. */
  readonly hangUp?: boolean;
  /** Resets the connection when everything is sent. */
  readonly reset?: boolean;
  /** Leaves after this many answers. */
  readonly maxReplies?: number;
  readonly timeoutMs?: number;
}

export function exchange(
  port: number,
  bytes: Buffer,
  { hangUp, reset, maxReplies, timeoutMs = PATIENCE_MS }: ExchangeOptions = {},
): Promise<readonly Reply[]> {
  return new Promise((resolve, reject) => {
    const received: Buffer[] = [];
    const socket = connect(port, '127.0.0.1');
    const timer = setTimeout(() => {
      socket.destroy();
      reject(new Error(`no end of the answer within ${timeoutMs} ms to: ${shown(bytes)}\nso far: ${Buffer.concat(received)}`));
    }, timeoutMs);
    socket.on('data', (chunk: Buffer) => {
      received.push(chunk);
      if (maxReplies !== undefined && parseReplies(Buffer.concat(received), bytes).length >= maxReplies) socket.destroy();
    });
    // The server may close while we still send; its answer before that counts.
    socket.on('error', () => {});
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(parseReplies(Buffer.concat(received), bytes));
    });
    socket.write(bytes, () => {
      if (hangUp) socket.end();
      if (reset) socket.resetAndDestroy();
    });
  });
}

function parseReplies(bytes: Buffer, asked: Buffer): Reply[] {
  const isToHead = asked.subarray(0, 5).toString() === 'HEAD ';
  const replies: Reply[] = [];
  for (let rest = bytes; rest.length > 0; ) {
    const end = rest.indexOf('\r\n\r\n');
    if (end < 0) break;
    const [statusLine = '', ...lines] = rest.subarray(0, end).toString('latin1').split('\r\n');
    const headers = new Map(
      lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
    );
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1]);
    assert.ok(status, `not an answer: ${shown(rest)}`);
    const body = rest.subarray(end + 4);
    const length = isToHead || status === 304 || status < 200 ? 0 : Number(headers.get('content-length') ?? body.length);
    if (body.length < length) break;
    if (status >= 200) replies.push({ status, headers, text: body.subarray(0, length).toString('utf8'), isToHead });
    rest = body.subarray(length);
  }
  return replies;
}

/** The beginning of a message, for people. */
export function shown(bytes: Buffer): string {
  return JSON.stringify(bytes.subarray(0, 600).toString('latin1'));
}
