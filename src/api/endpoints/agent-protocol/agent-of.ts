// Which agent a request of the protocol comes from. An agent's token opens only its own paths, and a user's token none of them.
import type { Agent } from '../../../builds/agents/agent.ts';
import type { AgentRegistry } from '../../../builds/agents/registry.ts';
import type { AgentSessions } from '../../../builds/agents/sessions.ts';
import { NotKeeper } from '../../../kit/concurrency/periodic/keeper.ts';
import { Refusal } from '../../../kit/refusal.ts';
import type { ApiRequest } from '../../engine/route.ts';

export interface AgentAccess {
  readonly registry: AgentRegistry;
  readonly sessions: AgentSessions;
}

export const NO_TOKEN = 'Send the token of the agent, as `Authorization: Bearer …`.';
export const BAD_TOKEN = 'This is not the token of an agent of this server.';
export const PENDING = 'The agent waits for an administrator to enable it.';
const NOT_YET = 'This server does not run builds at present. Try again in a moment.';

/** The agent that asks: one that was enabled once. Each request is a contact. */
export function agentOf({ registry, sessions }: AgentAccess, request: Pick<ApiRequest, 'header'>): Agent {
  const agent = knownAgent(registry, request);
  if (agent.configState === 'Pending') throw new Refusal('forbidden', PENDING);
  sessions.noteContact(agent.uuid);
  return agent;
}

/** The agent that asks, also one that waits to be enabled. No contact is noted. */
export function knownAgent(registry: AgentRegistry, request: Pick<ApiRequest, 'header'>): Agent {
  const token = bearerToken(request);
  if (token === undefined) throw new Refusal('unauthenticated', NO_TOKEN);
  try {
    const agent = registry.findByToken(token);
    if (agent) return agent;
  } catch (failure) {
    if (failure instanceof NotKeeper) throw new Refusal('unavailable', NOT_YET, { retryAfter: 1 });
    throw failure;
  }
  throw new Refusal('unauthenticated', BAD_TOKEN);
}

export function bearerToken(request: Pick<ApiRequest, 'header'>): string | undefined {
  return /^bearer\s+(\S+)\s*$/i.exec(request.header('authorization')?.slice(0, 1000) ?? '')?.[1];
}
