// Automatic triggers of pipelines: commits, passed stages and changes of the configuration, through a whole server with real repositories.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: labels are written with ${…}
import assert from 'node:assert/strict';
import { after as afterAll, before, describe, test } from 'node:test';
import { until } from '../../support/until.ts';
import { after, BuildLab, git, MANUAL, stage } from './lab.ts';

let lab: BuildLab;
before(async () => {
  lab = await BuildLab.start();
});
afterAll(() => lab.stop());

describe('a commit', () => {
  test('triggers exactly the pipelines on its repository, each once', async () => {
    const [one, other] = [await lab.origin('shared'), await lab.origin('alone')];
    await lab.pipeline('user-a', { materials: [git(one)], stages: [stage()] });
    await lab.pipeline('user-b', { materials: [git(one)], stages: [stage()] });
    await lab.pipeline('stranger', { materials: [git(other)], stages: [stage()] });
    const agent = (await lab.agent()).work();
    await lab.poll('user-a');
    await lab.poll('stranger');
    for (const name of ['user-a', 'user-b', 'stranger']) assert.equal(await lab.result(name, 1, 'build'), 'Passed');
    const revision = await one.commit('second', { 'a.txt': '1' });
    await lab.poll('user-a');
    const run = await lab.run('user-a', 2);
    assert.equal(run.message, 'modified by Ann Other <ann@example.org>');
    assert.equal(run.approver, 'changes');
    assert.deepEqual([...(await lab.revisionsOf(run)).values()], [revision]);
    assert.equal(await lab.result('user-a', 2, 'build'), 'Passed');
    assert.equal(await lab.result('user-b', 2, 'build'), 'Passed');
    for (const name of ['user-a', 'user-b']) assert.equal(await lab.whyNot(name), 'already_run');
    assert.deepEqual(
      (await lab.runs('stranger')).map(({ counter }) => counter),
      [1],
    );
    await agent.stop();
  });

  test('a commit whose files are all ignored triggers nothing, and is part of the next run', async () => {
    const origin = await lab.origin('filtered');
    await lab.pipeline('filtered', { materials: [git(origin, { filter: { ignore: ['docs/**/*.md'] } })], stages: [stage()] });
    await lab.poll('filtered');
    const agent = await lab.agent();
    await agent.finishNext();
    await lab.result('filtered', 1, 'build');
    const ignored = await origin.commit('words', { 'docs/a.md': '1', 'docs/deep/b.md': '2' });
    await lab.poll('filtered');
    assert.equal(await lab.whyNot('filtered'), 'ignored');
    const wanted = await origin.commit('code', { 'src/a.ts': '1' });
    await lab.poll('filtered');
    const run = await lab.run('filtered', 2);
    const [revision] = await lab.engine.state.runs.revisionsOf([run.id]);
    const used = await lab.parts.materials.ofBuilds.modifications.byIds([revision!.first, revision!.last]);
    assert.deepEqual(used.map((one) => one.revision).toSorted(), [ignored, wanted].toSorted());
    await agent.finishNext();
    await lab.result('filtered', 2, 'build');
  });

  test('a commit with an inverted filter counts only where a file matches', async () => {
    const origin = await lab.origin('inverted');
    const attributes = { filter: { ignore: ['src/**/*'] }, invert_filter: true };
    await lab.pipeline('inverted', { materials: [git(origin, attributes)], stages: [stage()] });
    await lab.poll('inverted');
    const agent = await lab.agent();
    await agent.finishNext();
    await lab.result('inverted', 1, 'build');
    await origin.commit('words', { 'docs/a.md': '1' });
    await lab.poll('inverted');
    assert.equal(await lab.whyNot('inverted'), 'ignored');
    await origin.commit('code', { 'src/a.ts': '1' });
    await lab.poll('inverted');
    await lab.run('inverted', 2);
    await agent.finishNext();
    await lab.result('inverted', 2, 'build');
  });

  test('waits until the first stage is done, and the newest of many counts', async () => {
    const origin = await lab.origin('busy');
    await lab.pipeline('busy', { materials: [git(origin)], stages: [stage()] });
    await lab.poll('busy');
    const agent = await lab.agent();
    const work = await agent.take();
    for (const message of ['second', 'third']) await origin.commit(message);
    await lab.poll('busy');
    assert.equal(await lab.whyNot('busy'), 'stage_active');
    await agent.begin(work);
    await agent.complete(work);
    const run = await lab.run('busy', 2);
    assert.deepEqual([...(await lab.revisionsOf(run)).values()], [await origin.tip()]);
    await agent.finishNext();
    await lab.result('busy', 2, 'build');
    assert.equal(await lab.whyNot('busy'), 'already_run');
  });

  test('does not trigger a pipeline whose first stage is manual', async () => {
    const origin = await lab.origin('by-hand');
    await lab.pipeline('by-hand', { materials: [git(origin)], stages: [stage('build', MANUAL)] });
    await lab.poll('by-hand');
    assert.equal(await lab.whyNot('by-hand'), 'manual_first_stage');
    assert.deepEqual(await lab.runs('by-hand'), []);
  });
});

describe('a new pipeline', () => {
  test('a new pipeline on a known repository runs as soon as it is there', async () => {
    const origin = await lab.origin('known');
    await lab.pipeline('known-1', { materials: [git(origin)], stages: [stage()] });
    await lab.poll('known-1');
    await lab.run('known-1', 1);
    await lab.pipeline('known-2', { materials: [git(origin)], stages: [stage()] });
    await lab.run('known-2', 1);
    await lab.pipeline('known-1', { materials: [git(origin)], stages: [stage()], label_template: 'new-${COUNT}' });
    const agent = (await lab.agent()).work();
    for (const name of ['known-1', 'known-2']) assert.equal(await lab.result(name, 1, 'build'), 'Passed');
    await agent.stop();
  });

  test('a new pipeline below one that has passed runs as soon as it is there', async () => {
    const origin = await lab.origin('above');
    await lab.pipeline('above', { materials: [git(origin)], stages: [stage()] });
    await lab.poll('above');
    const agent = await lab.agent();
    await agent.finishNext();
    await lab.result('above', 1, 'build');
    await lab.pipeline('below', { materials: [after('above')], stages: [stage()] });
    const run = await lab.run('below', 1);
    assert.equal(run.message, 'triggered by above/1/build/1');
    await agent.finishNext();
    await lab.result('below', 1, 'build');
  });

  test('a new pipeline below one that passed before runs with the last of its runs, and knows those in between', async () => {
    const origin = await lab.origin('unwatched');
    await lab.pipeline('unwatched', { materials: [git(origin)], stages: [stage()] });
    await lab.pipeline('watcher', { materials: [after('unwatched')], stages: [stage()] });
    await lab.poll('unwatched');
    const agent = await lab.agent();
    for (let count = 0; count < 2; count++) await agent.finishNext();
    await lab.result('watcher', 1, 'build');
    assert.equal((await lab.server.delete('/api/admin/pipelines/watcher')).status, 200);
    for (const counter of [2, 3]) {
      await origin.commit(`number ${counter}`);
      await lab.poll('unwatched');
      await agent.finishNext();
      await lab.result('unwatched', counter, 'build');
    }
    await lab.pipeline('watcher-2', { materials: [after('unwatched')], stages: [stage()] });
    const run = await lab.run('watcher-2', 1);
    assert.equal(run.message, 'triggered by unwatched/3/build/1');
    const stored = await lab.parts.materials.ofBuilds.stored.find(await lab.fingerprintOf('watcher-2', 'dependency'));
    const { modifications } = await lab.parts.materials.ofBuilds.modifications.page(stored!.id, 0, 10);
    assert.deepEqual(
      modifications.map(({ revision }) => revision),
      ['unwatched/3/build/1', 'unwatched/2/build/1', 'unwatched/1/build/1'],
    );
    await agent.finishNext();
    await lab.result('watcher-2', 1, 'build');
  });

  test('a new pipeline below two runs with the last pair that agrees, if one is ahead', async () => {
    const origin = await lab.origin('uneven');
    for (const name of ['ahead', 'behind']) await lab.pipeline(name, { materials: [git(origin)], stages: [stage()] });
    const agent = await lab.agent();
    await lab.poll('ahead');
    for (let count = 0; count < 2; count++) await agent.finishNext();
    await origin.commit('more');
    await lab.poll('ahead');
    for (let count = 0; count < 2; count++) {
      const work = await agent.take();
      await agent.begin(work);
      await agent.complete(work, work.locator.pipeline === 'behind' ? 'Failed' : 'Passed');
    }
    assert.deepEqual([await lab.result('ahead', 2, 'build'), await lab.result('behind', 2, 'build')], ['Passed', 'Failed']);
    await lab.pipeline('even', { materials: [after('ahead'), after('behind')], stages: [stage()] });
    const revisions = await lab.revisionsOf(await lab.run('even', 1));
    assert.deepEqual([...revisions.values()], ['ahead/1/build/1', 'behind/1/build/1']);
    await agent.finishNext();
    await lab.result('even', 1, 'build');
  });

  test('a pipeline under a new name counts its runs from where they stood', async () => {
    const origin = await lab.origin('again');
    const body = { materials: [git(origin)], stages: [stage()] };
    await lab.pipeline('again', body);
    await lab.poll('again');
    const agent = await lab.agent();
    await agent.finishNext();
    await lab.result('again', 1, 'build');
    assert.equal((await lab.server.delete('/api/admin/pipelines/again')).status, 200);
    await lab.pipeline('AGAIN', body);
    await origin.commit('more');
    await lab.poll('AGAIN');
    const run = await lab.run('AGAIN', 2);
    assert.equal(run.pipeline, 'AGAIN');
    await agent.finishNext();
    await lab.result('AGAIN', 2, 'build');
  });
});

describe('upstream and downstream', () => {
  test('a passed stage triggers the pipelines below it, a failed one does not', async () => {
    const origin = await lab.origin('stream');
    await lab.pipeline('up', { materials: [git(origin)], stages: [stage('build'), stage('test')] });
    await lab.pipeline('down', { materials: [after('up', 'test')], stages: [stage()], label_template: '${up}-x' });
    await lab.poll('up');
    const agent = await lab.agent();
    await agent.finishNext();
    await agent.finishNext('Failed');
    assert.equal(await lab.result('up', 1, 'test'), 'Failed');
    assert.equal(await lab.whyNot('down'), 'no_modifications');
    await origin.commit('better');
    await lab.poll('up');
    await agent.finishNext();
    await agent.finishNext();
    const run = await lab.run('down', 1);
    assert.equal(run.label, '2-x');
    assert.equal(run.message, 'triggered by up/2/test/1');
    const work = await agent.finishNext();
    const variable = (name: string) => work.environment.find((one) => one.name === name)?.value;
    assert.equal(variable('GO_DEPENDENCY_LABEL_UP'), '2');
    assert.equal(variable('GO_DEPENDENCY_LOCATOR_UP'), 'up/2/test/1');
    assert.deepEqual(work.materials, []);
    await lab.result('down', 1, 'build');
  });

  test('a dependency that is ignored for scheduling triggers nothing by itself', async () => {
    const origin = await lab.origin('quiet');
    await lab.pipeline('quiet-up', { materials: [git(origin)], stages: [stage()] });
    const own = await lab.origin('quiet-own');
    await lab.pipeline('quiet-down', {
      materials: [git(own), after('quiet-up', 'build', { ignore_for_scheduling: true })],
      stages: [stage()],
    });
    const agent = await lab.agent();
    await lab.poll('quiet-up');
    await agent.finishNext();
    await lab.result('quiet-up', 1, 'build');
    await lab.poll('quiet-down');
    await agent.finishNext();
    assert.equal(await lab.result('quiet-down', 1, 'build'), 'Passed');
    await origin.commit('more');
    await lab.poll('quiet-up');
    await agent.finishNext();
    await lab.result('quiet-up', 2, 'build');
    assert.equal(await lab.whyNot('quiet-down'), 'ignored');
    await own.commit('more');
    await lab.poll('quiet-down');
    const run = await lab.run('quiet-down', 2);
    assert.equal((await lab.revisionsOf(run)).get('quiet-up'), 'quiet-up/2/build/1');
    await agent.finishNext();
    await lab.result('quiet-down', 2, 'build');
  });

  test('a diamond runs once for each commit, on the same revision along both ways', async () => {
    const origin = await lab.origin('diamond');
    await lab.pipeline('top', { materials: [git(origin)], stages: [stage()] });
    for (const name of ['left', 'right']) await lab.pipeline(name, { materials: [git(origin), after('top')], stages: [stage()] });
    await lab.pipeline('bottom', { materials: [git(origin), after('left'), after('right')], stages: [stage()] });
    const agent = (await lab.agent()).work();
    await lab.poll('top');
    for (const counter of [1, 2, 3]) {
      assert.equal(await lab.result('bottom', counter, 'build'), 'Passed');
      const revisions = await lab.revisionsOf(await lab.run('bottom', counter));
      assert.equal(revisions.get('left'), `left/${counter}/build/1`);
      assert.equal(revisions.get('right'), `right/${counter}/build/1`);
      assert.ok([...revisions.values()].includes(await origin.tip()));
      await until('rest', () => [...lab.engine.state.active.stageRuns()].length === 0);
      for (const name of ['top', 'left', 'right', 'bottom']) {
        assert.notEqual(await lab.whyNot(name), 'scheduled', name);
        assert.equal((await lab.runs(name)).length, counter, name);
      }
      if (counter === 3) break;
      await origin.commit(`number ${counter}`);
      await lab.poll('top');
    }
    await agent.stop();
  });

  test('a diamond whose ways disagree waits for the slower one', async () => {
    const origin = await lab.origin('waiting');
    for (const name of ['fast', 'slow']) await lab.pipeline(name, { materials: [git(origin)], stages: [stage()] });
    await lab.pipeline('both', { materials: [after('fast'), after('slow')], stages: [stage()] });
    const agent = await lab.agent();
    await lab.poll('fast');
    for (let count = 0; count < 3; count++) await agent.finishNext();
    assert.equal(await lab.result('both', 1, 'build'), 'Passed');
    const [first, next] = [await origin.tip(), await origin.commit('next')];
    await lab.poll('fast');
    const works = [await agent.take()];
    const helper = await lab.agent();
    works.push(await helper.take());
    const [quick, late] = works[0]!.locator.pipeline === 'fast' ? [agent, helper] : [helper, agent];
    const workOf = (name: string) => works.find(({ locator }) => locator.pipeline === name)!;
    await quick.begin(workOf('fast'));
    await quick.complete(workOf('fast'));
    await lab.result('fast', 2, 'build');
    assert.equal(await lab.whyNot('both'), 'already_run', 'the last pair that agrees has run');
    const [reason] = (await lab.server.get('/api/pipelines/both/why')).json.reasons;
    const made = reason.runs.map(({ locator, revision }: { locator: string; revision: string }) => `${locator} ${revision}`);
    assert.deepEqual([reason.rule, made], ['fan_in', [`fast/2/build/1 ${next}`, `slow/1/build/1 ${first}`]]);
    await late.begin(workOf('slow'));
    await late.complete(workOf('slow'));
    const revisions = await lab.revisionsOf(await lab.run('both', 2));
    assert.deepEqual([...revisions.values()], ['fast/2/build/1', 'slow/2/build/1']);
    await helper.finishNext();
    await lab.result('both', 2, 'build');
  });
});
