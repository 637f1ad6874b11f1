// All routes of agents: the API of users, and the protocol between agents and server.
import type { ResourceParts } from '../../engine/resource-parts.ts';
import type { Route } from '../../engine/route.ts';
import { agentProtocolRoutes } from '../agent-protocol/routes.ts';
import { ofBuildKeeper } from './keeper.ts';
import { registrationKeyRoutes } from './registration-key.ts';
import { type AgentRouteParts, agentApiRoutes } from './routes.ts';

export interface AllAgentParts extends AgentRouteParts, Pick<ResourceParts, 'changes' | 'tools'> {
  /** Aborts when the server is about to stop: agents are kept waiting no longer. */
  readonly stopping: AbortSignal;
}

export function agentRoutes(parts: AllAgentParts): Route[] {
  const { stopping, sessions } = parts;
  if (stopping.aborted) sessions.close();
  else stopping.addEventListener('abort', () => sessions.close(), { once: true });
  // The key, too: where it is changed, agents that register with the new one must find it changed.
  return ofBuildKeeper([...agentApiRoutes(parts), ...agentProtocolRoutes(parts), ...registrationKeyRoutes(parts)]);
}
