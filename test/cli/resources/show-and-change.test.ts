// The commands for every resource: list, get, create, set, delete, and their output.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { smallPipeline } from '../../support/requests/bodies.ts';
import { accepted, addUser, tokenOf } from '../../support/requests/callers.ts';
import { CommandLab } from './lab.ts';

let lab: CommandLab;
before(async () => {
  lab = await CommandLab.start();
});
after(() => lab.stop());

interface ListedForm {
  readonly resource: string;
  readonly path: string;
  readonly is_singleton: boolean;
  readonly can_view: boolean;
}

test('every resource of the server is listed, without a line of code for it', async () => {
  const { forms } = accepted(await lab.server.get('/api/forms')).json as { readonly forms: readonly ListedForm[] };
  assert.ok(forms.length > 15);
  assert.deepEqual(
    (await lab.out('list', '-o', 'name')).trim().split('\n'),
    forms.map(({ resource }) => resource),
  );
  for (const { resource, is_singleton: isSingle } of forms) {
    const { status, err } = await lab.run(['list', resource, '-o', 'json']);
    // A singleton that was never set is not found.
    assert.ok(status === 0 || (isSingle && status === 3), `${resource}: ${err}`);
  }
  assert.match(await lab.out('list'), /^RESOURCE +THERE ARE +ABOUT\n/);
});

describe('an entity', () => {
  test('an entity is created from a file, shown, and listed in every format', async () => {
    const file = lab.file('staging.yaml', 'name: staging\nenvironment_variables:\n- name: REGION\n  value: north\n  secure: false\n');
    assert.match(await lab.out('create', 'environment', '-f', file, '--dry-run'), /^\+ environments staging\n {4}name: 'staging'/);
    await lab.expect(3, ['get', 'environment', 'staging']);
    assert.match(
      await lab.out('create', 'environment', '-f', 'staging.yaml', '--reason', 'für alle'),
      /^Created environment staging, as revision \d+\.\n$/,
    );
    assert.match(await lab.out('get', 'environments', 'staging'), /^name: staging\n/);
    assert.equal(JSON.parse(await lab.out('get', 'environment', 'staging', '-o', 'json')).environment_variables[0].value, 'north');
    assert.equal(await lab.out('list', 'Environments', '-o', 'name'), 'staging\n');
    assert.match(await lab.out('list', 'environments'), /^NAME +.*ENVIRONMENT VARIABLES.*\nstaging +.*1/);
    assert.doesNotMatch(await lab.out('list', 'environments', '-o', 'yaml'), /_links/);
    assert.match(await lab.out('history', 'environment', 'staging'), / {2}admin {2}create\n {2}reason: für alle\n/);
  });

  test('an entity in a list as YAML can be read by plan and apply', async () => {
    const yaml = await lab.out('list', 'environments', '-o', 'yaml');
    assert.match(yaml, /^environments:\n- name: staging\n/);
    await lab.expect(0, ['plan', '-'], { input: yaml });
    const { out } = await lab.expect(2, ['apply', '-f', '-'], { input: yaml.replace('north', 'south') });
    assert.match(out, /value changed from 'north' to 'south'/);
  });

  test('an entity is set, whole or in part', async () => {
    const whole = 'environment_variables: [{ name: REGION, value: west, secure: false }, { name: MODE, value: fast, secure: false }]';
    const { out } = await lab.expect(0, ['set', 'environment', 'staging', '-f', '-', '--dry-run'], { input: whole });
    assert.match(out, /^~ environments staging\n.*'south' to 'west'/s);
    const set = await lab.expect(0, ['set', 'environment', 'staging', '-f', '-'], { input: whole });
    assert.match(set.out, /^Set environment staging, as revision \d+\.\n$/);
    assert.equal((await lab.expect(0, ['set', 'environment', 'staging', '-f', '-'], { input: whole })).out, 'Nothing changed.\n');
    const part = '{"environment_variables": []}';
    const patched = await lab.expect(0, ['set', 'environment', 'staging', '--patch', '-f', '-', '-o', 'json'], { input: part });
    assert.deepEqual(JSON.parse(patched.out).environment_variables, []);
  });

  test('an entity of a resource with a single one is set for the first time and again', async () => {
    const body = 'hostname: mail.example.org\nport: 25\ntls: false\nsender_email: a@example.org\nadmin_email: b@example.org\n';
    const file = lab.file('mail.yaml', body);
    await lab.expect(3, ['set', 'mailserver', '--patch', '-f', file]);
    assert.match(await lab.out('set', 'mail-server', '-f', file), /^Set mail server, as revision/);
    assert.match(await lab.out('set', 'mailserver', '--patch', '-f', lab.file('port.yaml', 'port: 587\n')), /^Set mail server/);
    assert.match(await lab.out('get', 'mailserver'), /^port: 587$/m);
    assert.match(await lab.out('list', 'mailserver'), /^hostname: mail\.example\.org$/m);
    assert.match(await lab.out('delete', 'mailserver', '--yes'), /^Deleted mail server, as revision/);
    await lab.expect(3, ['get', 'mailserver']);
  });

  test('a pipeline is created in its group, and listed by group', async () => {
    lab.file('pipeline.json', JSON.stringify({ ...smallPipeline('shop'), group: 'web' }));
    assert.match(await lab.out('create', 'pipeline', '-f', 'pipeline.json'), /^Created pipeline shop, as revision/);
    assert.equal(await lab.out('list', 'pipelines'), 'NAME  IN\nshop  web\n');
    assert.match(await lab.out('get', 'pipeline', 'shop'), /^group: web$/m);
  });

  test('short lists, and resources with a single entity, can be read by plan and apply, too', async () => {
    const template = '{name: built, stages: [{name: build, jobs: [{name: one, tasks: [{type: ant, attributes: {}}]}]}]}';
    await lab.expect(0, ['create', 'template', '-f', '-'], { input: template });
    for (const resource of ['templates', 'pipelines', 'site_urls', 'default_job_timeout']) {
      const { out } = await lab.expect(0, ['list', resource, '-o', 'yaml']);
      assert.match((await lab.expect(0, ['plan', '-'], { input: out })).out, /^Nothing to do/, resource);
    }
  });

  test('an entity is shown as it was at a revision', async () => {
    const [revision] = (await lab.out('history', 'environment', 'staging', '-o', 'name')).trim().split('\n').slice(-1);
    assert.match(await lab.out('get', 'environment', 'staging', '--at', revision!), /value: north/);
    assert.equal(await lab.out('list', 'environments', '--at', revision!, '-o', 'name'), 'staging\n');
  });
});

describe('deleting', () => {
  test('shows the deletion, and asks', async () => {
    lab.file('gone.yaml', 'name: gone');
    await lab.expect(0, ['create', 'environment', '-f', 'gone.yaml']);
    const no = await lab.expect(1, ['delete', 'environment', 'gone'], { typed: ['n'] });
    assert.match(no.err, /^- environments gone\n.*Delete environment gone\? \[y\/N\] Nothing was changed\.\n$/s);
    assert.match((await lab.expect(2, ['delete', 'environment', 'gone'])).err, /no terminal to ask for consent: give --yes/);
    assert.match(await lab.out('delete', 'environment', 'gone', '--dry-run'), /^- environments gone$/m);
    await lab.expect(0, ['delete', 'environment', 'gone'], { typed: ['yes'] });
    await lab.expect(3, ['delete', 'environment', 'gone', '--yes']);
  });
});

describe('a command that fails', () => {
  test('a failure prints the reason, and the exit code gives its kind', async () => {
    lab.file('bad.yaml', 'name: not good\nenvironment_variables: [{ name: "", value: x }]\n');
    lab.file('list.yaml', '- a\n');
    const user = { environment: { SLIPWAY_URL: lab.server.url, SLIPWAY_USER: 'nobody', SLIPWAY_PASSWORD: 'x' } };
    for (const [status, text, message, terminal] of [
      [3, 'list enviroments', /There is no resource called enviroments\. Did you mean environments\?/],
      [3, 'get environment none', /\(404\)/],
      [2, 'get mailserver x', /There is only one mail server/],
      [2, 'edit environments', /There are several environments: name one of them/],
      [2, 'create environments', /--file is missing/],
      [1, 'create environments -f none.yaml', /none\.yaml cannot be read/],
      [1, 'create environments -f list.yaml', /must hold a map/],
      [1, 'create environments -f bad.yaml', /\(422\)\n {2}\/name: /],
      [1, 'create environments -f staging.yaml', /\(422\)/],
      [1, 'delete default_job_timeout --yes', /The default job timeout cannot be deleted, only set\./],
      [2, 'list environments -o xml', /--output must be one of table, json, yaml, name, not 'xml'/],
      [2, 'list environments -x', /Unknown option -x/],
      [4, 'list environments', /Login to .* failed/, user],
    ] as const) {
      assert.match((await lab.expect(status, text.split(' '), terminal)).err, message);
    }
  });
});

test('a user without rights gets exit code 4', async () => {
  const token = (await tokenOf(lab.server, await addUser(lab.server, 'reader'))).replace('Bearer ', '');
  await lab.expect(0, ['login', lab.server.url, '--context', 'reader', '--token', token]);
  for (const args of [['list', 'environments'], ['create', 'environment', '-f', 'gone.yaml'], ['history'], ['events']])
    assert.match((await lab.expect(4, args)).err, /\(403\)/);
  await lab.expect(0, ['context', 'use', 'lab']);
});

describe('output on a terminal', () => {
  test('tables fit the width, and colours can be switched off', async () => {
    const narrow = await lab.expect(0, ['list'], { isTTY: true, columns: 60 });
    for (const line of narrow.out.split('\n')) assert.ok([...line].length <= 60, line);
    assert.match(narrow.out, /…/);
    const colour = '\u001b[';
    const preview = ['delete', 'environment', 'staging', '--dry-run'];
    assert.ok((await lab.expect(0, preview, { isTTY: true })).out.includes(colour));
    assert.ok(!(await lab.expect(0, [...preview, '--no-color'], { isTTY: true })).out.includes(colour));
    assert.ok(!(await lab.expect(0, preview, { isTTY: true, environment: { NO_COLOR: '1' } })).out.includes(colour));
    assert.ok(!(await lab.out(...preview)).includes(colour));
  });
});

test('users are listed by a command, and tokens are listed, rotated and revoked by others', async () => {
  assert.match(await lab.out('user', 'list'), /^LOGIN NAME +DISPLAY NAME +ENABLED +IS ADMIN +EMAIL\nadmin +/);
  assert.match((await lab.expect(2, ['token', 'list'])).err, /contexts, can neither list nor rotate tokens: give --user/);
  const { json } = await lab.server.post('/api/current_user/access_tokens', { description: 'to revoke' });
  const byPassword = ['--user', 'admin', '--password', 'correct horse battery staple'];
  assert.match(await lab.out('token', 'list', ...byPassword), new RegExp(`^${json.id} +to revoke +admin `, 'm'));
  const rotated = (await lab.out('token', 'rotate', String(json.id), '--overlap', '5', ...byPassword)).trim();
  for (const token of [rotated, json.token]) accepted(await lab.server.get('/api/current_user', { as: `bearer ${token}` }));
  assert.match((await lab.expect(2, ['token', 'rotate', String(json.id), '--overlap', 'soon', ...byPassword])).err, /number of minutes/);
  assert.equal(await lab.out('token', 'revoke', String(json.id), ...byPassword), `The access token ${json.id} is revoked.\n`);
  await lab.expect(5, ['token', 'revoke', String(json.id), ...byPassword]);
  await lab.expect(2, ['token', 'revoke', 'x', ...byPassword]);
});
