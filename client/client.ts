// A client of the server: one call for each operation of the API, checked by its types.
import { ApiFailure, failureOf } from './failure.ts';
import type { Operations } from './generated/operations.ts';
import { type Method, prepareRequest, type RequestOptions } from './request.ts';

export interface ClientOptions {
  /** The address of the server, with its context path if it has one: `https://cd.example.org`. */
  readonly url: string;
  /** An access token. */
  readonly token?: string;
  /** A name and a password, where there is no token. */
  readonly user?: string;
  readonly password?: string;
  /** Used instead of the usual one: behind a proxy, or in a test. */
  readonly fetch?: typeof fetch;
}

export type OperationName = keyof Operations;

/** The parts of an operation that have to be given, or may be. */
type PartsOf<O> = (O extends { readonly path: infer P } ? { readonly path: P } : unknown) &
  (O extends { readonly query: infer Q } ? { readonly query?: Q } : unknown) &
  (O extends { readonly body: infer B } ? { readonly body: B } : unknown) &
  (O extends { readonly optionalBody: infer B } ? { readonly body?: B } : unknown) &
  (O extends { readonly version: infer V } ? { readonly version: V } : unknown) &
  (O extends { readonly ifMatch: 'required' } ? { readonly ifMatch: string } : unknown);

export type CallOptions<N extends OperationName> = PartsOf<Operations[N]> &
  Pick<RequestOptions, 'ifMatch' | 'reason' | 'isMerged' | 'signal'>;

export interface Answer<T> {
  readonly body: T;
  readonly status: number;
  /** By which a later change says what it is based on. */
  readonly etag: string | undefined;
  /** The revision of the configuration that a change has made. */
  readonly revision: number | undefined;
  readonly headers: Headers;
}

export type AnswerOf<N extends OperationName> = Operations[N]['answer'];

/** What the types above make of one call; the code below knows no operation by name. */
interface AnyCall extends RequestOptions {
  readonly path?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, unknown>>;
}

export class Client {
  readonly #url: string;
  readonly #authorization: string | undefined;
  readonly #fetch: typeof fetch;

  constructor({ url, token, user, password, fetch: given }: ClientOptions) {
    this.#url = url.replace(/\/+$/, '');
    if (token !== undefined) this.#authorization = `Bearer ${token}`;
    else if (user !== undefined) this.#authorization = `Basic ${base64(`${user}:${password ?? ''}`)}`;
    this.#fetch = given ?? fetch;
  }

  /** An operation by its method and path, as the documentation has them: `GET /api/agents/{uuid}`. */
  async call<N extends OperationName>(operation: N, options: CallOptions<N>): Promise<Answer<AnswerOf<N>>> {
    const { path, query, ...others }: AnyCall = options;
    const [method, template] = operation.split(' ') as [Method, string];
    const response = await this.request(addressOf(template, path, query), { ...others, method });
    const revision = response.headers.get('X-Svc-Revision');
    return {
      body: await bodyOf(response),
      status: response.status,
      etag: response.headers.get('ETag') ?? undefined,
      revision: revision === null ? undefined : Number(revision),
      headers: response.headers,
    };
  }

  /** Any request: for files, streams, and whatever is no JSON. Refusals are thrown as `ApiFailure`. */
  async request(address: string, options: RequestOptions = {}): Promise<Response> {
    const request = prepareRequest(options);
    if (this.#authorization !== undefined) request.headers.set('Authorization', this.#authorization);
    const response = await this.#fetch(this.#url + address, request).catch((failure: unknown) => {
      if (options.signal?.aborted) throw failure;
      throw new ApiFailure(0, `${this.#url} cannot be reached: ${reasonOf(failure)}`);
    });
    if (!response.ok) throw await failureOf(response);
    return response;
  }
}

function addressOf(template: string, path: AnyCall['path'] = {}, query: AnyCall['query'] = {}): string {
  const address = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? ''));
  const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
  return given.length === 0 ? address : `${address}?${new URLSearchParams(given)}`;
}

/** Some answers have no body, and some are text. The types say which. */
async function bodyOf<T>(response: Response): Promise<T> {
  const text = await response.text();
  const isJson = /[/+]json\b/.test(response.headers.get('Content-Type') ?? '');
  return (text === '' ? undefined : isJson ? JSON.parse(text) : text) as T;
}

function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}

/** `fetch` tells the cause apart from the failure. */
function reasonOf(failure: unknown): string {
  if (!(failure instanceof Error)) return String(failure);
  return failure.cause instanceof Error ? failure.cause.message : failure.message;
}
