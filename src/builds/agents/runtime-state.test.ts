import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AgentContact, agentState, buildState, runtimeState } from './runtime-state.ts';

const CONTACT: AgentContact = { lastContactAt: 1000, now: 2000, current: undefined, claimsWork: false };

const TABLE: readonly [string, Partial<AgentContact>, ...string[]][] = [
  ['it never had contact', { lastContactAt: undefined, current: { isCancelling: false } }, 'Missing', 'Missing', 'Unknown'],
  ['it is silent for just less than five minutes', { now: 300_999 }, 'Idle', 'Idle', 'Idle'],
  ['it is silent for five minutes', { now: 301_000, current: { isCancelling: true } }, 'LostContact', 'LostContact', 'Unknown'],
  ['it has a job', { current: { isCancelling: false }, claimsWork: true }, 'Building', 'Building', 'Building'],
  ['it has a job that it does not know of yet', { current: { isCancelling: false } }, 'Building', 'Building', 'Building'],
  ['its job is cancelled', { current: { isCancelling: true } }, 'Cancelled', 'Building', 'Cancelled'],
  ['it works on what is not its job', { claimsWork: true }, 'Unknown', 'Unknown', 'Unknown'],
  ['it has nothing to do', {}, 'Idle', 'Idle', 'Idle'],
];

for (const [when, contact, state, agent, build] of TABLE) {
  test(`${when}: ${state}`, () => {
    const found = runtimeState({ ...CONTACT, ...contact });
    assert.deepEqual([found, agentState(found), buildState(found)], [state, agent, build]);
  });
}
