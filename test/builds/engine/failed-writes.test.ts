// Writes that fail: memory is loaded anew, and decisions based on it are made again.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { until } from '../../support/until.ts';
import { BuildLab, git, stage } from './lab.ts';

test('a write that fails while memory is loaded after another one is not forgotten', async (context) => {
  const lab = await BuildLab.forTest(context);
  const agent = await lab.agent();
  const origin = await lab.origin('unwritten');
  await lab.pipeline('unwritten', { materials: [git(origin)], stages: [stage()] });
  await lab.poll('unwritten');
  const work = await agent.take();
  await agent.begin(work);
  let failures = 0;
  const { events } = lab.parts.configuration.eventLog;
  const write = events.write.bind(events);
  context.mock.method(events, 'write', async (...[writes, ...more]: Parameters<typeof write>) => {
    if (failures === 2 || !writes.some((one) => one.events.some(({ type }) => type === 'stage.completed'))) return write(writes, ...more);
    failures++;
    throw new Error('The disk is full.');
  });
  const { pipelines } = lab.engine.state;
  const requests = pipelines.requests.bind(pipelines);
  context.mock.method(pipelines, 'requests', async () => {
    await until('the second failure', () => failures === 2);
    return requests();
  });
  assert.equal((await agent.complete(work)).status, 200);
  assert.equal(await lab.result('unwritten', 1, 'build'), 'Passed');
  assert.equal(failures, 2);
});

test('a write that fails while the engine starts: the start is over before memory is loaded anew', async (context) => {
  const lab = await BuildLab.forTest(context);
  const agent = await lab.agent();
  const origin = await lab.origin('early');
  await lab.pipeline('early', { materials: [git(origin)], stages: [stage()] });
  await lab.poll('early');
  const work = await agent.take();
  await agent.begin(work);
  let failures = 0;
  const { events } = lab.parts.configuration.eventLog;
  const write = events.write.bind(events);
  context.mock.method(events, 'write', async (...[writes, ...more]: Parameters<typeof write>) => {
    if (failures === 2 || !writes.some((one) => one.events.some(({ type }) => type === 'stage.completed'))) return write(writes, ...more);
    failures++;
    throw new Error('The disk is full.');
  });
  // The stage is left without its end.
  assert.equal((await agent.complete(work)).status, 200);
  await until('the first failure', () => failures === 1);
  await lab.engine.stop();
  const steps: string[] = [];
  const { queue } = lab.engine;
  const { pipelines } = lab.engine.state;
  const [requests, clear] = [pipelines.requests.bind(pipelines), queue.clear.bind(queue)];
  context.mock.method(queue, 'clear', () => {
    steps.push('forgotten');
    clear();
  });
  context.mock.method(pipelines, 'requests', async () => {
    if (steps.length === 0) {
      await until('the second failure', () => failures === 2);
      await pause(100);
    }
    steps.push('started');
    return requests();
  });
  await lab.engine.start();
  assert.equal(await lab.result('early', 1, 'build'), 'Passed');
  assert.deepEqual(steps, ['started', 'forgotten', 'started']);
  assert.equal(lab.engine.isStarted, true);
});
