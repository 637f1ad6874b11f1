// Hostile input: thousands of requests made from the API's own description and bent in many ways; none may harm the server.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { PATIENCE_MS } from '../support/patience.ts';
import { basic } from '../support/requests/basic.ts';
import { OF_THIS_START } from '../support/requests/walk.ts';
import { type ServerProcess, startProcess } from '../support/server/server-process.ts';
import { until } from '../support/until.ts';
import {
  bytesOf,
  type Credentials,
  type Draft,
  type Operation,
  operationsOf,
  plainDraft,
  randomDraft,
  setHeader,
} from './hostile/draft.ts';
import { type ExchangeOptions, exchange, type Reply, shown } from './hostile/exchange.ts';
import { largeBodies, MAX_BODY_BYTES } from './hostile/large-bodies.ts';
import { malformedRequests } from './hostile/malformed-requests.ts';
import { MUTATIONS } from './hostile/mutations.ts';
import { draftsWithOddValues } from './hostile/odd-values.ts';
import { seededRandom } from './hostile/random.ts';
import { MARKER, secretBodies } from './hostile/secrets.ts';

const SEED = Number(process.env.TEST_SEED ?? 20_260_801);
const REQUESTS = Number(process.env.TEST_REQUESTS ?? 300);
const REQUESTS_AT_A_TIME = 8;
const MAX_GROWTH_BYTES = 150 * 1024 * 1024;
const MAX_HELD_BYTES = 50 * 1024 * 1024;
const MAX_COLLECTIONS = 50;
/** The limit for the most expensive body, as a multiple of a body that is only large. */
const MAX_TIMES_BASELINE = 10;
/** Each of them is encrypted when it is stored, and once more when it is shown. */
const MAX_TIMES_BASELINE_SECRETS = 25;
const PASSWORD = 'secret';
const TOO_MANY = 429;
/** Fields that depend on the moment, not on the stored state: the last use of a token, whether a repository is being polled just now. */
const VOLATILE_FIELDS: ReadonlySet<string> = new Set([
  'agent_state',
  'build_state',
  'disk_free_bytes',
  'free_bytes',
  'last_used_at',
  'material_update_in_progress',
  'started_at',
  'time',
]);
const TRACE_OF_CODE = /\bat (?:file:|async |node:|Object\.|new )|node:internal|\.[jt]s:\d+:\d+/;

const dataDir = mkdtempSync(join(tmpdir(), 'slipway-hostile-'));
let server: ServerProcess;
let operations: readonly Operation[];
let credentials: Credentials;
let memoryBefore: Memory;
let slowHeaders: Promise<readonly Reply[]>;

before(async () => {
  server = await startProcess(dataDir, [], PASSWORD);
  // Opened first and looked at last: the server waits for headers longer than most of these tests take.
  slowHeaders = send(Buffer.from('GET /api/version HTTP/1.1\r\nHost: slow\r\nX-Never-Ending: '), { timeoutMs: PATIENCE_MS });
  slowHeaders.catch(() => {}); // its own test awaits it
  operations = operationsOf(JSON.parse((await admin('GET', '/api/openapi.json')).text));
  const token = await admin('POST', '/api/current_user/access_tokens', { description: 'hostile' });
  credentials = { bearer: `Bearer ${JSON.parse(token.text).token}`, basic: basic('admin', PASSWORD) };
  for (const { method, path, example } of operations) if (method === 'POST' && !path.includes('{')) await admin(method, path, example);
  memoryBefore = await memory();
});

after(async () => {
  await server.end('SIGKILL');
  rmSync(dataDir, { recursive: true, force: true });
});

describe('hostile input', () => {
  test(`odd values in every place of every body, ${REQUESTS} of them, are taken or refused properly`, async () => {
    const all = draftsWithOddValues(operations, credentials);
    const random = seededRandom(SEED);
    const drafts = all.filter(() => random.below(all.length) < REQUESTS).map((makeDraft) => makeDraft());
    const statuses = new Set<number>();
    await inParallel(drafts.length, async (index) => {
      const [reply] = await assertProperReplies(drafts[index]!, drafts[index]!.about);
      statuses.add(reply!.status);
    });
    assert.ok(statuses.has(200) && statuses.has(422) && statuses.has(400), [...statuses].join());
  });

  test(`${REQUESTS} bent requests are each answered or refused properly`, async () => {
    assert.ok(operations.length > 20, 'the description names the routes');
    const statuses = new Map<number, number>();
    await inParallel(REQUESTS, async (index) => {
      const random = seededRandom(SEED * 1_000_003 + index);
      const draft = randomDraft(random.pick(operations), credentials, random);
      for (let mutations = random.below(4); mutations > 0; mutations--) random.pick(MUTATIONS)(draft, random);
      const replies = await assertProperReplies(draft, `TEST_SEED=${SEED}, request ${index}`);
      for (const { status } of replies) statuses.set(status, (statuses.get(status) ?? 0) + 1);
    });
    for (const status of [200, 400, 401, 404, 415, 422]) assert.ok(statuses.has(status), `no ${status} among ${[...statuses]}`);
  });

  test('a secret in a request that fails in any way is in no answer', async () => {
    const drafts = operations.flatMap((operation) => (operation.example === undefined ? [] : secretBodies(operation, credentials)));
    assert.ok(drafts.length > 40, `${drafts.length} requests with secrets`);
    for (const draft of drafts) await assertProperReplies(draft, draft.about);
    for (const authorization of [basic('nobody', MARKER), basic(MARKER, 'x'), `Bearer ${MARKER}`, `Basic ${MARKER}`, MARKER]) {
      const draft = plainDraft('GET', '/api/version', credentials.bearer);
      setHeader(draft, 'Authorization', authorization);
      await assertProperReplies(draft, authorization);
    }
  });

  test('a request that is not proper HTTP gets an answer in our form, or none', async () => {
    for (const [name, text] of Object.entries(malformedRequests(credentials.bearer))) {
      const replies = await send(Buffer.from(text, 'latin1'), { hangUp: true });
      // With PostgreSQL a read asks the database first, and this client may have hung up by then.
      const isAnswered = name !== 'CONNECT' && process.env.TEST_DATABASE_URL === undefined;
      if (isAnswered) assert.ok(replies.length > 0, `${name} got no answer`);
      for (const reply of replies) checkReply(reply, name);
      assert.equal(server.child.exitCode, null, `${name} ended the server`);
    }
  });

  test('pipelined requests are answered in order, and garbage after them gets one proper answer', async () => {
    const one = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\n${more}Authorization: ${credentials.bearer}\r\n\r\n`;
    const paths = Array.from({ length: 50 }, (_, index) => (index % 2 === 0 ? '/api/version' : '/api/nowhere'));
    const pipeline = paths.map((path) => one(path)).join('');
    const replies = await send(Buffer.from(pipeline + one('/api/version', 'Connection: close\r\n')));
    assert.deepEqual(
      replies.map((reply) => reply.status),
      [...paths, '/api/version'].map((path) => (path === '/api/version' ? 200 : 404)),
    );
    const disturbed = await send(Buffer.from(`${pipeline}\x00\xff garbage\r\n\r\n`, 'latin1'));
    assert.equal(disturbed.at(-1)?.status, 400);
    for (const reply of [...replies, ...disturbed]) checkReply(reply, 'pipelined');
  });

  test('clients that hang up in the middle leave nothing behind', async () => {
    const random = seededRandom(SEED);
    await inParallel(200, async () => {
      const whole = bytesOf(randomDraft(random.pick(operations), credentials, random));
      await send(whole.subarray(0, 1 + random.below(whole.length)), { reset: true });
    });
    const draft = plainDraft('GET', '/api/version', credentials.bearer);
    assert.equal((await assertProperReplies(draft, 'after hanging up'))[0]!.status, 200);
  });

  test('hostile input leaves the process as small as it was', async () => {
    const growth = (await memory()).resident - memoryBefore.resident;
    assert.ok(growth < MAX_GROWTH_BYTES, `the server grew by ${megabytes(growth)}`);
  });

  test('a body over the limit is refused with 413, however it is sent and however long it goes on', async () => {
    for (const size of [MAX_BODY_BYTES + 1, 3 * MAX_BODY_BYTES]) {
      for (const framing of ['length', 'chunked'] as const) {
        const draft = { ...plainDraft('POST', '/api/admin/environments', credentials.bearer), framing, text: Buffer.alloc(size, 0x20) };
        const [reply] = await assertProperReplies(draft, `${size} bytes, ${framing}`);
        assert.equal(reply!.status, 413);
      }
    }
    const headers = { Authorization: credentials.bearer, 'Content-Type': 'application/json' };
    for (let attempt = 0; attempt < 3; attempt++) {
      const body = Buffer.alloc(5 * MAX_BODY_BYTES, 0x20);
      const response = await fetch(`${server.url}/api/admin/environments`, { method: 'POST', headers, body });
      assert.equal(response.status, 413, 'a usual client sees the answer, not a broken connection');
    }
    const announced = plainDraft('POST', '/api/admin/environments', credentials.bearer);
    const head = bytesOf(announced)
      .toString('latin1')
      .replace('\r\n\r\n', `\r\nContent-Length: ${2 ** 40}\r\n\r\n`);
    const [reply] = await send(Buffer.from(head, 'latin1'), { maxReplies: 1 });
    assert.equal(reply?.status, 413);
  });

  test('large bodies under the limit are answered, and none keeps the server busy for long', async () => {
    const costs = new Map<string, number>();
    for (const [about, method, path, text] of largeBodies()) {
      const draft = { ...plainDraft(method, path, credentials.bearer), text: Buffer.from(text) };
      setHeader(draft, 'If-Match', '*');
      assert.ok(draft.text.length <= MAX_BODY_BYTES, `${about} is over the limit`);
      const before = await processorSeconds();
      await assertProperReplies(draft, about);
      costs.set(about, (await processorSeconds()) - before);
    }
    const baseline = costs.get('many variables')!;
    for (const [about, cost] of costs) {
      const max = about === 'many secrets' ? MAX_TIMES_BASELINE_SECRETS : MAX_TIMES_BASELINE;
      assert.ok(cost < max * baseline, `${about} takes ${cost} s, many variables take ${baseline} s`);
    }
    // Freed memory is collected when more is needed, and the allocator keeps it: what counts is how much is still held then.
    const junk = { ...plainDraft('POST', '/api/admin/environments', credentials.bearer), text: Buffer.alloc(MAX_BODY_BYTES, 0x20) };
    let held = Number.POSITIVE_INFINITY;
    for (let attempt = 0; attempt < MAX_COLLECTIONS && held > MAX_HELD_BYTES; attempt++) {
      await assertProperReplies(junk, 'junk');
      held = (await memory()).held - memoryBefore.held;
    }
    assert.ok(held <= MAX_HELD_BYTES, `the server still holds ${megabytes(held)} more than before`);
  });

  test('headers that never end are given up', async () => {
    const [reply] = await slowHeaders;
    assert.equal(reply?.status, 408);
    checkReply(reply!, 'slow headers');
  });

  test('afterwards the server works as before, has nothing to complain about, and its data can be read', async () => {
    const environment = { name: 'afterwards', environment_variables: [{ name: 'A', value: 'b' }] };
    assert.equal((await admin('POST', '/api/admin/environments', environment)).status, 200);
    assert.equal((await admin('GET', '/api/admin/environments/afterwards')).status, 200);
    assert.equal((await admin('DELETE', '/api/admin/environments/afterwards')).status, 200);

    const storedBefore = await readAll();
    assert.equal(await server.end('SIGTERM'), 0);
    assert.ok(!server.output().includes(MARKER), 'a secret is in the log');
    assert.equal(/^.*"level":"error".*$/m.exec(server.output())?.[0], undefined);
    server = await startProcess(dataDir, [], PASSWORD);
    assert.deepEqual(await readAll(), storedBefore, 'what was stored reads the same after a restart');
  });
});

function send(bytes: Buffer, options?: ExchangeOptions): Promise<readonly Reply[]> {
  return exchange(Number(new URL(server.url).port), bytes, options);
}

async function assertProperReplies(draft: Draft, about: string): Promise<readonly Reply[]> {
  const bytes = bytesOf(draft);
  const replies = await send(bytes, { hangUp: draft.isCutShort });
  const context = `${about}: ${shown(bytes)}`;
  assert.ok(replies.length > 0, `no answer to ${context}`);
  for (const reply of replies) checkReply(reply, context);
  return replies;
}

function checkReply({ status, headers, text, isToHead }: Reply, context: string): void {
  const whole = `${status} ${text.slice(0, 500)}\nto ${context}`;
  assert.ok(status < 500, whole);
  assert.ok(!TRACE_OF_CODE.test(text), `a trace of code: ${whole}`);
  assert.ok(!text.includes(MARKER), `a secret came back: ${whole}`);
  const isJson = headers.get('content-type')?.includes('json');
  if (isToHead || status === 304) return;
  if (status >= 400) assert.ok(isJson, `not JSON: ${whole}`);
  if (!isJson || (text === '' && status < 400)) return;
  const body = parseJson(text, whole) as { readonly message?: unknown };
  if (status >= 400) assert.ok(typeof body.message === 'string' && body.message !== '', `no message: ${whole}`);
}

function parseJson(text: string, context: string): unknown {
  try {
    return JSON.parse(text);
  } catch (failure) {
    throw new Error(`not JSON: ${context}`, { cause: failure });
  }
}

async function admin(method: string, path: string, body?: unknown): Promise<Reply> {
  const draft = plainDraft(method, path, basic('admin', PASSWORD));
  // Among the made-up requests there may have been wrong passwords of this user.
  return until('the user may log in', async () => {
    const [reply] = await send(bytesOf({ ...draft, json: body }));
    return reply!.status !== TOO_MANY && reply!;
  });
}

interface Memory {
  /** The memory of the whole process. */
  readonly resident: number;
  /** The memory of values that are in use, or not collected yet. */
  readonly held: number;
}

async function memory(): Promise<Memory> {
  const metric = await metrics();
  return {
    resident: metric('process_resident_memory_bytes'),
    held: metric('nodejs_heap_size_used_bytes') + metric('nodejs_external_memory_bytes'),
  };
}

async function processorSeconds(): Promise<number> {
  return (await metrics())('process_cpu_seconds_total');
}

async function metrics(): Promise<(name: string) => number> {
  const { text } = await admin('GET', '/metrics');
  return (name) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)![1]);
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 2 ** 20)} MB`;
}

/** The answers of every list and every single resource, without the times that a restart changes. */
async function readAll(): Promise<Record<string, unknown>> {
  const answers: Record<string, unknown> = {};
  // On PostgreSQL, a server that starts again has another name among the servers.
  const leftOut = process.env.TEST_DATABASE_URL ? [...OF_THIS_START, '/api/admin/replicas'] : OF_THIS_START;
  const isKept = (path: string) => !path.includes('{') && path.startsWith('/api/') && !leftOut.includes(path);
  const reads = operations.filter(({ method, path }) => method === 'GET' && isKept(path));
  for (const { path } of reads) {
    const { status, text, headers } = await admin('GET', path);
    if (status === 400 && /is missing parameter/.test(text)) continue;
    assert.ok(status === 200 || status === 404, `GET ${path}: ${status} ${text.slice(0, 200)}`);
    if (!headers.get('content-type')?.includes('json')) continue;
    answers[path] = JSON.parse(text, (key, value) => {
      if (VOLATILE_FIELDS.has(key)) return undefined;
      return Array.isArray(value) ? value.filter((one) => !isOfTokens(one)) : value;
    });
  }
  return answers;
}

/** The health message about tokens that expire soon: it comes when the server starts, and later only by a periodic check. */
function isOfTokens(value: unknown): boolean {
  return /^\d+ access tokens? expires? within /.test(String((value as { readonly message?: unknown } | null)?.message));
}

async function inParallel(count: number, task: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async () => {
    try {
      while (next < count) await task(next++);
    } finally {
      next = count; // one failure is enough
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: REQUESTS_AT_A_TIME }, worker));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}
