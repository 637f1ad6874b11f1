// A request as it is made from the API's description, before and after it is mutated.
import type { Random } from './random.ts';

export interface Schema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

export interface Operation {
  readonly method: string;
  readonly path: string;
  /** The id that the path names where the example of its collection was created. */
  readonly id: string;
  readonly example: unknown;
  readonly schema: Schema;
}

/** The administrator, by token and by password. */
export interface Credentials {
  readonly bearer: string;
  readonly basic: string;
}

export interface Draft {
  method: string;
  path: string;
  query: string;
  headers: [name: string, value: string][];
  /** The schema that the body should have. */
  schema: Schema;
  json: unknown;
  /** Sent instead of `json`. */
  text: Buffer | undefined;
  framing: 'length' | 'chunked';
  /** Ends before its announced length. */
  isCutShort: boolean;
  about: string;
}

interface OpenApiOperation {
  readonly requestBody?: { readonly content: { readonly 'application/json'?: { readonly example: unknown; readonly schema: Schema } } };
  readonly 'x-protocol'?: string;
}

/** Operations that are not sent, and why. */
const SKIPPED: Readonly<Record<string, string>> = {
  'POST /api/admin/maintenance_mode/enable': 'everything else would be refused from then on',
  'GET /api/admin/maintenance_mode/wait': 'it waits',
  'POST /api/backups': 'hundreds of backups would fill the disk, one after the other',
  'POST /api/config/mailserver/test': 'it would look for mail servers that do not exist',
};

export function operationsOf(description: { readonly paths: Record<string, Record<string, OpenApiOperation>> }): Operation[] {
  return Object.entries(description.paths).flatMap(([path, methods]) => {
    const collection = description.paths[path.slice(0, path.indexOf('/{'))];
    const id = idIn(collection?.post?.requestBody?.content['application/json']?.example);
    return Object.entries(methods).flatMap(([method, { requestBody, 'x-protocol': protocol }]) => {
      const { example, schema = {} } = requestBody?.content['application/json'] ?? {};
      // Programs with a protocol of their own do not speak JSON.
      if (protocol !== undefined || `${method.toUpperCase()} ${path}` in SKIPPED) return [];
      return [{ method: method.toUpperCase(), path, id, example, schema }];
    });
  });
}

function idIn(example: unknown): string {
  const { id, repo_id, name, login_name } = (example ?? {}) as Readonly<Record<string, unknown>>;
  return String(id ?? repo_id ?? name ?? login_name ?? SOME_TOKEN);
}

/** A write here could lock the test out, so these are dry runs: the first value of a query parameter counts. */
export const DRY_RUN_ONLY = '/api/admin/security/';
/** The id of a token that is not the first one, which these tests use themselves. */
const SOME_TOKEN = '2';

export function randomDraft(operation: Operation, credentials: Credentials, random: Random): Draft {
  // Passwords are slow to check, so they come only now and then.
  const asked = random.below(4) === 0 ? credentials : { ...credentials, basic: credentials.bearer };
  return draftFor({ ...operation, id: random.below(4) === 0 ? 'nobody' : operation.id }, asked);
}

export function draftFor({ method, path, id, example, schema }: Operation, credentials: Credentials): Draft {
  const draft = plainDraft(method, path.replace(/\{\w+\}/g, id), credentials.bearer);
  if (path.startsWith(DRY_RUN_ONLY) && method !== 'GET') draft.query = '?dry_run=true';
  if (method === 'PUT') setHeader(draft, 'If-Match', '*');
  // Tokens may not manage tokens.
  if (path.includes('access_tokens')) setHeader(draft, 'Authorization', credentials.basic);
  return { ...draft, schema, json: structuredClone(example) };
}

export function plainDraft(method: string, path: string, authorization: string): Draft {
  const headers: [string, string][] = [
    ['Host', 'hostile.example'],
    ['Connection', 'close'],
    ['Authorization', authorization],
    ['Accept', 'application/vnd.svc+json'],
    ['Content-Type', 'application/json'],
  ];
  return {
    method,
    path,
    query: '',
    headers,
    schema: {},
    json: undefined,
    text: undefined,
    framing: 'length',
    isCutShort: false,
    about: '',
  };
}

export function setHeader({ headers }: Draft, name: string, value: string): void {
  const known = headers.find(([one]) => one === name);
  if (known) known[1] = value;
  else headers.push([name, value]);
}

export function bytesOf(draft: Draft): Buffer {
  const { method, path, query, headers, json, framing, isCutShort } = draft;
  const body = draft.text ?? (json === undefined ? undefined : Buffer.from(JSON.stringify(json)));
  const sent = [...headers];
  if (body)
    sent.push(framing === 'chunked' ? ['Transfer-Encoding', 'chunked'] : ['Content-Length', String(body.length + (isCutShort ? 9 : 0))]);
  const head = Buffer.from(
    `${method} ${path}${query} HTTP/1.1\r\n${sent.map((header) => `${header.join(': ')}\r\n`).join('')}\r\n`,
    'latin1',
  );
  if (!body) return head;
  return Buffer.concat([head, ...(framing === 'chunked' ? inChunks(body, isCutShort) : [body])]);
}

const CHUNK_SIZES = [1, 7, 300, 60_000];

function inChunks(body: Buffer, isCutShort: boolean): Buffer[] {
  const chunks: Buffer[] = [];
  for (let at = 0; at < body.length; ) {
    const chunk = body.subarray(at, at + CHUNK_SIZES[Math.min(chunks.length, CHUNK_SIZES.length - 1)]!);
    chunks.push(Buffer.from(`${chunk.length.toString(16)};odd="extension"\r\n`), chunk, Buffer.from('\r\n'));
    at += chunk.length;
  }
  return isCutShort ? chunks : [...chunks, Buffer.from('0\r\n\r\n')];
}
