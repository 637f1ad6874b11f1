// Consoles over HTTP: read, followed, and sent by agents.
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { connect } from 'node:net';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { type ConsoleRouteParts, consoleRoutes } from '../../../src/api/endpoints/consoles/routes.ts';
import type { JobIdentifier } from '../../../src/artifacts/stage-run.ts';
import type { Consoles } from '../../../src/builds/console/consoles.ts';
import { MAX_CONSOLE_CHUNK } from '../../../src/contracts/agent-protocol/messages.ts';
import { Refusal } from '../../../src/kit/refusal.ts';
import { ConsoleLab } from '../../builds/console-lab.ts';
import { StreamReader } from '../../events/stream-reader.ts';
import { givePassword } from '../../support/requests/callers.ts';
import { OpenApi } from '../../support/requests/openapi.ts';
import { ADMIN_PASSWORD, type Ask, basic, TestServer } from '../../support/server/server.ts';
import { until } from '../../support/until.ts';

const JOB = '/up42/7/build/1/compile';
const LINES = `/api/jobs${JOB}/console`;
const FILE = `/files${JOB}/cruise-output/console.log`;
const PUT = '/agent/v1/jobs/42/console';
const TOKEN = 'Bearer token-of-the-agent';
const TEXT = '##|09:30:00.123 [Slipway] Start\n&1|09:30:01.000 hello\nplain\n';
const LAST = { line: 2, time: null, tag: null, text: 'plain' };

const lab = new ConsoleLab();
const stopping = new AbortController();
let consoles: Consoles;
let server: TestServer;
let viewer: string;
let stranger: string;
let isActive: boolean;
let isStillAllowed: boolean;
let group: string;
let counter = 0;
let identifier: JobIdentifier;
let failure: NodeJS.ErrnoException | undefined;

const parts: Omit<ConsoleRouteParts, 'consoles'> = {
  jobs: {
    find: async ({ pipeline, pipelineCounter, stage, stageCounter, job }) => {
      const isIt = pipeline.toLowerCase() === 'up42' && stage === 'build' && job === 'compile';
      const isRun =
        (pipelineCounter === 7 || pipelineCounter === identifier.pipelineCounter || pipelineCounter === 'latest') &&
        [1, 'latest'].includes(stageCounter);
      return isIt && isRun ? { id: 42, identifier, group: 'first', isActive, isPurged: false } : undefined;
    },
    groupOf: (pipeline) => (pipeline.toLowerCase() === 'up42' ? group : undefined),
  },
  access: {
    mayView: ({ loginName }, { group }) => group === 'first' && ['admin', 'vera'].includes(loginName),
    passes: ({ loginName }) => loginName === 'admin',
  },
  isStillAllowed: () => isStillAllowed,
  agentOf: (request) => {
    if (request.header('authorization') === TOKEN) return { uuid: 'agent-1' };
    throw new Refusal('unauthenticated', 'You are not authenticated!');
  },
  ownerOf: async (job, epoch, uuid) => (job === 42 && epoch === 1 && uuid === 'agent-1' ? { identifier, since: 0 } : undefined),
  stopping: stopping.signal,
  streams: { heartbeatMs: 100, maxClients: 3 },
};

before(async () => {
  consoles = lab.open();
  const failing = new Proxy(consoles, {
    get: (target, name) => {
      if (name === 'append' && failure) return () => Promise.reject(failure);
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  server = await TestServer.start({}, { routes: consoleRoutes({ ...parts, consoles: failing }) });
  viewer = givePassword(server, 'vera');
  stranger = givePassword(server, 'eve');
});
after(async () => {
  await server.stop();
  await lab.close();
});
beforeEach(() => {
  isActive = true;
  isStillAllowed = true;
  group = 'first';
  failure = undefined;
  // Each test has a console of its own behind the same address.
  identifier = { pipeline: 'up42', pipelineCounter: 100 + ++counter, stage: 'build', stageCounter: 1, job: 'compile' };
});

const print = (text: string, offset = 0) => consoles.append(identifier, 1, offset, Buffer.from(text));
const objects = (text: string) =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line): unknown => JSON.parse(line));
const getPlain = async (path: string, ask: Ask = {}) => {
  const { status, text, headers, etag } = await server.get(path, {
    accept: null,
    ...ask,
    headers: { Accept: 'text/plain', ...ask.headers },
  });
  return { status, text, type: headers.get('content-type'), etag };
};
/** Reads lines as JSON lines: the client of tests would take the answer for one object. */
const linesFrom = async (path: string, as = basic('admin', ADMIN_PASSWORD)) => {
  const answer = await fetch(server.url + path, { headers: { Accept: 'application/vnd.svc.v1+json', Authorization: as } });
  return { status: answer.status, type: answer.headers.get('content-type'), etag: answer.headers.get('etag'), text: await answer.text() };
};

describe('the lines', () => {
  test('are objects, one on each line, from a line on', async () => {
    await print(TEXT);
    const { status, type, text } = await linesFrom(LINES);
    assert.equal(status, 200);
    assert.match(type!, /^application\/vnd\.svc\.v1\+json/);
    assert.deepEqual(objects(text), [
      { line: 0, time: '09:30:00.123', tag: '##', text: '[Slipway] Start' },
      { line: 1, time: '09:30:01.000', tag: '&1', text: 'hello' },
      LAST,
    ]);
    assert.deepEqual(objects((await linesFrom(`${LINES}?from=2`)).text), [LAST]);
    assert.deepEqual(objects((await linesFrom(`${LINES}?from=3`)).text), []);
    assert.deepEqual(objects((await linesFrom(`${LINES.replace('/7/', '/latest/')}?from=2`)).text), [LAST]);
  });

  test('show an incomplete last line only when the job is completed', async () => {
    await print('zero\nhalf');
    assert.equal(objects((await linesFrom(LINES)).text).length, 1);
    isActive = false;
    assert.equal(objects((await linesFrom(LINES)).text).length, 2);
  });

  test('are none if an active job has printed nothing', async () => {
    assert.deepEqual(await linesFrom(LINES).then(({ status, text }) => ({ status, text })), { status: 200, text: '' });
  });

  test('need not be sent again', async () => {
    await print(TEXT);
    const { etag } = await linesFrom(LINES);
    const headers = { 'If-None-Match': etag! };
    assert.equal((await server.get(LINES, { headers })).status, 304);
    await print('more\n', TEXT.length);
    assert.notEqual((await linesFrom(LINES)).etag, etag);
  });

  test('are refused for a missing job or a wrong parameter', async () => {
    const messageOf = async (path: string) => {
      const { status, text } = await linesFrom(path);
      return [status, (JSON.parse(text) as { message: string }).message];
    };
    const unknown = '/api/jobs/up42/8/build/1/compile/console';
    assert.deepEqual(await messageOf(unknown), [404, "No job instance was found for 'up42/8/build/1/compile'."]);
    const noNumber = '/api/jobs/up42/7/build/0/compile/console';
    assert.deepEqual(await messageOf(noNumber), [400, "The params 'stage_counter' must be a number greater than 0."]);
    assert.equal((await messageOf(`${LINES}?from=-1`))[0], 400);
    assert.equal((await messageOf(`${LINES}?form=1`))[0], 400);
    isActive = false;
    const gone = 'Console log for compile is unavailable as it may have been purged by Slipway or deleted externally.';
    assert.deepEqual(await messageOf(LINES), [404, gone]);
  });
});

describe('the file', () => {
  test('is text from a line on', async () => {
    await print(TEXT);
    assert.deepEqual(await getPlain(FILE).then(({ etag: _, ...rest }) => rest), {
      status: 200,
      text: TEXT,
      type: 'text/plain; charset=utf-8',
    });
    assert.equal((await getPlain(`${FILE}?startLineNumber=2`)).text, 'plain\n');
    assert.equal((await getPlain(`${FILE}?startLineNumber=3`)).text, '');
    assert.equal((await getPlain(`${FILE}?startLineNumber=2&ms=1`)).text, 'plain\n', 'an unknown query parameter is ignored');
    const latest = FILE.replace('/7/', '/latest/').replace('/1/', '/latest/').replace('up42', 'UP42');
    assert.equal((await getPlain(latest)).text, TEXT);
  });

  test('is empty as long as an active job has printed nothing, and gone otherwise', async () => {
    assert.deepEqual(await getPlain(FILE).then(({ status, text }) => ({ status, text })), { status: 200, text: '' });
    isActive = false;
    const { status, text } = await getPlain(FILE);
    assert.equal(status, 404);
    assert.match(text, /Console log for compile is unavailable as it may have been purged by/);
  });

  test('is not sent again to clients that have it', async () => {
    await print(TEXT);
    const { etag } = await getPlain(FILE);
    assert.equal((await getPlain(FILE, { headers: { 'If-None-Match': etag! } })).status, 304);
    await print('more\n', TEXT.length);
    assert.equal((await getPlain(FILE, { headers: { 'If-None-Match': etag! } })).status, 200);
  });

  test('is not found for a missing job', async () => {
    for (const path of [
      FILE.replace('/7/', '/8/'),
      FILE.replace('/7/', '/x/'),
      FILE.replace('/1/', '/0/'),
      FILE.replace('up42', 'other'),
    ]) {
      const { status, text } = await getPlain(path);
      assert.equal(status, 404, path);
      assert.match(text, /Job .* not found\./);
    }
    assert.equal((await getPlain(`${FILE}?startLineNumber=x`)).status, 400);
  });
});

test('only users who may see the pipeline see its consoles; others do not learn which jobs exist', async () => {
  await print(TEXT);
  const paths = [LINES, FILE];
  for (const path of paths) {
    assert.equal((await linesFrom(path, viewer)).status, 200, path);
    assert.equal((await linesFrom(path, stranger)).status, 403, path);
    assert.equal((await linesFrom(path, basic('nobody', 'x'))).status, 401, path);
    assert.equal((await linesFrom(path.replace('/7/', '/8/'), viewer)).status, 404, path);
    assert.equal((await linesFrom(path.replace('/7/', '/8/'), stranger)).status, 403, path);
    assert.equal((await linesFrom(path.replace('up42', 'other'), stranger)).status, 403, path);
    assert.equal((await linesFrom(path.replace('up42', 'other'))).status, 404, path);
  }
  const headers = { Accept: 'text/event-stream' };
  assert.equal((await server.get(LINES, { as: stranger, headers })).status, 403);
});

describe('a stream', () => {
  const readers: StreamReader[] = [];
  const follow = async (query = '', headers: Record<string, string> = {}) => {
    const reader = await StreamReader.open(server.url + LINES + query, { Authorization: viewer, ...headers });
    readers.push(reader);
    return reader;
  };
  afterEach(async () => {
    consoles.end(identifier);
    for (const reader of readers.splice(0)) reader.close();
  });

  test('brings lines as they are printed, and ends with the job', async () => {
    await print(TEXT);
    const reader = await follow('?from=1');
    assert.match(reader.response.headers['content-type']!, /^text\/event-stream/);
    await reader.got(2);
    await print('more\nhalf', TEXT.length);
    await reader.got(3);
    isActive = false;
    consoles.end(identifier);
    await reader.until(() => reader.hasEnded);
    assert.deepEqual(reader.numbers, [1, 2, 3, 4]);
    assert.deepEqual(reader.events.at(-1)!.data, { line: 4, time: null, tag: null, text: 'half' });
    assert.ok(reader.comments.includes('the job is completed'));
  });

  test('a stream of a job that is completed has everything and ends', async () => {
    await print(TEXT);
    isActive = false;
    const reader = await follow();
    await reader.until(() => reader.hasEnded);
    assert.deepEqual(reader.numbers, [0, 1, 2]);
  });

  test('goes on after the last line that the client has', async () => {
    await print(TEXT);
    const reader = await follow('?from=0', { 'Last-Event-ID': '1' });
    await reader.got(1);
    assert.deepEqual(reader.events[0]!.data, LAST);
    const wrong = await follow('', { 'Last-Event-ID': 'x' });
    assert.equal(wrong.response.statusCode, 400);
  });

  test('gives signs of life while nothing is printed', async () => {
    const reader = await follow();
    await reader.until(() => reader.comments.filter((comment) => comment === 'still here').length >= 2);
  });

  test('ends for a user who may not see it any more', async () => {
    const reader = await follow();
    isStillAllowed = false;
    await reader.until(() => reader.hasEnded);
    assert.match(reader.comments.at(-1)!, /may not see this console any more/);
  });

  test('gives no line that is printed after the right was taken away', async () => {
    const reader = await follow();
    isStillAllowed = false;
    await print(TEXT);
    await reader.until(() => reader.hasEnded);
    assert.deepEqual(reader.events, []);
    assert.match(reader.comments.at(-1)!, /may not see this console any more/);
  });

  test('ends when its pipeline is moved to a group that the user may not see', async () => {
    const reader = await follow();
    group = 'second';
    await reader.until(() => reader.hasEnded);
    assert.match(reader.comments.at(-1)!, /may not see this console any more/);
  });

  test('is refused when there are too many', async () => {
    for (let index = 0; index < 3; index++) await follow();
    const one = await follow();
    assert.equal(one.response.statusCode, 503);
    assert.equal(one.response.headers['retry-after'], '10');
  });

  test('waits for a client that reads slowly, and cuts off one that does not read', async () => {
    const reader = await follow();
    reader.stopReading();
    const text = `${'x'.repeat(1000)}\n`.repeat(900);
    for (let index = 0; index < 20; index++) await print(text, index * text.length);
    const slow = await follow();
    await slow.got(18_000);
    await until('the end of the one that does not read', async () => {
      const other = await follow();
      const another = await follow();
      const isFree = other.response.statusCode === 200 && another.response.statusCode === 200;
      for (const one of [other, another]) one.close();
      return isFree;
    });
    assert.deepEqual(
      slow.numbers,
      Array.from({ length: 18_000 }, (_, index) => index),
    );
  });
});

describe('an agent', () => {
  const send = (query: string, text: string, { as = TOKEN, path = PUT } = {}) =>
    server.ask('PUT', `${path}${query}`, { text, as, headers: { 'Content-Type': 'application/octet-stream' } });

  test('learns how many bytes there are, and of gaps', async () => {
    assert.deepEqual(await send('?epoch=1&offset=0', 'héllo\n').then(({ status, json }) => [status, json]), [200, { length: 7 }]);
    assert.deepEqual(await send('?epoch=1&offset=0', 'héllo\n').then(({ json }) => json), { length: 7 });
    const { status, json } = await send('?epoch=1&offset=9', 'more\n');
    assert.deepEqual([status, json], [409, { message: 'There is a gap before these bytes.', length: 7 }]);
    assert.equal((await getPlain(FILE)).text, 'héllo\n');
  });

  test('is refused without its token, and for a job that is not its own', async () => {
    assert.equal((await send('?epoch=1&offset=0', 'x', { as: 'Bearer other' })).status, 401);
    assert.equal((await send('?epoch=1&offset=0', 'x', { as: basic('admin', ADMIN_PASSWORD) })).status, 401);
    for (const [query, path] of [
      ['?epoch=2&offset=0', PUT],
      ['?epoch=1&offset=0', PUT.replace('42', '43')],
    ] as const) {
      const { status, json } = await send(query, 'x', { path });
      assert.deepEqual([status, json], [409, { message: 'This job no longer belongs to this agent.' }]);
    }
    assert.equal(await consoles.size(identifier), undefined);
  });

  test('an agent without its token is not asked for a body that it holds back', async () => {
    const firstWords = (authorization: string) =>
      new Promise<string>((resolve, reject) => {
        const head = [`PUT ${PUT}?epoch=1&offset=0 HTTP/1.1`, 'Host: x', 'Content-Length: 1', 'Expect: 100-continue', authorization];
        const socket = connect(Number(new URL(server.url).port), '127.0.0.1', () => socket.write(`${head.join('\r\n')}\r\n\r\n`));
        socket.on('error', reject).once('data', (chunk) => {
          resolve(String(chunk).slice(0, 12));
          socket.destroy();
        });
      });
    assert.equal(await firstWords('Authorization: Bearer other'), 'HTTP/1.1 401');
    assert.equal(await firstWords(`Authorization: ${TOKEN}`), 'HTTP/1.1 100');
  });

  test('gets an error for a wrong request', async () => {
    for (const query of ['', '?epoch=1', '?offset=0', '?epoch=x&offset=0', '?epoch=1&offset=-1', '?epoch=1&offset=0&dry_run=true'])
      assert.equal((await send(query, 'x')).status, 400, query);
    assert.equal((await send('?epoch=1&offset=0', 'x', { path: PUT.replace('42', 'x') })).status, 404);
    assert.equal((await send('?epoch=1&offset=0', 'x'.repeat(MAX_CONSOLE_CHUNK + 1))).status, 413);
    assert.equal((await send('?epoch=1&offset=0', 'x'.repeat(MAX_CONSOLE_CHUNK))).status, 200);
  });

  test('goes on in maintenance mode', async () => {
    const confirm = { headers: { 'X-Svc-Confirm': 'true' } };
    assert.equal((await server.ask('POST', '/api/admin/maintenance_mode/enable', confirm)).status, 204);
    assert.equal((await send('?epoch=1&offset=0', 'x')).status, 200);
    assert.equal((await server.ask('POST', '/api/admin/maintenance_mode/disable', confirm)).status, 204);
  });

  test('leaves a line in the log only when its request fails', async () => {
    const logged = () => server.lines.map((line) => JSON.parse(line)).filter(({ path }) => path === PUT);
    const before = logged().length;
    await send('?epoch=1&offset=0', 'x');
    assert.equal(logged().length, before);
    await send('?epoch=1&offset=5', 'x');
    assert.equal(logged().at(-1).status, 409);
  });

  test('learns of a full disk, and when to come back', async () => {
    failure = Object.assign(new Error('no space'), { code: 'ENOSPC' });
    const { status, headers } = await send('?epoch=1&offset=0', 'x');
    assert.deepEqual([status, headers.get('retry-after')], [507, '10']);
    failure = Object.assign(new Error('broken'), { code: 'EIO' });
    assert.equal((await send('?epoch=1&offset=0', 'x')).status, 500);
  });
});

test('all routes ask the server that runs builds', () => {
  assert.ok(consoleRoutes({ ...parts, consoles }).every(({ isOfKeeper }) => isOfKeeper));
});

test('the examples of the documentation match their schemas', async () => {
  const api = await OpenApi.of(server);
  const own = api.operations.filter(({ tags }) => tags[0] === 'Consoles');
  assert.deepEqual(own.map(({ name }) => name.split('/').slice(0, 3).join('/')).toSorted(), [
    'GET /api/jobs',
    'GET /api/jobs',
    'GET /api/jobs',
    'GET /files/{pipeline_name}',
    'PUT /agent/v1',
  ]);
  for (const { name, success, others } of own) {
    for (const { schemaAt, body } of [success, ...others.filter(({ body }) => body.example !== undefined)])
      assert.deepEqual(api.problems(schemaAt, body.example), [], name);
  }
});

test('streams end when the server stops', async () => {
  const reader = await StreamReader.open(server.url + LINES, { Authorization: viewer });
  stopping.abort();
  await reader.until(() => reader.hasEnded);
  assert.match(reader.comments.at(-1)!, /^the server stops/);
  rmSync(lab.root, { recursive: true, force: true });
});
