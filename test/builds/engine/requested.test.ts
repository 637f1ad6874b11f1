// Runs that users and timers ask for, through a whole server with real repositories.
import assert from 'node:assert/strict';
import { after as afterAll, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { healthOf } from '../../support/server/health.ts';
import { until } from '../../support/until.ts';
import { BuildLab, git, MANUAL, stage } from './lab.ts';

const WHILE_MS = 200;
let lab: BuildLab;
before(async () => {
  lab = await BuildLab.start();
});
afterAll(() => lab.stop());

describe('runs that a user asks for', () => {
  test('a requested run has the latest revisions, and the configured variables with changed values', async () => {
    const origin = await lab.origin('hand');
    await lab.pipeline('hand', {
      materials: [git(origin)],
      stages: [stage('build', MANUAL)],
      environment_variables: [{ name: 'LEVEL', value: 'low', secure: false }],
    });
    await lab.poll('hand');
    const agent = await lab.agent();
    const tip = await origin.commit('news');
    const variables = [
      { name: 'LEVEL', value: 'high' },
      { name: 'OTHER', value: 'x' },
    ] as never;
    await lab.request('hand', { updatesMaterials: true, variables });
    const run = await lab.run('hand', 1);
    assert.deepEqual([run.message, run.approver, run.trigger], ['Forced by ann', 'ann', 'manual']);
    assert.deepEqual([...(await lab.revisionsOf(run)).values()], [tip], 'materials were polled first');
    const work = await agent.finishNext();
    const values = (name: string) => work.environment.filter((one) => one.name === name).map(({ value }) => value);
    assert.equal(values('LEVEL').at(-1), 'high');
    assert.deepEqual(values('OTHER'), [], 'only names that are there');
    assert.equal(values('GO_TRIGGER_USER').at(-1), 'ann');
    await lab.result('hand', 1, 'build');
    await until('the request is served', () => !lab.engine.requests.isWaiting('hand'));
    await lab.request('hand');
    const second = await lab.run('hand', 2);
    assert.deepEqual([...(await lab.revisionsOf(second)).values()], [tip], 'without changes, too');
    await agent.finishNext();
    await lab.result('hand', 2, 'build');
  });

  test('a run requested before maintenance mode waits for its end', async () => {
    await lab.pipeline('maintained', { materials: [git(await lab.origin('maintained'))], stages: [stage('build', MANUAL)] });
    await lab.poll('maintained');
    await lab.parts.maintenance.enable({ by: 'ann', reason: null, until: null, survivesRestart: false });
    await lab.request('maintained');
    await pause(WHILE_MS);
    assert.ok(lab.engine.requests.isWaiting('maintained'));
    assert.ok(!(await healthOf(lab.server)).some(({ message }) => message.includes('maintained')));
    await lab.parts.maintenance.disable('ann');
    await (await lab.agent()).finishNext();
    assert.equal(await lab.result('maintained', 1, 'build'), 'Passed');
  });

  test('a requested revision is built, and the next change still sets off a run', async () => {
    const origin = await lab.origin('pegged');
    await lab.pipeline('pegged', { materials: [git(origin)], stages: [stage()] });
    const first = await origin.tip();
    await lab.poll('pegged');
    const agent = await lab.agent();
    await agent.finishNext();
    await lab.result('pegged', 1, 'build');
    const second = await origin.commit('second');
    await lab.poll('pegged');
    await agent.finishNext();
    await lab.result('pegged', 2, 'build');
    const fingerprint = await lab.fingerprintOf('pegged');
    await lab.request('pegged', { pinned: [[fingerprint, first]] });
    const run = await lab.run('pegged', 3);
    assert.deepEqual([...(await lab.revisionsOf(run)).values()], [first]);
    const work = await agent.finishNext();
    assert.equal(work.materials[0]!.revision, first);
    await lab.result('pegged', 3, 'build');
    assert.equal(await lab.whyNot('pegged'), 'already_run', `the newest, ${second}, has run before`);
    const [reason] = (await lab.server.get('/api/pipelines/pegged/why')).json.reasons;
    assert.match(reason.message, /^The newest revisions of all materials have been run already\./);
    await origin.commit('third');
    await lab.poll('pegged');
    await lab.run('pegged', 4);
    await agent.finishNext();
    await lab.result('pegged', 4, 'build');
    await lab.request('pegged', { pinned: [[fingerprint, 'nonsense']] });
    await until('the message', async () =>
      (await healthOf(lab.server)).find(({ message: text }) => text === "Could not trigger pipeline 'pegged'"),
    );
    assert.equal((await lab.runs('pegged')).length, 4);
    await origin.commit('fifth');
    await lab.poll('pegged');
    await agent.finishNext();
    await lab.result('pegged', 5, 'build');
    assert.ok(!(await healthOf(lab.server)).some(({ message }) => message.includes("'pegged'")), 'it has run since');
  });

  test('the beginning of a known hash is enough, unless several begin so', async () => {
    const origin = await lab.origin('short');
    await lab.pipeline('short', { materials: [git(origin)], stages: [stage('build', MANUAL)] });
    await lab.poll('short');
    const first = await origin.tip();
    const fingerprint = await lab.fingerprintOf('short');
    const { stored, modifications } = lab.parts.materials.ofBuilds;
    const material = await stored.find(fingerprint);
    assert.ok(material);
    const digits = 'abcdef0';
    const fields = { userName: null, email: null, comment: null, modifiedTime: new Date(0), files: [] };
    for (const end of ['1', 'f']) await modifications.record(material.id, [{ ...fields, revision: digits + end.repeat(33) }]);
    const ask = async (revision: string) => {
      const order = { update_materials_before_scheduling: false, materials: [{ fingerprint, revision }] };
      const { status, json } = await lab.server.post('/api/pipelines/short/schedule', order);
      return [status, json.message];
    };
    const refused = (reason: string) => [422, `Request to schedule pipeline rejected { Material [${fingerprint}] ${reason} }`];
    assert.deepEqual(await ask(digits), refused(`has several revisions that begin with '${digits}': give more of it`));
    assert.deepEqual(await ask(first.slice(0, 6)), refused(`has no revision '${first.slice(0, 6)}'`));
    assert.deepEqual(await ask('0000000'), refused("has no revision '0000000'"));
    assert.equal((await ask(first.slice(0, 10).toUpperCase()))[0], 202);
    const run = await lab.run('short', 1);
    const [used] = await lab.engine.state.runs.revisionsOf([run.id]);
    const [built] = await modifications.byIds([used!.last]);
    assert.equal(built?.revision, first);
    // Its job must not wait for the agents of other tests.
    const agent = await lab.agent();
    await agent.finishNext();
    await lab.result('short', 1, 'build');
  });

  test('changes found by the polls of a requested run do not take its place', async (context) => {
    const [quick, slow] = [await lab.origin('quick'), await lab.origin('slow')];
    const materials = [git(quick, { destination: 'quick', name: 'quick' }), git(slow, { destination: 'slow', name: 'slow' })];
    await lab.pipeline('preferred', { materials, stages: [stage()] });
    const agent = await lab.agent();
    await lab.request('preferred', { updatesMaterials: true });
    await agent.finishNext();
    await lab.result('preferred', 1, 'build');
    const { poller } = lab.parts.materials.ofBuilds;
    const [ofQuick, ofSlow] = (await lab.parts.builds.config.find('preferred'))!.materials.map(({ fingerprint }) => fingerprint);
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const update = poller.requestPoll.bind(poller);
    context.mock.method(poller, 'requestPoll', (one: string) => (one === ofSlow ? released.then(() => update(one)) : update(one)));
    const looked = Promise.withResolvers<void>();
    poller.listen(({ material, isChanged }) => void (material.fingerprint === ofQuick && isChanged && looked.resolve()));
    const tip = await quick.commit('news');
    await lab.request('preferred', { updatesMaterials: true });
    await looked.promise;
    await pause(WHILE_MS);
    assert.equal((await lab.runs('preferred')).length, 1, 'no run by the change');
    release();
    const run = await lab.run('preferred', 2);
    assert.deepEqual([run.message, (await lab.revisionsOf(run)).get('quick')], ['Forced by ann', tip]);
    await agent.finishNext();
    await lab.result('preferred', 2, 'build');
  });

  test('changes found by the polls of a request that fails set the pipeline off', async () => {
    const [found, gone] = [await lab.origin('found'), await lab.origin('gone')];
    const materials = [git(found, { destination: 'found', name: 'found' }), git(gone, { destination: 'gone', name: 'gone' })];
    await lab.pipeline('unserved', { materials, stages: [stage()] });
    const agent = await lab.agent();
    await lab.request('unserved', { updatesMaterials: true });
    await agent.finishNext();
    await lab.result('unserved', 1, 'build');
    await gone.run('branch', '-m', 'main', 'other');
    await found.commit('news');
    await lab.request('unserved', { updatesMaterials: true });
    assert.match((await lab.run('unserved', 2)).message, /^modified by/);
    await agent.finishNext();
    await lab.result('unserved', 2, 'build');
  });

  test('ignored files set nothing off after a run of a requested revision either', async () => {
    const origin = await lab.origin('pegged-docs');
    await lab.pipeline('pegged-docs', { materials: [git(origin, { filter: { ignore: ['docs/**/*'] } })], stages: [stage()] });
    const agent = await lab.agent();
    const first = await origin.tip();
    await lab.poll('pegged-docs');
    await agent.finishNext();
    await lab.result('pegged-docs', 1, 'build');
    await origin.commit('code', { 'src/a.c': '1' });
    await lab.poll('pegged-docs');
    await agent.finishNext();
    await lab.result('pegged-docs', 2, 'build');
    await lab.request('pegged-docs', { pinned: [[await lab.fingerprintOf('pegged-docs'), first]] });
    await agent.finishNext();
    await lab.result('pegged-docs', 3, 'build');
    await origin.commit('words', { 'docs/a.md': '1' });
    await lab.poll('pegged-docs');
    assert.equal(await lab.whyNot('pegged-docs'), 'ignored');
    const [reason] = (await lab.server.get('/api/pipelines/pegged-docs/why')).json.reasons;
    assert.deepEqual(reason.materials[0].files, ['docs/a.md']);
  });

  test('messages about a pipeline are removed with it', async () => {
    const origin = await lab.origin('removed');
    await lab.pipeline('Removed', { materials: [git(origin)], stages: [stage('build', MANUAL)] });
    await lab.poll('Removed');
    await origin.run('branch', '-m', 'main', 'other');
    const isReported = async () => (await healthOf(lab.server)).some(({ message }) => message === "Could not trigger pipeline 'Removed'");
    await lab.request('Removed', { updatesMaterials: true });
    await until('the message', isReported);
    assert.equal((await lab.server.delete('/api/admin/pipelines/Removed')).status, 200);
    await until('no message', async () => !(await isReported()));
    await lab.request('Removed');
    await until('the request is over', () => !lab.engine.requests.isWaiting('Removed'));
    assert.ok(!(await isReported()));
  });

  test('a repository that cannot be polled leaves no run, and says why', async () => {
    const origin = await lab.origin('away');
    await lab.pipeline('away', { materials: [git(origin)], stages: [stage('build', MANUAL)] });
    await lab.poll('away');
    await origin.run('branch', '-m', 'main', 'gone');
    await lab.request('away', { updatesMaterials: true });
    const message = await until('the message', async () =>
      (await healthOf(lab.server)).find(({ message: text }) => text === "Could not trigger pipeline 'away'"),
    );
    assert.notEqual(message.detail, '');
    await until('the request is over', () => !lab.engine.requests.isWaiting('away'));
    assert.deepEqual(await lab.runs('away'), []);
    await origin.run('branch', '-m', 'gone', 'main');
    await lab.request('away', { updatesMaterials: true });
    await lab.run('away', 1);
    await until('no message', async () => !(await healthOf(lab.server)).some(({ message }) => message.includes("'away'")));
    const agent = await lab.agent();
    await agent.finishNext();
    await lab.result('away', 1, 'build');
  });
});

test('a timer runs a pipeline, and only on changes where that is wanted', async () => {
  const origin = await lab.origin('timed');
  const body = { materials: [git(origin)], stages: [stage('build', MANUAL)] };
  await lab.pipeline('timed', { ...body, timer: { spec: '* * * * * ?', only_on_changes: false } });
  await lab.pipeline('timed-changes', { ...body, timer: { spec: '* * * * * ?', only_on_changes: true } });
  const agent = (await lab.agent()).work();
  assert.equal(await lab.result('timed', 2, 'build'), 'Passed');
  const run = await lab.run('timed', 2);
  assert.deepEqual([run.message, run.approver, run.trigger], ['Forced by timer', 'timer', 'timer']);
  assert.equal(await lab.result('timed-changes', 1, 'build'), 'Passed');
  await lab.result('timed', 4, 'build');
  assert.deepEqual(
    (await lab.runs('timed-changes')).map(({ counter }) => counter),
    [1],
  );
  await origin.commit('news');
  assert.equal(await lab.result('timed-changes', 2, 'build'), 'Passed');
  // Where a run takes longer than a second, the timer comes while it is under way. The next time nothing has changed, which is no problem.
  await until('no message', async () => !(await healthOf(lab.server)).some(({ message }) => message.includes('timed-changes')));
  await lab.pipeline('timed', body);
  await lab.pipeline('timed-changes', body);
  await agent.stop();
});

test('a timer that comes while its pipeline may not begin a run is no problem; a request by a person is reported', async () => {
  const origin = await lab.origin('timed-busy');
  const body = { materials: [git(origin)], stages: [stage('build', MANUAL)] };
  await lab.pipeline('timed-busy', { ...body, timer: { spec: '* * * * * ?', only_on_changes: false } });
  await lab.run('timed-busy', 1);
  const { engine } = lab;
  const messages = async () => (await healthOf(lab.server)).filter(({ message }) => message.includes('timed-busy'));
  const serve = async (kind: 'timer' | 'manual') => {
    await lab.request('timed-busy', { kind });
    await until('the end of the request', () => !engine.requests.isWaiting('timed-busy'));
  };
  assert.equal(await lab.whyNot('timed-busy'), 'stage_active');
  await serve('timer');
  assert.deepEqual(await messages(), []);
  lab.pause('timed-busy');
  await serve('timer');
  assert.deepEqual(await messages(), []);
  await lab.pipeline('timed-busy', body);
  await serve('manual');
  assert.deepEqual(
    (await messages()).map(({ level }) => level),
    ['ERROR'],
  );
  await lab.unpause('timed-busy');
  await (await lab.agent()).finishNext();
  await lab.result('timed-busy', 1, 'build');
});

test('an obstacle to a requested run is reported until it is gone', async () => {
  const origin = await lab.origin('obstructed');
  await lab.pipeline('obstructed', { materials: [git(origin)], stages: [stage('build', MANUAL)] });
  await lab.poll('obstructed');
  await lab.request('obstructed');
  await lab.run('obstructed', 1);
  const { engine } = lab;
  const messages = async () => (await healthOf(lab.server)).filter(({ message }) => message.includes('obstructed'));
  const refused = async () => {
    await until('the end of the request before', () => !engine.requests.isWaiting('obstructed'));
    await lab.request('obstructed');
    await until('the end of the request', () => !engine.requests.isWaiting('obstructed'));
    return (await messages()).map(({ detail }) => detail);
  };
  const [detail] = await refused();
  assert.equal(detail, "The first stage 'build' is still in progress in another run. Trigger it again when that has ended.");
  await (await lab.agent()).finishNext();
  assert.equal(await lab.result('obstructed', 1, 'build'), 'Passed');
  await until('no message of the stage', async () => (await messages()).length === 0);
  lab.pause('obstructed');
  assert.equal((await refused()).length, 1);
  await lab.unpause('obstructed');
  await until('no message of the pause', async () => (await messages()).length === 0);
  assert.equal((await lab.runs('obstructed')).length, 1);
});
