// A request to the test server, and its reply.
import type { HttpHeaders } from './http-client.ts';

export interface Reply {
  readonly status: number;
  readonly headers: HttpHeaders;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly json: any;
  readonly etag: string | undefined;
}

export interface Ask {
  readonly accept?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** A body that is not JSON made from an object. */
  readonly text?: string;
  readonly as?: string;
}
