// A request leaves its id in the answer and in every line of the log, and the times of its steps, for users who may know.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Route } from '../../src/api/engine/route.ts';
import { jsonAnswer } from '../../src/api/engine/route.ts';
import type { BaseParts, OpenParts } from '../../src/server/open/all-parts.ts';
import { isEmbedded } from '../support/database/database.ts';
import { accepted } from '../support/requests/callers.ts';
import { TestServer } from '../support/server/server.ts';
import { until } from '../support/until.ts';

const PATH = '/api/admin/internal/log_lines';
const DESCRIPTION = { chapter: 'version', summary: 'Writes lines for a test', response: {}, example: {} };
const TIMED = { headers: { 'X-Svc-Timing': 'true' } };

let server: TestServer;
before(async () => {
  const routes = ({ log }: BaseParts & OpenParts): Route[] => [
    {
      method: 'GET',
      path: PATH,
      version: null,
      permission: 'admin',
      description: DESCRIPTION,
      handle: async () => {
        log.info({ part: 'at once' }, 'a line of a request');
        await new Promise((resolve) => setTimeout(resolve, 1));
        log.warn({ part: 'later' }, 'a line of a request');
        setTimeout(() => log.info({ part: 'after the answer' }, 'a line of nobody'), 20);
        return jsonAnswer({});
      },
    },
  ];
  server = await TestServer.start({}, { routes });
});
after(() => server.stop());

const linesWith = (text: string) => server.lines.filter((line) => line.includes(text)).map((line) => JSON.parse(line));

test('every line of a request has its id, which the answer has, too; lines after the answer have none', async () => {
  const reply = accepted(await server.get(PATH, { accept: null }));
  const id = reply.headers.get('x-request-id')!;
  const [after] = await until('the line after it', () => {
    const found = linesWith('a line of nobody');
    return found.length > 0 && found;
  });
  const lines = linesWith('a line of a request');
  assert.deepEqual(
    lines.map(({ requestId, part }) => [requestId, part]),
    [
      [id, 'at once'],
      [id, 'later'],
    ],
  );
  assert.equal('requestId' in after, false);
  assert.ok(
    lines.every((line) => !('traceId' in line)),
    'no trace is made',
  );
});

test('concurrent requests do not mix up their ids', async () => {
  const from = server.lines.length;
  const ids = Array.from({ length: 8 }, (_, index) => `mine-${index}`);
  await Promise.all(ids.map((id) => server.get(PATH, { accept: null, headers: { 'X-Request-Id': id } })));
  const lines = server.lines.slice(from).filter((line) => line.includes('a line of a request'));
  for (const id of ids) assert.equal(lines.filter((line) => JSON.parse(line).requestId === id).length, 2, id);
});

test('an id that is too long or has other signs is replaced', async () => {
  for (const id of ['x'.repeat(101), 'a b', '"><script>']) {
    const { headers } = accepted(await server.get('/api/version', { headers: { 'X-Request-Id': id } }));
    assert.match(headers.get('x-request-id')!, /^[0-9a-f]{12}-[0-9a-z]+$/);
  }
});

const stepsOf = (header: string | null | undefined) =>
  Object.fromEntries((header ?? '').split(', ').map((part) => [part.split(';dur=')[0], Number(part.split(';dur=')[1])]));

test('a user who is logged in and asks gets the time of each step', async () => {
  const read = accepted(await server.get('/api/version', TIMED)).headers.get('server-timing');
  assert.match(read!, /^(refresh;dur=\d+\.\d\d, )?auth;dur=\d+\.\d\d, handle;dur=\d+\.\d\d, total;dur=\d+\.\d\d$/);
  assert.equal(read!.startsWith('refresh'), !isEmbedded, read!);
  const { headers } = accepted(await server.post('/api/admin/environments', { name: 'timed' }, TIMED));
  const steps = stepsOf(headers.get('server-timing'));
  const whereShared = isEmbedded ? [] : ['refresh'];
  assert.deepEqual(Object.keys(steps).toSorted(), ['auth', 'body', 'commit', 'decide', 'handle', ...whereShared, 'total', 'wait']);
  assert.ok(steps.commit! > 0 && steps.handle! >= steps.commit! && steps.total! >= steps.handle!, headers.get('server-timing')!);
});

test('a request without the right or the wish gets no times', async () => {
  assert.equal(accepted(await server.get('/api/version')).headers.get('server-timing') ?? null, null, 'who does not ask');
  for (const [path, as] of [
    ['/api/version', ''],
    ['/api/version', `Basic ${Buffer.from('admin:wrong').toString('base64')}`],
    ['/api/v1/health', ''],
    ['/no/such/address', ''],
  ] as const) {
    const { headers } = await server.get(path, { ...TIMED, as });
    assert.equal(headers.get('server-timing') ?? null, null, `${path} ${as}`);
  }
});
