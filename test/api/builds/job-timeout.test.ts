// The default job timeout: the accepted numbers of minutes, and the exact messages.
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { stale } from '../../support/requests/replies.ts';
import { TestServer } from '../../support/server/server.ts';

const PATH = '/api/admin/config/server/default_job_timeout';
let server: TestServer;
before(async () => {
  server = await TestServer.start();
});
after(() => server.stop());
beforeEach(() => put('45'));

const put = (default_job_timeout: unknown) => server.put(PATH, { default_job_timeout });

test('the default job timeout is zero until it is set', async () => {
  const fresh = await TestServer.start();
  try {
    assert.equal((await fresh.get(PATH)).json.default_job_timeout, '0');
  } finally {
    await fresh.stop();
  }
});

test('POST and PUT set the timeout, without If-Match, and write it in the order of GoCD', async () => {
  const links = { doc: { href: `${server.url}/api/docs#default-job-timeout` }, self: { href: server.url + PATH } };
  for (const [method, minutes] of [
    ['POST', '50'],
    ['PUT', '55'],
  ] as const) {
    const set = await server.ask(method, PATH, { body: { default_job_timeout: minutes } });
    assert.equal(set.status, 200, set.text);
    assert.equal(set.text, JSON.stringify({ _links: links, default_job_timeout: minutes }));
    assert.equal((await server.get(PATH)).text, set.text);
  }
  assert.equal((await server.delete(PATH)).status, 404);
});

test('a number comes back as text, a fraction as it was sent', async () => {
  assert.equal((await put(30)).json.default_job_timeout, '30');
  for (const minutes of ['0', '7.5', '10000']) assert.equal((await put(minutes)).json.default_job_timeout, minutes);
});

test('negative numbers and texts that are no number are refused with the messages of GoCD', async () => {
  const negative = 'Your request could not be processed. Timeout cannot be a negative number as it represents number of minutes';
  const noNumber = 'Your request could not be processed. Timeout should be a valid number as it represents number of minutes';
  const cases: [unknown, string][] = [
    ['-1', negative],
    [-0.5, negative],
    ['soon', noNumber],
    ['', noNumber],
    [true, noNumber],
    ['5 minutes', noNumber],
  ];
  const before = await server.get(PATH);
  for (const [minutes, message] of cases) {
    const reply = await put(minutes);
    assert.equal(reply.status, 422, String(minutes));
    assert.equal(reply.json.message, message);
  }
  assert.equal((await server.get(PATH)).text, before.text);
});

test('a missing or unreadable timeout is refused', async () => {
  assert.equal((await server.put(PATH, {})).json.message, "Json `{}` does not contain property 'default_job_timeout'");
  const nothing = await put(null);
  assert.equal(nothing.status, 422);
  assert.equal(nothing.json.message, 'Json `{"default_job_timeout":null}` does not contain property \'default_job_timeout\'');
  assert.equal(
    (await put([])).json.message,
    'Could not read property \'default_job_timeout\' as a String in json `{"default_job_timeout":[]}` ',
  );
});

test('If-Match counts if it is sent', async () => {
  const { etag } = await server.get(PATH);
  assert.equal((await server.put(PATH, { default_job_timeout: '46' }, etag)).status, 200);
  const message = 'Someone has modified the entity. Please update your copy with the changes and try again.';
  stale(await server.put(PATH, { default_job_timeout: '47' }, etag), message);
});
