// Which agents may call the paths of the protocol that are for agents at work.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { agentOf } from '../../src/api/endpoints/agent-protocol/agent-of.ts';
import { FakeClock } from '../../src/kit/concurrency/fake-clock.ts';
import { AgentLab, registrationBody } from './lab.ts';

const clock = new FakeClock();
let lab: AgentLab;
before(async () => {
  lab = await AgentLab.start(clock);
});
after(() => lab.stop());

const from = (authorization: string | undefined) =>
  agentOf(lab, { header: (name) => (name === 'authorization' ? authorization : undefined) });

test('an enabled agent may call, and so may a disabled one, so that its current job can end', async () => {
  const { uuid, token } = await lab.enabled();
  assert.equal(from(`Bearer ${token}`).uuid, uuid);
  assert.equal(from(`bearer  ${token} `).uuid, uuid);
  await lab.server.patch(`/api/agents/${uuid}`, { agent_config_state: 'Disabled' });
  assert.equal(from(`Bearer ${token}`).configState, 'Disabled');
});

test('a call of an agent counts as contact', async () => {
  const { uuid, token } = await lab.enabled();
  await clock.forward(100_000);
  from(`Bearer ${token}`);
  assert.equal(lab.sessions.lastContactAt(uuid), clock.now());
});

test('a pending agent may not call, nor may anybody with a wrong token', async () => {
  const { token } = (await lab.register(registrationBody())).json;
  assert.throws(() => from(`Bearer ${token}`), { kind: 'forbidden' });
  for (const wrong of [undefined, '', 'Bearer', `Basic ${token}`, token, `Bearer ${'0'.repeat(64)}`, `Bearer ${'x'.repeat(10_000)}`]) {
    assert.throws(() => from(wrong), { kind: 'unauthenticated' });
  }
});

test('no agent may call while another server runs builds', async () => {
  const { token } = await lab.enabled();
  await lab.end();
  assert.throws(() => from(`Bearer ${token}`), { kind: 'unavailable' });
  await lab.begin();
});
