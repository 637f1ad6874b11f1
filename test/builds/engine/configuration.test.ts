// The configuration of pipelines in the engine: templates, parameters, secrets, changes and deletions while jobs run, and a server on hold.
import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after as afterAll, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { FakeAgent } from '../../support/builds/fake-agent.ts';
import { writeSecretsFile } from '../../support/configuration/secrets-file.ts';
import { smallDisk } from '../../support/database/small-disk.ts';
import { rowsIn } from '../../support/database/sql.ts';
import { accepted } from '../../support/requests/callers.ts';
import { until } from '../../support/until.ts';
import { BuildLab, git, type JsonBody, job, MANUAL, stage } from './lab.ts';

const WHILE_MS = 200;
const CONFIRM = { headers: { 'X-Svc-Confirm': 'true' } };
let lab: BuildLab;
let agent: FakeAgent;
before(async () => {
  lab = await BuildLab.start();
  agent = await lab.agent();
});
afterAll(() => lab.stop());

const exec = (command: string, ...args: readonly string[]) => ({ tasks: [{ type: 'exec', attributes: { command, arguments: args } }] });

async function started(name: string, body: JsonBody) {
  const origin = await lab.origin(name);
  const whole = { materials: [git(origin)], ...body };
  await lab.pipeline(name, whole);
  await lab.poll(name);
  await lab.run(name, 1);
  return { origin, whole };
}

describe('templates', () => {
  test('templates and parameters are put into the work', async () => {
    const stages = [stage('build', { jobs: [job('compile', exec('#{tool}', '--level=#{level}'))] })];
    await lab.post('/api/admin/templates', { name: 'shared', stages });
    const parameters = [
      { name: 'tool', value: 'make' },
      { name: 'level', value: '3' },
    ];
    await started('templated', { template: 'shared', parameters });
    const work = await agent.finishNext();
    const [task] = work.tasks;
    assert.ok(task?.type === 'exec');
    assert.deepEqual([task.command, task.arguments], ['make', ['--level=3']]);
    assert.equal(await lab.result('templated', 1, 'build'), 'Passed');
  });

  test('templates whose first stage is not manual any more set their pipelines off', async () => {
    await lab.post('/api/admin/templates', { name: 'gate', stages: [stage('build', MANUAL)] });
    const origin = await lab.origin('gated');
    await lab.pipeline('gated', { materials: [git(origin)], template: 'gate' });
    await lab.poll('gated');
    assert.equal(await lab.whyNot('gated'), 'manual_first_stage');
    const { etag } = await lab.server.get('/api/admin/templates/gate');
    assert.equal((await lab.server.put('/api/admin/templates/gate', { name: 'gate', stages: [stage('build')] }, etag)).status, 200);
    await lab.run('gated', 1);
    await agent.finishNext();
    await lab.result('gated', 1, 'build');
  });
});

describe('a change while things run', () => {
  test('does not reach a stage that is scheduled, but the next one', async () => {
    const stages = (command: string) => ['one', 'two'].map((name) => stage(name, { jobs: [job('j', exec(command))] }));
    const { whole } = await started('changed', { stages: stages('old') });
    await lab.pipeline('changed', { ...whole, stages: stages('new') });
    const commands = [];
    for (let count = 0; count < 2; count++) commands.push(((await agent.finishNext()).tasks[0] as { command?: string }).command);
    assert.deepEqual(commands, ['old', 'new']);
    assert.equal(await lab.result('changed', 1, 'two'), 'Passed');
  });

  test('a change of a material leaves the next stage the sources of its run', async () => {
    const parameters = [{ name: 'branch', value: 'main' }];
    const origin = await lab.origin('moved');
    const body = { materials: [git(origin, { branch: '#{branch}' })], parameters, stages: [stage('one'), stage('two', MANUAL)] };
    await lab.pipeline('moved', body);
    await lab.poll('moved');
    const [first] = (await agent.finishNext()).materials;
    assert.equal(await lab.result('moved', 1, 'one'), 'Passed');
    await lab.pipeline('moved', { ...body, parameters: [{ name: 'branch', value: 'next' }] });
    assert.equal((await lab.server.post('/api/stages/moved/1/two/run', { configuration: 'current' })).status, 202);
    const work = await agent.finishNext();
    assert.deepEqual([first?.type, first?.revision], ['git', await origin.tip()]);
    assert.deepEqual(work.materials, [first]);
    assert.ok(work.environment.some(({ name, value }) => name === 'GO_REVISION' && value === first?.revision));
    assert.equal(await lab.result('moved', 1, 'two'), 'Passed');
  });

  test('a change to a material of another group fails the job with a message', async () => {
    const { whole } = await started('remade', { stages: [stage('one'), stage('two', MANUAL)] });
    await agent.finishNext();
    assert.equal(await lab.result('remade', 1, 'one'), 'Passed');
    assert.equal((await lab.server.delete('/api/admin/pipelines/remade')).status, 200);
    const other = { ...whole, materials: [git(await lab.origin('remade-next'))] };
    await lab.pipeline('remade', other, 'others');
    assert.equal((await lab.server.post('/api/stages/remade/1/two/run', { configuration: 'current' })).status, 202);
    const polling = new AbortController();
    const poll = agent.poll(polling.signal).catch(() => undefined);
    assert.equal(await lab.result('remade', 1, 'two'), 'Failed');
    polling.abort();
    await poll;
    const console = await lab.console('remade/1/two/1/compile');
    assert.match(console, /The job cannot begin: The run was made from a git material that the pipeline does not have any more/);
  });

  test('a change to a folder of a material of the run fails the job with a message', async () => {
    const [first, second, third] = [await lab.origin('first'), await lab.origin('second'), await lab.origin('third')];
    const stages = [stage('one'), stage('two', MANUAL)];
    await lab.pipeline('swapped', { materials: [git(first, { destination: 'a' }), git(second, { destination: 'b' })], stages });
    await lab.request('swapped', { updatesMaterials: true });
    await agent.finishNext();
    assert.equal(await lab.result('swapped', 1, 'one'), 'Passed');
    await lab.pipeline('swapped', { materials: [git(first, { destination: 'b' }), git(third, { destination: 'a' })], stages });
    assert.equal((await lab.server.post('/api/stages/swapped/1/two/run', { configuration: 'current' })).status, 202);
    const polling = new AbortController();
    const poll = agent.poll(polling.signal).catch(() => undefined);
    assert.equal(await lab.result('swapped', 1, 'two'), 'Failed');
    polling.abort();
    await poll;
    assert.match(await lab.console('swapped/1/two/1/compile'), /The job cannot begin: .* two of the run would share a folder/);
  });

  test('a job that is deleted is cancelled while it waits, and goes on if an agent has it', async () => {
    const { whole } = await started('shrunk', { stages: [stage('build', { jobs: [job('begun'), job('waiting')] }), stage('after')] });
    const work = await agent.take();
    assert.equal(work.locator.job, 'begun');
    await lab.pipeline('shrunk', { ...whole, stages: [stage('build', { jobs: [job('other')] }), stage('after')] });
    const row = await lab.stage('shrunk', 1, 'build');
    await until('the cancel', async () => (await lab.jobs(row)).some(({ result }) => result === 'Cancelled'));
    await agent.begin(work);
    assert.equal((await agent.complete(work)).status, 200);
    assert.equal(await lab.result('shrunk', 1, 'build'), 'Cancelled');
    assert.equal((await lab.stageRuns(await lab.run('shrunk', 1))).length, 1);
  });

  test('a job that waits while its pipeline is moved to another environment gets the variables of that one', async () => {
    const variables = (value: string) => [{ name: 'WHERE', value, secure: false }];
    for (const name of ['first-env', 'second-env'])
      await lab.post('/api/admin/environments', { name, environment_variables: variables(name) });
    const change = (name: string, pipelines: JsonBody) => lab.server.patch(`/api/admin/environments/${name}`, { pipelines });
    const origin = await lab.origin('relocated');
    await lab.pipeline('relocated', { materials: [git(origin)], stages: [stage()] });
    accepted(await change('first-env', { add: ['relocated'] }));
    await lab.poll('relocated');
    await lab.run('relocated', 1);
    accepted(await change('first-env', { remove: ['relocated'] }));
    accepted(await change('second-env', { add: ['relocated'] }));
    const other = await lab.agent({ environments: ['second-env'] });
    const { environment } = await other.finishNext();
    const valuesOf = (wanted: string) => environment.filter(({ name }) => name === wanted).map(({ value }) => value);
    assert.deepEqual([valuesOf('WHERE'), valuesOf('GO_ENVIRONMENT_NAME')], [['second-env'], ['second-env']]);
    assert.equal(await lab.result('relocated', 1, 'build'), 'Passed');
    await other.stop();
  });

  test('a pipeline that is deleted lets its agent finish, and starts nothing more', async () => {
    await started('deleted', { stages: [stage('one'), stage('two')] });
    const work = await agent.take();
    await agent.begin(work);
    assert.equal((await lab.server.delete('/api/admin/pipelines/deleted')).status, 200);
    assert.equal((await agent.complete(work)).status, 200);
    assert.equal(await lab.result('deleted', 1, 'one'), 'Passed');
    assert.equal(lab.engine.state.active.ofPipeline('deleted').length, 0);
    assert.equal(await lab.whyNot('deleted'), 'gone');
    await lab.restart();
    assert.equal(lab.engine.state.active.ofPipeline('deleted').length, 0);
  });
});

describe('secrets', () => {
  const SECRET = 'sesame-77aa';

  test('reach the agent in clear, and are kept nowhere', async () => {
    const environment_variables = [{ name: 'HIDDEN', value: SECRET, secure: true }];
    await started('secretive', { stages: [stage()], environment_variables });
    const [row] = await lab.jobs(await lab.stage('secretive', 1, 'build'));
    const plan = await lab.engine.state.jobs.planOf(row!.id);
    assert.match(plan ?? '', /HIDDEN/);
    assert.ok(!plan?.includes(SECRET));
    const work = await agent.take();
    assert.deepEqual(
      work.environment.find(({ name }) => name === 'HIDDEN'),
      { name: 'HIDDEN', value: SECRET, is_secret: true },
    );
    await agent.begin(work);
    await agent.complete(work);
    await lab.result('secretive', 1, 'build');
    const stored = await rowsIn(lab.server.dataDir, 'select * from events');
    assert.ok(stored.length > 0);
    assert.ok(!JSON.stringify(stored).includes(SECRET));
    assert.ok(!lab.server.log.includes(SECRET));
  });

  test('secrets that cannot be resolved fail the job with a message, and its agent takes the next', async () => {
    const file = join(lab.directory, 'secrets.json');
    writeSecretsFile(file, { known: 'plain-4711', inner: 'plain-1147' });
    await lab.post('/api/admin/secret_configs', {
      id: 'vault',
      plugin_id: 'cd.go.secrets.file-based-plugin',
      properties: [{ key: 'SecretsFilePath', value: file }],
      rules: [{ directive: 'allow', action: 'refer', type: 'pipeline_group', resource: '*' }],
    });
    const environment_variables = [
      { name: 'A', value: '{{SECRET:[vault][known]}}', secure: false },
      { name: 'URL', value: 'db://app:{{SECRET:[vault][inner]}}@db', secure: false },
    ];
    const jobs = [job('compile', { environment_variables }), job('lint')];
    const { origin } = await started('unresolved', { stages: [stage('build', { jobs })] });
    const first = await agent.take();
    assert.deepEqual(
      first.environment.find(({ name }) => name === 'A'),
      { name: 'A', value: 'plain-4711', is_secret: true },
      'as long as it is there',
    );
    assert.deepEqual(first.secrets?.toSorted(), ['plain-1147', 'plain-4711'], 'each on its own, for the console');
    await agent.begin(first);
    await agent.complete(first);
    await agent.finishNext();
    await lab.result('unresolved', 1, 'build');
    writeSecretsFile(file, { other: 'plain-0815' });
    await origin.commit('more');
    await lab.poll('unresolved');
    await lab.run('unresolved', 2);
    const order = await agent.poll();
    assert.ok(order.order === 'work', 'the next job comes at once');
    assert.equal(order.work.locator.job, 'lint');
    await agent.begin(order.work);
    await agent.complete(order.work);
    assert.equal(await lab.result('unresolved', 2, 'build'), 'Failed');
    const console = await lab.console('unresolved/2/build/1/compile');
    assert.match(console, /The job cannot begin: The secret config 'vault' has no secret 'known', 'inner'\./);
    assert.doesNotMatch(console, /plain-/);
  });
});

test('secrets of an environment are for whom the rules allow the environment', async (context) => {
  const own = await BuildLab.forTest(context);
  const file = join(own.directory, 'secrets.json');
  writeSecretsFile(file, { key: 'plain-4711' });
  const allowed = (type: string, resource: string) => ({ directive: 'allow', action: 'refer', type, resource });
  for (const [id, rule] of Object.entries({ open: allowed('environment', 'prod*'), closed: allowed('pipeline_group', '*') }))
    await own.post('/api/admin/secret_configs', {
      id,
      plugin_id: 'cd.go.secrets.file-based-plugin',
      properties: [{ key: 'SecretsFilePath', value: file }],
      rules: [rule],
    });
  const origin = await own.origin('released');
  const environment = (id: string) => ({
    name: 'production',
    pipelines: [{ name: 'released' }],
    environment_variables: [{ name: 'KEY', value: `{{SECRET:[${id}][key]}}`, secure: false }],
  });
  await own.pipeline('released', { materials: [git(origin)], stages: [stage('build', MANUAL)] });
  await own.poll('released');
  await own.post('/api/admin/environments', environment('open'));
  const someone = await own.agent({ environments: ['production'] });
  await own.request('released');
  const work = await someone.finishNext();
  assert.equal(work.environment.find(({ name }) => name === 'KEY')?.value, 'plain-4711');
  assert.equal(await own.result('released', 1, 'build'), 'Passed');
  const { etag } = await own.server.get('/api/admin/environments/production');
  accepted(await own.server.put('/api/admin/environments/production', environment('closed'), etag));
  await own.request('released');
  const polling = someone.ordered('work').catch(() => undefined);
  assert.equal(await own.result('released', 2, 'build'), 'Failed');
  await someone.stop();
  await polling;
  assert.match(
    await own.console('released/2/build/1/compile'),
    /The environment 'production' may not refer to secrets of the secret config 'closed'/,
  );
});

test('maintenance mode starts nothing new, lets running jobs end, and all goes on afterwards', async () => {
  const { origin } = await started('maintained', { stages: [stage('one'), stage('two')] });
  const work = await agent.take();
  await agent.begin(work);
  assert.equal((await lab.server.ask('POST', '/api/admin/maintenance_mode/enable', CONFIRM)).status, 204);
  await agent.print(work, 'still here\n');
  assert.equal((await agent.complete(work)).status, 200);
  assert.equal(await lab.result('maintained', 1, 'one'), 'Passed');
  await origin.commit('more');
  assert.equal(await lab.whyNot('maintained'), 'maintenance');
  const taking = agent.take();
  await until('the held poll', () => lab.parts.builds.sessions.heldPolls > 0);
  assert.equal(lab.engine.state.active.waitingCount, 1, 'the next stage waits');
  assert.equal((await lab.server.ask('POST', '/api/admin/maintenance_mode/disable', CONFIRM)).status, 204);
  const next = await taking;
  assert.equal(next.locator.stage, 'two');
  await agent.begin(next);
  await agent.complete(next);
  assert.equal(await lab.result('maintained', 1, 'two'), 'Passed');
});

test('a full disk starts nothing new', async (context) => {
  const folder = smallDisk(context, 64);
  if (folder === undefined) return;
  const own = await BuildLab.forTest(context, { 'disk-full-mb': '24', 'disk-warning-mb': '24' });
  accepted(await own.server.put('/api/admin/config/server/artifact_config', { artifacts_dir: folder }, '*'));
  await own.restart();
  const someone = await own.agent();
  const origin = await own.origin('full');
  await own.pipeline('full', { materials: [git(origin)], stages: [stage('one'), stage('two')] });
  await own.poll('full');
  const work = await someone.take();
  await someone.begin(work);
  const filler = join(folder, 'filler');
  writeFileSync(filler, Buffer.alloc(48 * 1024 * 1024));
  const { disk } = own.parts;
  await until('the full disk', () => disk.isFull('artifacts'));
  await someone.complete(work);
  await own.result('full', 1, 'one');
  assert.equal(await own.whyNot('full'), 'disk_full');
  for (const [path, body] of [
    ['run', { configuration: 'current' }],
    ['1/run-selected-jobs', { jobs: ['compile'] }],
  ] as const) {
    const { status, json } = await own.server.post(`/api/stages/full/1/one/${path}`, body);
    assert.deepEqual([status, json.message], [507, 'Cannot schedule: The server has run out of disk space'], path);
  }
  const taking = someone.take();
  await until('the held poll', () => own.parts.builds.sessions.heldPolls > 0);
  assert.equal(own.engine.state.active.waitingCount, 1);
  await pause(WHILE_MS);
  assert.equal(own.engine.state.active.waitingCount, 1, 'nobody gets it');
  rmSync(filler);
  const next = await taking;
  assert.equal(next.locator.stage, 'two');
  assert.equal(disk.isFull('artifacts'), false);
  await someone.begin(next);
  await someone.complete(next);
  await own.result('full', 1, 'two');
});
