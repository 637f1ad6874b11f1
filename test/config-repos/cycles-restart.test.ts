// The cycles of a server that is the keeper, then not, then again: changes made meanwhile count, and nothing is done twice.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { Publisher } from '../../src/config-repos/publish/publisher.ts';
import { NotKeeper } from '../../src/kit/concurrency/periodic/keeper.ts';
import type { JsonObject } from '../../src/shape/json/json.ts';
import { until, yaml } from './support/config-repo-server.ts';
import { CycleLab } from './support/cycle-lab.ts';
import { pipeline } from './support.ts';

let lab: CycleLab;
beforeEach(async () => {
  lab = await CycleLab.open();
});
afterEach(async () => {
  await lab.stop();
  await lab.lab.configuration.close();
  assert.deepEqual(lab.faults, []);
});

const pipelines = () => [...lab.lab.configuration.config.of('pipelines').all()].map(({ value }) => String(value.name)).toSorted();
const file = (name: string, upstream?: string) => ({ [`${name}.gocd.yaml`]: yaml('g', { [name]: upstream }) });
const outcomeOf = (id: string) => lab.cycles.knownOf(id).known?.outcome;
const revision = () => lab.lab.configuration.config.revision;

test('definitions in force are neither read nor published again, and results of other servers are known', async () => {
  const one = await lab.add('one', file('a'));
  await lab.rest('one');
  const [reads, before] = [one.reads.length, revision()];
  await lab.stop();
  const { query } = lab.lab.configuration.database;
  await query.updateTable('config_repo_states').set({ message: 'told by another', detail: 'more' }).where('repo', '=', 'one').execute();
  await lab.start();
  await lab.rest('one');
  assert.deepEqual([one.reads.length, revision(), (await lab.parses('one')).length], [reads, before, 1]);
  assert.deepEqual(
    lab.health.all().map(({ message }) => message),
    ['told by another'],
  );

  await lab.stop();
  await query.deleteFrom('config_repo_states').where('repo', '=', 'one').execute();
  await query.deleteFrom('config_repo_files').where('repo', '=', 'one').execute();
  await lab.start();
  await until('another poll', async () => one.reads.length === 2 * reads);
  await lab.rest('one');
  assert.deepEqual([pipelines(), lab.health.all()], [['a'], []]);
});

test('between stop and start, changes of the configuration and polls have no effect, and count at the next start', async () => {
  const one = await lab.add('one', file('a'));
  await lab.rest('one');
  await lab.stop();
  const writes: string[] = [];
  const { database } = lab.lab.configuration;
  const write = database.writeRelaxed.bind(database);
  database.writeRelaxed = (statements) => {
    writes.push(...statements.map(({ sql }) => sql));
    return write(statements);
  };
  const two = await lab.add('two', file('b'));
  await lab.add('three', {});
  one.commit(file('c'));
  lab.pollEnded('one');
  lab.pollEnded('two', 'no route');
  await lab.lab.remove('configRepos', 'three');
  await pause(50);
  assert.deepEqual([pipelines(), writes, two.reads, await lab.parses('two'), lab.health.all()], [['a'], [], [], [], []]);
  await lab.start();
  await until('both', async () => pipelines().length === 3);
  for (const id of ['one', 'two']) await lab.rest(id);
  assert.deepEqual([outcomeOf('one'), outcomeOf('two'), outcomeOf('three')], ['published', 'published', undefined]);
  assert.deepEqual([one.reads, two.reads], [['a.gocd.yaml', 'c.gocd.yaml'], ['b.gocd.yaml']]);
});

test('a repo that was deleted while others were the keeper leaves nothing behind', async () => {
  await lab.add('one', file('a'));
  await lab.rest('one');
  await lab.stop();
  await lab.lab.remove('configRepos', 'one');
  assert.equal((await lab.onDisk('one')).files.length, 1);
  await lab.start();
  assert.deepEqual(await lab.onDisk('one'), { files: [], state: undefined });
});

test('between stop and start, requests fail with NotKeeper', async () => {
  await lab.add('one', file('a'));
  await lab.rest('one');
  await lab.stop();
  await assert.rejects(lab.cycles.update('one'), NotKeeper);
  await assert.rejects(lab.cycles.isUpdating('one'), NotKeeper);
  assert.throws(() => lab.cycles.knownOf('one'), NotKeeper);
  lab.cycles.retryRefused();
});

test('between stop and start, a change takes along a waiting repo as it would with the keeper', async () => {
  const main = (stage: string) => {
    const stages = [{ name: stage, jobs: [{ name: 'j', tasks: [{ type: 'exec', attributes: { command: 'make' } }] }] }];
    return lab.lab.put('pipelines', pipeline('m', { stages }).body as JsonObject);
  };
  const needing = (stage: string) => ({ 'pc.gocd.yaml': file('pc', 'm')['pc.gocd.yaml']!.replace('stage: s', `stage: ${stage}`) });
  await lab.lab.put('pipelineGroups', { name: 'g' });
  await main('s');
  const repository = await lab.add('c', needing('s'));
  await lab.rest('c');
  repository.commit(needing('t'));
  await lab.update('c');
  assert.equal(outcomeOf('c'), 'refused');
  await lab.stop();
  await assert.rejects(main('u'));
  await main('t');
  await lab.start();
  await until('the verdict', async () => outcomeOf('c') === 'published');
  await lab.rest('c');
  assert.equal(repository.reads.length, 2);
});

test('a stop waits for a run that is under way, which begins again at the next start', async () => {
  const one = await lab.add('one', file('a'));
  await lab.rest('one');
  const gate = Promise.withResolvers<void>();
  one.gate = gate.promise;
  one.commit(file('b'));
  await lab.cycles.update('one');
  const running = () => lab.cycles.isUpdating('one');
  await until('the run', running);
  await pause(20);
  await lab.stop();
  assert.deepEqual(pipelines(), ['a']);
  const before = revision();
  gate.resolve();
  await pause(20);
  assert.deepEqual([pipelines(), revision()], [['a'], before], 'nothing goes on after the stop');
  await lab.start();
  await lab.rest('one');
  await until('its pipeline', async () => pipelines().length === 2);
  await lab.rest('one');
  assert.deepEqual([one.reads, revision()], [['a.gocd.yaml', 'b.gocd.yaml'], before + 1]);
});

test('a stop waits for a publication, which cannot be aborted', async (context) => {
  const held = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const { publish } = Publisher.prototype;
  context.mock.method(Publisher.prototype, 'publish', async function (this: Publisher, ...order: Parameters<Publisher['publish']>) {
    begun.resolve();
    await held.promise;
    return publish.apply(this, order);
  });
  await lab.add('one', file('a'));
  await begun.promise;
  let isStopped = false;
  const stopped = lab.stop().then(() => (isStopped = true));
  await pause(50);
  assert.equal(isStopped, false);
  held.resolve();
  await stopped;
  const [inForce, before] = [pipelines(), revision()];
  await lab.start();
  await until('its pipeline', async () => pipelines().length === 1);
  await lab.rest('one');
  assert.equal(revision(), inForce.length === 1 ? before : before + 1, 'published once');
});
