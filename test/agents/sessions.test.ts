// Polls of agents: held open, answered at once when there is news, and by one process for each agent.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, beforeEach, describe, test } from 'node:test';
import { STOPPING } from '../../src/builds/agents/sessions.ts';
import type { Order, Poll } from '../../src/contracts/agent-protocol/messages.ts';
import { FakeClock } from '../../src/kit/concurrency/fake-clock.ts';
import { until } from '../support/until.ts';
import { AgentLab, INSTANCE, registrationBody } from './lab.ts';

let lab: AgentLab;
before(async () => {
  lab = await AgentLab.start();
});
after(() => lab.stop());
beforeEach(() => {
  lab.nextOrder = async () => undefined;
  lab.restarted.length = 0;
});

const CANCEL: Order = { order: 'cancel', job: 7 };
const held = (count = 1) => until('the poll', () => lab.sessions.heldPolls === count);
const patchState = (uuid: string, state: string) => lab.server.patch(`/api/agents/${uuid}`, { agent_config_state: state });

describe('a poll', () => {
  test('is answered at once when there is something to do, and the agent and its poll are passed on', async () => {
    const { uuid, token } = await lab.enabled({ resources: ['linux'] });
    const asked: [string, readonly string[], Poll][] = [];
    lab.nextOrder = async (agent, poll) => {
      asked.push([agent.uuid, agent.resources, poll]);
      return CANCEL;
    };
    const jobs = [{ job: 7, epoch: 2, is_cancelling: false }];
    const reply = await lab.poll(token, { jobs, free_space: 5 });
    assert.deepEqual([reply.status, reply.json], [200, CANCEL]);
    assert.deepEqual(asked, [[uuid, ['linux'], { instance: INSTANCE, jobs, free_space: 5, state: 'Enabled' }]]);
  });

  test('is held while there is nothing, and answered when its agent is woken', async () => {
    const { uuid, token } = await lab.enabled();
    let order: Order | undefined;
    let asked = 0;
    lab.nextOrder = async () => {
      asked++;
      return order;
    };
    const polled = lab.poll(token);
    await held();
    await until('the question', () => asked === 1);
    lab.sessions.wake(uuid);
    await until('the question', () => asked === 2);
    assert.equal(lab.sessions.heldPolls, 1, 'there is still nothing to do');
    order = CANCEL;
    lab.sessions.wake(randomUUID());
    assert.equal(asked, 2);
    lab.sessions.wakeAll();
    assert.deepEqual((await polled).json, CANCEL);
  });

  test('is decided again when its agent is woken during the decision', async () => {
    const { uuid, token } = await lab.enabled();
    const questions: PromiseWithResolvers<Order | undefined>[] = [];
    lab.nextOrder = () => {
      questions.push(Promise.withResolvers());
      return questions.at(-1)!.promise;
    };
    const polled = lab.poll(token);
    await until('the question', () => questions.length === 1);
    lab.sessions.wake(uuid);
    lab.sessions.wake(uuid);
    assert.equal(questions.length, 1, 'one question at a time');
    questions[0]!.resolve(undefined);
    await until('the question', () => questions.length === 2);
    questions[1]!.resolve(CANCEL);
    assert.deepEqual((await polled).json, CANCEL);
  });

  test('returns a changed state at once, before or after the poll begins', async () => {
    const { uuid, token } = await lab.enabled();
    const polled = lab.poll(token);
    await held();
    await patchState(uuid, 'Disabled');
    assert.deepEqual((await polled).json, { order: 'state', state: 'Disabled' });
    assert.deepEqual((await lab.poll(token)).json, { order: 'state', state: 'Disabled' });
  });

  test('a poll of a pending agent is held, and answered with nothing until the agent is enabled', async () => {
    const body = registrationBody();
    const { token } = (await lab.register(body)).json;
    lab.nextOrder = async () => CANCEL;
    const polled = lab.poll(token, { state: 'Pending' });
    await held();
    lab.sessions.wakeAll();
    await patchState(body.uuid, 'Enabled');
    assert.deepEqual((await polled).json, { order: 'state', state: 'Enabled' });
  });

  test('a poll of a deleted agent ends, and the token opens nothing any more', async () => {
    const { uuid, token } = await lab.enabled();
    await patchState(uuid, 'Disabled');
    const polled = lab.poll(token, { state: 'Disabled' });
    await held();
    assert.equal((await lab.server.delete(`/api/agents/${uuid}`)).status, 200);
    assert.equal((await polled).status, 401);
    assert.equal((await lab.poll(token)).status, 401);
  });

  test('takes the place of an earlier one of the same process', async () => {
    const { uuid, token } = await lab.enabled();
    const first = lab.poll(token);
    await held();
    const second = lab.poll(token);
    assert.deepEqual((await first).json, { order: 'none' });
    await held();
    lab.nextOrder = async () => CANCEL;
    lab.sessions.wake(uuid);
    assert.deepEqual((await second).json, CANCEL);
  });

  test('a poll that fails is reported, and can be tried again', async () => {
    const { token } = await lab.enabled();
    lab.nextOrder = async () => {
      throw new Error('broken');
    };
    const reply = await lab.poll(token);
    assert.deepEqual([reply.status, reply.headers.get('retry-after')], [503, '1']);
    assert.match(String(lab.failures.pop()), /broken/);
  });

  test('a poll that says nonsense is refused, and the field named', async () => {
    const { token } = await lab.enabled();
    for (const [field, value] of [
      ['jobs', [{ job: 'x' }]],
      ['jobs', {}],
      ['state', 'Busy'],
      ['instance', null],
      ['free_space', 'much'],
    ] as const) {
      const reply = await lab.poll(token, { [field]: value });
      assert.equal(reply.status, 422, field);
      assert.ok(reply.json.data.errors[field]);
    }
  });

  test('is not logged, but for failures', async () => {
    const { token } = await lab.enabled();
    lab.nextOrder = async () => CANCEL;
    const before = lab.server.lines.length;
    await lab.poll(token);
    await lab.poll(token, { state: 'Busy' });
    const logged = lab.server.lines.slice(before).filter((line) => line.includes('/agent/v1/poll'));
    assert.equal(logged.length, 1);
    assert.match(logged[0]!, /422/);
  });
});

describe('a second process of one agent', () => {
  test('is refused while the first is heard of', async () => {
    const { token } = await lab.enabled();
    const reply = await lab.poll(token, { instance: 'another' });
    assert.equal(reply.status, 409);
    assert.match(reply.json.message, /^Another process works as this agent\./);
    assert.deepEqual(lab.restarted, []);
  });

  test('takes over when it registers with the token; the first is refused from then on', async () => {
    const { uuid, token } = await lab.enabled();
    const first = lab.poll(token);
    await held();
    assert.equal((await lab.register(registrationBody({ uuid, instance: 'another' }), token)).status, 201);
    assert.equal((await first).status, 409);
    assert.deepEqual(lab.restarted, [uuid]);
    assert.equal((await lab.poll(token)).status, 409);
    lab.nextOrder = async () => CANCEL;
    assert.deepEqual((await lab.poll(token, { instance: 'another' })).json, CANCEL);
    await lab.register(registrationBody({ uuid, instance: 'another' }), token);
    assert.deepEqual(lab.restarted, [uuid], 'it is the same process');
  });
});

test('after a restart of the server an agent goes on, unless it has been restarted, too', async () => {
  const [one, other] = [await lab.enabled(), await lab.enabled()];
  await lab.restart();
  lab.nextOrder = async () => CANCEL;
  assert.deepEqual((await lab.poll(one.token)).json, CANCEL);
  assert.deepEqual(lab.restarted, []);
  await lab.register(registrationBody({ uuid: other.uuid }), other.token);
  assert.deepEqual(lab.restarted, [other.uuid]);
});

test('a server that stops keeps no agent waiting', async () => {
  // Time stands still, so the poll does not end by itself.
  const other = await AgentLab.start(new FakeClock());
  const { token } = await other.enabled();
  const polled = other.poll(token);
  await until('the poll', () => other.sessions.heldPolls === 1);
  const stopped = other.server.stop();
  assert.deepEqual((await polled).json, { order: 'none' });
  await stopped;
});

test('a server that is about to stop holds no poll, and says when to ask again', async (context) => {
  const own = await AgentLab.start();
  context.after(() => own.stop());
  const { token } = await own.enabled();
  const polled = own.poll(token);
  await until('the poll', () => own.sessions.heldPolls === 1);
  own.sessions.close();
  assert.deepEqual((await polled).json, { order: 'none' });
  const { status, headers, json } = await own.poll(token);
  assert.deepEqual([status, headers.get('retry-after'), json.message], [503, '1', STOPPING]);
  assert.equal(own.sessions.heldPolls, 0);
});
