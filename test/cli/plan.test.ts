// The commands `plan` and `apply`, against a server that runs.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { desiredIn } from '../../src/cli/run/desired-files.ts';
import { smallPipeline } from '../support/requests/bodies.ts';
import { accepted } from '../support/requests/callers.ts';
import { slipway } from '../support/server/command-line.ts';
import { COMMAND_LINE } from '../support/server/programs.ts';
import { ADMIN_PASSWORD, TestServer } from '../support/server/server.ts';

let server: TestServer;
let folder: string;
before(async () => {
  server = await TestServer.start();
  folder = mkdtempSync(join(tmpdir(), 'slipway-plan-test-'));
});
after(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

const ENVIRONMENTS = '/api/admin/environments';

function file(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

async function run(verb: 'plan' | 'apply', ...args: string[]) {
  const environment = { SLIPWAY_URL: server.url, SLIPWAY_USER: 'admin', SLIPWAY_PASSWORD: ADMIN_PASSWORD };
  const { bytes: _, ...ending } = await slipway([verb, ...args], { environment });
  return ending;
}

test('numbers in files are sent as they are written', () => {
  const values = (path: string) => desiredIn([path], folder, false);
  const state = { roles: [{ a: '1.10', b: '12345678901234567890', c: 7, d: 1.5 }] };
  assert.deepEqual(values(file('numbers.json', '{"roles":[{"a":1.10,"b":12345678901234567890,"c":7,"d":1.5}]}')), { state });
  assert.deepEqual(values(file('numbers.yaml', 'roles:\n  - { a: 1.10, b: 12345678901234567890, c: 7, d: 1.5 }\n')), { state });
});

test('a YAML file is planned and applied, and has nothing to do the second time', async () => {
  const yaml = file(
    'state.yaml',
    `
environments:
  - name: from-yaml
    environment_variables: &common
      - { name: NUMBER, value: '7', secure: false }
      - { name: FLAG, value: "true", secure: false }
  - name: twin
    environment_variables: *common
default_job_timeout:
  default_job_timeout: '12'
mailserver:
  hostname: mail.example.org
  port: 25
  tls: false
  sender_email: a@example.org
  admin_email: b@example.org
`,
  );
  const planned = await run('plan', yaml);
  assert.equal(planned.status, 2, planned.err);
  assert.match(planned.out, /^\+ environments from-yaml\n {4}name: 'from-yaml'\n {4}environment variable 'NUMBER', secure: false$/m);
  assert.match(planned.out, /^ {4}environment variable 'FLAG', value: 'true'$/m);
  assert.doesNotMatch(planned.out, /null|\[\]/);
  assert.match(planned.out, /4 to create, 0 to change, 0 to delete\./);
  assert.equal((await server.get(`${ENVIRONMENTS}/twin`)).status, 404);
  const applied = await run('apply', yaml);
  assert.equal(applied.status, 2, applied.err);
  assert.match(applied.out, /Done, as revision \d+\.\n$/);
  assert.equal(accepted(await server.get(`${ENVIRONMENTS}/twin`)).json.environment_variables[0].value, '7');
  assert.deepEqual(await run('plan', yaml), { status: 0, out: 'Nothing to do: all is as it is wanted.\n', err: '' });
  assert.equal((await run('apply', yaml)).status, 0);
});

test('several files are joined, and other entities are deleted with --prune', async () => {
  const one = file('one.json', JSON.stringify({ environments: [{ name: 'from-yaml' }] }));
  const other = file('other.yml', 'environments:\n  - name: added\n');
  const changed = await run('plan', one, other);
  assert.equal(changed.status, 2);
  assert.match(changed.out, /^~ environments from-yaml\n {4}environment variable 'NUMBER' removed/m);
  assert.match(changed.out, /1 to create, 1 to change, 0 to delete/);
  assert.match((await run('plan', one, other, '--prune')).out, /^- environments twin$/m);
  const pruned = file('pruned.yaml', 'environments: []\nprune: true\n');
  assert.match((await run('plan', pruned)).out, /2 to delete/);
  assert.match((await run('plan', pruned, one)).err, /pruned\.yaml and .*one\.json do not say the same about prune/);
  assert.match((await run('plan', pruned, one, '--prune')).out, /^- environments twin$/m);
});

test('the entities that use a changed one are named', async () => {
  const pipeline = smallPipeline('used');
  accepted(await server.post('/api/admin/pipelines', { group: 'g', pipeline }));
  accepted(await server.post(ENVIRONMENTS, { name: 'user', pipelines: [{ name: 'used' }] }));
  const wanted = { pipelines: [{ ...pipeline, group: 'g', lock_behavior: 'lockOnFailure' }] };
  const { out } = await run('plan', file('used.json', JSON.stringify(wanted)));
  assert.match(out, /^~ pipelines used\n {4}lock behavior changed .*\nUsed by: environments user\n0 to create, 1 to change/m);
});

test('a configuration file in XML is planned and applied', async () => {
  const xml = file('cruise-config.xml', '<cruise schemaVersion="139"><environments><environment name="of-xml"/></environments></cruise>');
  const planned = await run('plan', xml);
  assert.equal(planned.status, 2, planned.err);
  assert.match(planned.out, /^\+ environments of-xml$/m);
  assert.match(planned.out, /0 to delete/);
  assert.match((await run('plan', xml, '--prune')).err, /at least one admin/);
  const whole = file('whole.xml', accepted(await server.get('/api/admin/config.xml')).text);
  accepted(await server.post(ENVIRONMENTS, { name: 'not-in-xml' }));
  assert.match((await run('apply', whole, '--prune')).out, /^- environments not-in-xml\n.*1 to delete\.\nDone, as revision/m);
  assert.equal((await server.get(`${ENVIRONMENTS}/not-in-xml`)).status, 404);
});

test('wrong arguments and files end with 1 and a message', async () => {
  for (const [args, message] of [
    [[], /FILE is missing/],
    [[join(folder, 'none.yaml')], /cannot be read/],
    [[file('broken.json', '{')], /not valid JSON/],
    [[file('broken.yaml', 'a: [')], /broken\.yaml:1/],
    [[file('list.yaml', '- a')], /must hold a map/],
    [[file('unknown.yaml', 'unknown: []')], /no resource called 'unknown'/],
    [[file('bad.yaml', 'environments: [{ name: not good }]')], /environments not good \/name: /],
    [[file('bad-prune.yaml', 'prune: sometimes')], /\/prune: /],
    [[file('bad.xml', '<cruise')], /not valid XML: line 1/],
    [[file('x.yaml', 'a: 1'), '--colour'], /--colour/],
    [[file('x.yaml', 'a: 1'), '--data-dir', folder], /Unknown option --data-dir/],
    [[file('a.xml', ''), file('b.yaml', '')], /planned alone/],
  ] as const) {
    const { status, err } = await run('plan', ...args);
    assert.equal(status, 1, err);
    assert.match(err, message);
  }
  const { status, out } = await run('plan', '--help');
  assert.equal(status, 0);
  assert.match(out, /SLIPWAY_TOKEN/);
  assert.doesNotMatch(out, /instead/);
});

test('the program has the command plan', async () => {
  const path = file('command.yaml', 'environments:\n  - name: by-command\n');
  const environment = { ...process.env, SLIPWAY_URL: server.url, SLIPWAY_USER: 'admin', SLIPWAY_PASSWORD: ADMIN_PASSWORD, NO_COLOR: '1' };
  const code = await new Promise((resolve) => {
    execFile(process.execPath, [COMMAND_LINE, 'plan', path], { env: environment }, (failure) => resolve(failure?.code ?? 0));
  });
  assert.equal(code, 2);
});
