// The agent protocol: agents register, and ask for work.

import { readPoll, readRegistration } from '../../../builds/agents/read-registration.ts';
import { POLL_PATH, REGISTRATION_PATH, type RegistrationAnswer } from '../../../contracts/agent-protocol/messages.ts';
import { type ApiRequest, jsonAnswer, type Route, type RouteDescription } from '../../engine/route.ts';
import { readUntrustedJson } from '../../http/body/body.ts';
import { type AgentAccess, bearerToken, knownAgent } from './agent-of.ts';
import { POLL, REGISTER } from './docs.ts';

const TYPE = 'application/json';
const MAX_BYTES = 64 * 1024;

export function agentProtocolRoutes({ registry, sessions }: AgentAccess): Route[] {
  return [
    route(REGISTRATION_PATH, REGISTER, async (request) => {
      const registration = readRegistration(await readUntrustedJson(request));
      const arrival = { token: bearerToken(request), address: request.author.address ?? '' };
      const { isDryRun } = request;
      sessions.mustBeStarted();
      const { agent, isNew, token, message } = await registry.register(registration, arrival, { dryRun: isDryRun });
      if (!isDryRun) sessions.registered(agent.uuid, registration.instance, { isNew });
      const state = agent.configState;
      const body: RegistrationAnswer = {
        ...(token !== undefined && !isDryRun && { token }),
        state,
        ...(message !== undefined && { message }),
      };
      return jsonAnswer(body, { status: state === 'Pending' ? 202 : 201, type: TYPE, cacheControl: 'no-store' });
    }),
    {
      ...route(POLL_PATH, POLL, async (request) => {
        const { uuid } = knownAgent(registry, request);
        const poll = readPoll(await readUntrustedJson(request));
        const gone = new AbortController();
        const stopWatching = request.onGone(() => gone.abort());
        const order = await sessions.poll(uuid, poll, gone.signal).finally(stopWatching);
        return jsonAnswer(order, { type: TYPE, cacheControl: 'no-store' });
      }),
      isRoutine: true,
      isHeld: true,
      // The body is read only if the agent has sent a valid token.
      before: (request: ApiRequest) => {
        knownAgent(registry, request);
        return [];
      },
    },
  ];
}

/** Agents go on in maintenance mode: their jobs come to an end. */
function route(path: string, description: Omit<RouteDescription, 'chapter'>, handle: Route['handle']): Route {
  return {
    method: 'POST',
    path,
    version: null,
    permission: 'anyone',
    rawBody: { maxBytes: MAX_BYTES },
    worksInMaintenance: true,
    description: { chapter: 'agent-protocol', ...description },
    handle,
  };
}
