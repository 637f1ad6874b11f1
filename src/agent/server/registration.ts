// Registers an agent with its server, again and again until that answers.
import { randomUUID } from 'node:crypto';
import {
  type AgentConfigState,
  PROTOCOL_VERSION,
  REGISTRATION_PATH,
  type Registration,
  type RegistrationAnswer,
} from '../../contracts/agent-protocol/messages.ts';
import { untimelyCertificate, untrustedCertificate } from '../../kit/network/untrusted-certificate.ts';
import type { AgentOptions } from '../options.ts';
import { type Identity, writeIdentity } from '../work-dir/identity.ts';
import { BackOff } from './back-off.ts';
import { type Answer, messageOf, type ServerClient } from './server-client.ts';
import { agentVersion, freeSpaceOf, operatingSystem } from './this-machine.ts';

const UNAUTHORIZED = 401;
const CONFLICT = 409;
/** Answers after which the server may do better later. */
const NOT_NOW: ReadonlySet<number> = new Set([408, 425, 429]);

/** Its message says why this agent cannot work for the server. */
export class AgentRefused extends Error {}

export interface RegistrationParts {
  readonly client: ServerClient;
  readonly options: AgentOptions;
  readonly hostname: string;
  readonly instance: string;
  readonly signal: AbortSignal;
}

/** Undefined when the agent was stopped meanwhile. */
export async function register(
  parts: RegistrationParts,
  identity: Identity,
): Promise<{ readonly identity: Identity; readonly state: AgentConfigState } | undefined> {
  const { client, options, signal } = parts;
  const backOff = new BackOff();
  let [current, isReported, isNewUuid] = [identity, false, false];
  while (!signal.aborted) {
    client.token = current.token;
    const answer = await attempt(parts, current.uuid);
    if (answer instanceof Error || answer.status >= 500 || NOT_NOW.has(answer.status)) {
      if (!isReported && !signal.aborted) options.print(`${describeUnavailable(options.server, answer)} Trying again until it answers.`);
      isReported = true;
      await backOff.pause(signal);
      continue;
    }
    if (answer.status >= 200 && answer.status < 300) return accepted(parts, current, answer);
    // The response with the token of this agent was lost, so the agent takes a new uuid, once.
    const mayChange = answer.status === CONFLICT && current.token === undefined && !isNewUuid;
    isNewUuid ||= mayChange;
    current = mayChange ? newIdentity(options.workDir) : withoutToken(parts, current, answer);
  }
  return undefined;
}

export function describeUnavailable(server: string, answer: Answer | Error): string {
  return answer instanceof Error
    ? `The server ${server} cannot be reached: ${reasonOf(answer)}.`
    : `The server ${server} cannot answer now: ${messageOf(answer)}`;
}

/** Where a name has several addresses, the failure is about all of them and has no words of its own. */
function reasonOf(failure: NodeJS.ErrnoException): string {
  const certificate = untrustedCertificate(failure) ?? untimelyCertificate(failure);
  return certificate ?? (failure.message || failure.code || failure.name).replace(/\.$/, '');
}

async function attempt({ client, options, hostname, instance, signal }: RegistrationParts, uuid: string): Promise<Answer | Error> {
  const { key, resources, environments, elasticAgentId, elasticPluginId, workDir } = options;
  const registration: Registration = {
    protocol: PROTOCOL_VERSION,
    uuid,
    instance,
    hostname,
    sandbox: workDir,
    operating_system: operatingSystem(),
    version: agentVersion(),
    free_space: await freeSpaceOf(workDir),
    ...(key === undefined ? {} : { key }),
    ...(resources.length === 0 ? {} : { resources }),
    ...(environments.length === 0 ? {} : { environments }),
    ...(elasticAgentId === undefined ? {} : { elastic_agent_id: elasticAgentId }),
    ...(elasticPluginId === undefined ? {} : { elastic_plugin_id: elasticPluginId }),
  };
  try {
    return await client.send({ method: 'POST', path: REGISTRATION_PATH, body: registration, signal });
  } catch (failure) {
    return failure as Error;
  }
}

function accepted({ client, options }: RegistrationParts, identity: Identity, answer: Answer) {
  const { token = identity.token, state } = registeredIn(answer);
  if (token === undefined) throw new AgentRefused('The server did not give this agent a token.');
  const known = { uuid: identity.uuid, token };
  if (token !== identity.token) writeIdentity(options.workDir, known);
  client.token = token;
  return { identity: known, state };
}

function registeredIn({ body }: Answer): RegistrationAnswer {
  try {
    const registered = JSON.parse(body) as RegistrationAnswer;
    if (registered.state === 'Pending' || registered.state === 'Enabled' || registered.state === 'Disabled') return registered;
  } catch {
    // said below
  }
  throw new AgentRefused('This is not a Slipway server, or not one that this agent can work for: it answered with something else.');
}

/** A token that the server does not know is dropped; any other refusal is final. */
function withoutToken({ options }: RegistrationParts, { uuid, token }: Identity, answer: Answer): Identity {
  if (answer.status !== UNAUTHORIZED || token === undefined) throw new AgentRefused(describeRefusal(options.server, answer));
  // It was made for one job, and deleted after it.
  if (options.elasticAgentId !== undefined) throw new AgentRefused('The server has deleted this elastic agent: it ends.');
  options.print('The server does not know the token of this agent any more. It registers anew.');
  return { uuid };
}

/** Redirects are not followed: the token of an agent is for the configured address. */
function describeRefusal(server: string, answer: Answer): string {
  const target = answer.location === undefined ? null : URL.parse(answer.location, server);
  if (target === null) return messageOf(answer);
  const address = `${target.origin}${target.pathname}`.replace(REGISTRATION_PATH, '');
  return `The server ${server} redirects to another address. Start the agent with that one: --server ${address}`;
}

function newIdentity(workDir: string): Identity {
  const identity = { uuid: randomUUID() };
  writeIdentity(workDir, identity);
  return identity;
}
