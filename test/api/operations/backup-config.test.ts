// Backup config: defaults, schedules and their errors, being set or not.
import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { accepted } from '../../support/requests/callers.ts';
import { healthOf } from '../../support/server/health.ts';
import { TestServer } from '../../support/server/server.ts';
import { until } from '../../support/until.ts';

const PATH = '/api/config/backup';
const VALID = {
  schedule: '0 30 2 ? * MON-FRI',
  post_backup_script: '/usr/local/bin/after-backup',
  email_on_failure: true,
  email_on_success: false,
};
let server: TestServer;
before(async () => {
  server = await TestServer.start();
});
after(() => server.stop());
beforeEach(() => server.delete(PATH));

const withoutLinks = ({ _links, ...fields }: Record<string, unknown>) => fields;

test('before it is set, a GET shows the defaults and there is nothing to delete', async () => {
  const unset = await server.get(PATH);
  assert.equal(unset.status, 200);
  assert.deepEqual(withoutLinks(unset.json), {
    email_on_failure: false,
    email_on_success: false,
    post_backup_script: null,
    schedule: null,
  });
  const deleted = await server.delete(PATH);
  assert.equal(deleted.status, 404);
  assert.deepEqual(deleted.json, { message: 'Backup config was not found!' });
});

test('POST and PUT set the backup config, without If-Match, and write it in the order of GoCD', async () => {
  const { schedule, post_backup_script, email_on_failure, email_on_success } = VALID;
  const shown = {
    _links: { doc: { href: `${server.url}/api/docs#backup-config` }, self: { href: server.url + PATH } },
    email_on_failure,
    email_on_success,
    post_backup_script,
    schedule,
  };
  for (const method of ['POST', 'PUT']) {
    const set = await server.ask(method, PATH, { body: VALID });
    assert.equal(set.status, 200, set.text);
    assert.equal(set.text, JSON.stringify(shown));
    assert.equal((await server.get(PATH)).text, set.text);
  }
});

test('a script that cannot be run is saved, and reported: in the answer, and by a health message until it can', async () => {
  const script = join(server.dataDir, 'after-backup');
  const messages = async () => (await healthOf(server)).map(({ message, detail }) => `${message} ${detail}`);
  const ask = { body: { ...VALID, post_backup_script: script } };
  for (const method of ['POST', 'PUT', 'PATCH']) {
    const saved = accepted(await server.ask(method, PATH, ask));
    assert.equal(saved.headers.get('warning'), '199 Slipway "post_backup_script: There is no such file."', method);
    assert.deepEqual(await messages(), [`The post backup script cannot be run. post_backup_script: ${script}. There is no such file.`]);
  }
  writeFileSync(script, '#!/bin/sh\n', { mode: 0o700 });
  assert.equal(accepted(await server.ask('PUT', PATH, ask)).headers.get('warning'), null);
  await until('silence', async () => (await messages()).length === 0);
  rmSync(script);
  await until('the message', async () => (await messages()).length > 0);
  accepted(await server.delete(PATH));
  assert.deepEqual(await messages(), []);
});

test('a script in a file that is saved whole is reported, too', async () => {
  accepted(await server.put(PATH, VALID));
  const document = await server.get('/api/admin/config.xml', { accept: null });
  const headers = { 'Content-Type': 'text/xml', 'X-CRUISE-CONFIG-MD5': document.headers.get('x-cruise-config-md5')! };
  const text = document.text.replace(VALID.post_backup_script, '/nowhere/script');
  accepted(await server.ask('POST', '/api/admin/config.xml', { text, headers }));
  assert.equal((await healthOf(server))[0]?.detail, 'post_backup_script: /nowhere/script. There is no such file.');
});

test('a PUT replaces everything: a field left out goes back to its default', async () => {
  await server.post(PATH, VALID);
  const { json } = await server.put(PATH, { email_on_success: true });
  assert.deepEqual(withoutLinks(json), { email_on_failure: false, email_on_success: true, post_backup_script: null, schedule: null });
});

test('after a delete the backup config is as before it was set', async () => {
  const { text } = await server.get(PATH);
  await server.post(PATH, VALID);
  const deleted = await server.delete(PATH);
  assert.equal(deleted.status, 200);
  assert.deepEqual(deleted.json, { message: 'Backup config was deleted successfully!' });
  assert.equal((await server.get(PATH)).text, text);
});

test('a schedule may be missing, blank, or any that Quartz knows', async () => {
  for (const schedule of [null, '', '   ', '0 0 12 L-3W * ?', '0 15 10 ? * 6#3 2027-2028', '0/20 5 14 29 feb ?']) {
    const reply = await server.put(PATH, { ...VALID, schedule });
    assert.equal(reply.status, 200, reply.text);
  }
});

test('a wrong schedule is answered with the whole config', async () => {
  const reply = await server.post(PATH, { schedule: 'every night' });
  assert.equal(reply.status, 422);
  assert.deepEqual(reply.json, {
    message: 'Validation failed.',
    data: {
      email_on_failure: false,
      email_on_success: false,
      post_backup_script: null,
      schedule: 'every night',
      errors: { schedule: ["Invalid cron syntax for backup configuration at offset 0: Illegal characters for this position: 'EVE'"] },
    },
  });
});

test('an invalid schedule is refused with the message of Quartz and the position', async () => {
  const cases: [string, number, string][] = [
    ['* * * * *', 9, 'Unexpected end of expression.'],
    ['0 0 2 * * ? * *', -1, 'Invalid expression has too many terms: 0 0 2 * * ? * *'],
    ['0 0 2 * * *', 0, 'Support for specifying both a day-of-week AND a day-of-month parameter is not implemented.'],
    ['0 0 12 15 * 2', 0, 'Support for specifying both a day-of-week AND a day-of-month parameter is not implemented.'],
    ['0 0 12 ? * ?', 1, "'?' can only be specified for Day-of-Month -OR- Day-of-Week."],
    ['0 60 2 * * ?', -1, 'Minute and Second values must be between 0 and 59'],
    ['0 0 25 * * ?', -1, 'Hour values must be between 0 and 23'],
    ['0 0 0 32 * ?', -1, 'Day of month values must be between 1 and 31'],
    ['0 0 0 1 13 ?', -1, 'Month values must be between 1 and 12'],
    ['0 0 0 ? * 8', -1, 'Day-of-Week values must be between 1 and 7'],
    ['0 0 0 ? * MON-XYZ', 4, "Invalid Day-of-Week value: 'XYZ'"],
    ['0 0 0 ? * 6#6', 2, "A numeric value between 1 and 5 must follow the '#' option"],
    ['0 0 0 12L * ?', 2, "'L' option is not valid here. (pos=2)"],
    ['0 0 0 L-31 * ?', 2, 'Offset from last day must be <= 30'],
  ];
  await server.post(PATH, VALID);
  const before = await server.get(PATH);
  for (const [schedule, offset, reason] of cases) {
    const reply = await server.put(PATH, { ...VALID, schedule });
    assert.equal(reply.status, 422, schedule);
    assert.equal(reply.json.message, 'Validation failed.');
    assert.deepEqual(reply.json.data.errors, {
      schedule: [`Invalid cron syntax for backup configuration at offset ${offset}: ${reason}`],
    });
  }
  assert.equal((await server.get(PATH)).text, before.text);
});

test('members of the wrong type are refused', async () => {
  const reply = await server.put(PATH, { email_on_failure: null, schedule: [] });
  assert.equal(reply.status, 422);
  assert.equal(
    reply.json.message,
    'Could not read property \'email_on_failure\' as a Boolean in json `{"email_on_failure":null,"schedule":[]}` ',
  );
  assert.deepEqual(Object.keys(reply.json.data.errors), ['email_on_failure', 'schedule']);
});

test('a body of another type, or none, is refused', async () => {
  const other = await server.ask('POST', PATH, { text: 'schedule=', headers: { 'Content-Type': 'text/plain' } });
  assert.equal(other.status, 415);
  assert.deepEqual(other.json, { message: "You must specify a 'Content-Type' of 'application/json'" });
  const none = await server.ask('POST', PATH);
  assert.equal(none.status, 400);
  assert.deepEqual(none.json, { message: "Missing required header 'X-Svc-Confirm' with value 'true'" });
});
