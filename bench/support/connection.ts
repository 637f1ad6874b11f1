// One keep-alive connection that sends ready-made requests: less work for each than any HTTP client, so that the server is measured.
import { connect, type Socket } from 'node:net';

const END_OF_HEAD = Buffer.from('\r\n\r\n');
const STATUS_AT = 9;
const CONTENT_LENGTH = /\r\ncontent-length: *(\d+)/i;
const NOTHING = Buffer.alloc(0);

export interface RequestLine {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export class Connection {
  readonly #socket: Socket;
  readonly #host: string;
  /** The beginning of the answer under way, until its head is whole. */
  #received: Buffer = NOTHING;
  /** Bytes that are still to come, known once the head is there. */
  #wanted: number | undefined;
  #status = 0;
  #waiting: { readonly resolve: (status: number) => void; readonly reject: (failure: Error) => void } | undefined;

  private constructor(socket: Socket, host: string) {
    this.#socket = socket;
    this.#host = host;
    socket.setNoDelay(true);
    socket.on('data', (chunk: Buffer) => this.#take(chunk));
    socket.on('error', (failure) => this.#fail(failure));
    socket.on('close', () => this.#fail(new Error('The server closed the connection.')));
  }

  static open(url: string): Promise<Connection> {
    const { hostname, port, host } = new URL(url);
    return new Promise((resolve, reject) => {
      const socket = connect(Number(port), hostname);
      socket.once('error', reject);
      socket.once('connect', () => {
        socket.off('error', reject);
        resolve(new Connection(socket, host));
      });
    });
  }

  /** The bytes of a request to this server. */
  compose({ method, path, headers, body = '' }: RequestLine): string {
    const lines = [`${method} ${path} HTTP/1.1`, `Host: ${this.#host}`];
    for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`);
    if (body !== '') lines.push('Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`);
    return `${lines.join('\r\n')}\r\n\r\n${body}`;
  }

  /** Sends a composed request, waits for the whole answer and returns its status. */
  send(request: string): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
      this.#socket.write(request);
    });
  }

  close(): void {
    this.#waiting = undefined;
    this.#socket.destroy();
  }

  #take(chunk: Buffer): void {
    if (this.#wanted === undefined) {
      this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk]);
      const headEnd = this.#received.indexOf(END_OF_HEAD);
      if (headEnd < 0) return;
      const [, length = '0'] = CONTENT_LENGTH.exec(this.#received.toString('latin1', 0, headEnd)) ?? [];
      this.#status = Number(this.#received.toString('latin1', STATUS_AT, STATUS_AT + 3));
      this.#wanted = headEnd + END_OF_HEAD.length + Number(length) - this.#received.length;
      this.#received = NOTHING;
    } else {
      this.#wanted -= chunk.length;
    }
    if (this.#wanted > 0) return;
    const { resolve } = this.#waiting!;
    this.#wanted = undefined;
    this.#waiting = undefined;
    resolve(this.#status);
  }

  #fail(failure: Error): void {
    this.#waiting?.reject(failure);
    this.#waiting = undefined;
  }
}

export async function openConnections(url: string, count: number): Promise<Connection[]> {
  return Promise.all(Array.from({ length: count }, () => Connection.open(url)));
}
