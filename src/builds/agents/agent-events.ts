// The events of agents: the agent and the change; never a token or a key.
import type { EventType } from '../../shape/event-types.ts';
import type { NewEvent } from '../../store/write-with-events.ts';
import type { Agent } from './agent.ts';

type Data = NewEvent['data'];

const MEMBERS = {
  hostname: 'hostname',
  ipAddress: 'ip_address',
  sandbox: 'sandbox',
  operatingSystem: 'operating_system',
  version: 'version',
  resources: 'resources',
  ownEnvironments: 'environments',
} as const satisfies Partial<Record<keyof Agent, string>>;

export function agentRegistered(agent: Agent): NewEvent {
  const { ipAddress: address, configState: state, elastic, isLocal } = agent;
  return event('agent.registered', null, agent, { address, state, elastic_plugin_id: elastic?.pluginId ?? null, is_local: isLocal });
}

export function agentDeleted(agent: Agent, actor: string): NewEvent {
  return event('agent.deleted', actor, agent);
}

export function agentLost(agent: Agent): NewEvent {
  return event('agent.lost', null, agent);
}

export function agentReturned(agent: Agent): NewEvent {
  return event('agent.returned', null, agent);
}

/** The events of a change. `actor`: null for a change that the agent itself reported. */
export function changeEvents(before: Agent, after: Agent, actor: string | null): NewEvent[] {
  const changes = Object.entries(MEMBERS).flatMap(([key, name]) => {
    const value = after[key as keyof typeof MEMBERS];
    return JSON.stringify(before[key as keyof typeof MEMBERS]) === JSON.stringify(value) ? [] : [[name, value] as const];
  });
  return [
    ...(changes.length > 0 ? [event('agent.changed', actor, after, { changes: Object.fromEntries(changes) })] : []),
    ...(before.configState !== after.configState && after.configState !== 'Pending'
      ? [event(after.configState === 'Enabled' ? 'agent.enabled' : 'agent.disabled', actor, after)]
      : []),
  ];
}

function event(type: EventType, actor: string | null, { uuid, hostname }: Agent, data: Data = {}): NewEvent {
  return { type, actor, about: [{ resource: 'agents', id: uuid }], data: { hostname, ...data } };
}
