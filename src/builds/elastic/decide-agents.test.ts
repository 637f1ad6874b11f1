// Tests which agents have to go, and which jobs get one.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ListedAgent } from '../../contracts/plugins/elastic-agent.ts';
import { type ClusterFacts, decideAgents, type RegisteredAgent } from './decide-agents.ts';
import { failedAgain, retryAt } from './retry.ts';

const NOW = 1_000_000_000;
const MINUTE = 60_000;

function agentFor(jobId: number, more: Partial<ListedAgent> = {}): ListedAgent {
  return { agentId: `agent-${jobId}`, jobId, keyHash: 'hash', createdAt: NOW - 1000, state: 'running', detail: 'Up 1 second', ...more };
}

function decide(more: Partial<ClusterFacts>, registered: Readonly<Record<string, RegisteredAgent>> = {}) {
  const { removals, creations, waiting } = decideAgents({
    now: NOW,
    limits: { registerWithinMs: 10 * MINUTE },
    agents: [],
    waiting: [],
    asked: new Set(),
    stuck: new Set(),
    registered: (agentId) => registered[agentId],
    isHeld: false,
    ...more,
  });
  return { removed: removals.map(({ agent, failure }) => [agent.agentId, failure]), creations, waiting };
}

const waits = (...ids: number[]) => ids.map((id) => ({ id, failures: undefined }));
const IDLE: RegisteredAgent = { isWorking: false, isLost: false, isDisabled: false };

describe('jobs', () => {
  test('get one agent each', () => {
    assert.deepEqual(decide({ waiting: waits(1, 2) }).creations, [1, 2]);
    assert.deepEqual(decide({ waiting: waits(1, 2), agents: [agentFor(1)], asked: new Set([2]) }).creations, []);
  });

  test('get no agent while nothing may start', () => {
    const { creations, waiting } = decide({ waiting: waits(1), isHeld: true });
    assert.deepEqual(creations, []);
    assert.match(waiting.get(1)!.message, /maintenance mode/);
  });

  test('do not get all their agents at once', () => {
    const many = Array.from({ length: 30 }, (_, index) => index);
    assert.equal(decide({ waiting: waits(...many) }).creations.length, 10);
    assert.deepEqual(decide({ waiting: waits(...many), asked: new Set(many.slice(0, 8)) }).creations, [8, 9]);
  });

  test('get agents oldest first, as many as the cluster may have', () => {
    const limits = { maxAgents: 3, registerWithinMs: MINUTE };
    const { creations, waiting } = decide(
      { limits, waiting: waits(2, 3, 4), agents: [agentFor(1), agentFor(2)] },
      { 'agent-1': { ...IDLE, isWorking: true } },
    );
    assert.deepEqual(creations, [3]);
    assert.deepEqual([waiting.get(4)?.problem, /allows \(3\)/.test(waiting.get(4)!.message)], [undefined, true]);
  });

  test('wait while agents that cannot be removed keep their places, which is no new failure', () => {
    const limits = { maxAgents: 2, registerWithinMs: MINUTE };
    const agents = [agentFor(1, { state: 'ended' }), agentFor(2, { state: 'ended' })];
    const { removed, creations, waiting } = decide({ limits, agents, waiting: waits(1, 3), stuck: new Set(['agent-1', 'agent-2']) });
    assert.deepEqual(removed, [
      ['agent-1', undefined],
      ['agent-2', undefined],
    ]);
    assert.deepEqual(creations, []);
    assert.match(waiting.get(1)!.message, /allows \(2\)/);
    const one = decide({ limits, agents: agents.slice(0, 1), waiting: waits(1, 3), stuck: new Set(['agent-1']) });
    assert.deepEqual(one.creations, [1]);
  });

  test('get the places of agents that have to go', () => {
    assert.deepEqual(
      decide({ limits: { maxAgents: 1, registerWithinMs: MINUTE }, waiting: waits(2), agents: [agentFor(1)] }).creations,
      [2],
    );
  });

  test('wait while as many agents as allowed start or are asked for', () => {
    const limits = { maxStarting: 2, registerWithinMs: MINUTE };
    const agents = [agentFor(1, { state: 'starting' }), agentFor(5)];
    assert.deepEqual(decide({ limits, waiting: waits(1, 2, 3, 5), agents, asked: new Set([2]) }).creations, []);
    assert.deepEqual(decide({ limits, waiting: waits(1, 3, 4, 5), agents }).creations, [3]);
  });

  test('wait longer for an agent each time that one failed', () => {
    const first = failedAgain(undefined, 'No such image.', NOW);
    const second = failedAgain(first, 'No such image.', NOW);
    assert.deepEqual([retryAt(first) - NOW, retryAt(second) - NOW], [10_000, 20_000]);
    assert.equal(retryAt({ ...second, count: 40 }) - NOW, 5 * MINUTE);
    const early = decide({ waiting: [{ id: 1, failures: first }], now: retryAt(first) - 1 });
    assert.deepEqual(
      [early.creations, early.waiting.get(1)],
      [[], { message: 'No such image. It is tried again.', problem: 'No such image.' }],
    );
    const again = decide({ waiting: [{ id: 1, failures: first }], now: retryAt(first) });
    assert.deepEqual([again.creations, again.waiting.get(1)?.problem], [[1], 'No such image.']);
  });
});

describe('agents', () => {
  test('agents that have not registered have some minutes to do so', () => {
    const limits = { registerWithinMs: 2 * MINUTE };
    const { removed, waiting } = decide({ limits, waiting: waits(1), agents: [agentFor(1)] });
    assert.deepEqual(removed, []);
    assert.deepEqual([waiting.get(1)?.problem, /has not registered yet/.test(waiting.get(1)!.message)], [undefined, true]);
    const late = decide({ limits, waiting: waits(1), agents: [agentFor(1, { createdAt: NOW - 2 * MINUTE })] });
    assert.deepEqual(late.removed, [['agent-1', 'The agent agent-1 did not register within 2 minutes. In the cluster it is Up 1 second.']]);
    assert.deepEqual([late.creations, /It is tried again\.$/.test(late.waiting.get(1)!.message)], [[], true], 'not at once');
  });

  test('agents with a creation time in the future do not get more time to register', () => {
    const agents = [agentFor(1, { createdAt: NOW + 60 * MINUTE })];
    assert.match(String(decide({ waiting: waits(1), agents }).removed[0]?.[1]), /did not register within 10 minute/);
  });

  test('agents that have registered may be idle for any time', () => {
    const agents = [agentFor(1, { createdAt: NOW - 60 * MINUTE })];
    assert.deepEqual(decide({ waiting: waits(1), agents }, { 'agent-1': IDLE }).removed, []);
    const disabled = decide({ waiting: waits(1), agents }, { 'agent-1': { ...IDLE, isDisabled: true } });
    assert.match(disabled.waiting.get(1)!.message, /an administrator has disabled it/);
  });

  test('agents that ended or were lost before they took their job count as failed', () => {
    const ended = decide({ waiting: waits(1), agents: [agentFor(1, { state: 'ended', detail: 'Exited (127)' })] });
    assert.deepEqual(ended.removed, [['agent-1', 'The agent agent-1 has ended before it took the job: Exited (127).']]);
    const lost = decide({ waiting: waits(1), agents: [agentFor(1)] }, { 'agent-1': { ...IDLE, isLost: true } });
    assert.deepEqual(lost.removed, [['agent-1', 'The agent agent-1 has lost contact before it took the job.']]);
  });

  test('agents that were made but not started are given up, unless they are about to be started', () => {
    const agents = [agentFor(1, { state: 'unstarted' })];
    assert.deepEqual(decide({ waiting: waits(1), agents, asked: new Set([1]) }).removed, []);
    assert.deepEqual(decide({ waiting: waits(1), agents }).removed, [['agent-1', 'The agent agent-1 was made, but not started.']]);
  });

  test('agents at work stay until they are lost or have ended', () => {
    const working = { ...IDLE, isWorking: true };
    assert.deepEqual(decide({ agents: [agentFor(1)] }, { 'agent-1': working }).removed, []);
    assert.deepEqual(decide({ agents: [agentFor(1)] }, { 'agent-1': { ...working, isLost: true } }).removed, [['agent-1', undefined]]);
    assert.deepEqual(decide({ agents: [agentFor(1, { state: 'ended' })] }, { 'agent-1': working }).removed, [['agent-1', undefined]]);
  });

  test('agents whose job is done, cancelled or unknown go, whether they have registered or not', () => {
    assert.deepEqual(decide({ agents: [agentFor(1)] }, { 'agent-1': IDLE }).removed, [['agent-1', undefined]]);
    assert.deepEqual(decide({ agents: [agentFor(1)] }).removed, [['agent-1', undefined]]);
  });
});
