// Reads the registration of an agent. Any client can send anything, so each field is checked.
import { type Poll, type Registration, SUPPORTED_VERSIONS } from '../../contracts/agent-protocol/messages.ts';
import { Refusal } from '../../kit/refusal.ts';
import { isObject, type Json, type JsonObject } from '../../shape/json/json.ts';
import { annotate, type Problem } from '../../shape/problems/problem.ts';
import { distinctNames, isUuid, MAX_NAMES, MAX_TEXT_LENGTH, resourceProblem, textProblem } from './agent-rules.ts';

const MAX_PATH_LENGTH = 4096;
const MAX_JOBS = 100;
export const STATES = ['Pending', 'Enabled', 'Disabled'] as const;
const HALF_ELASTIC = 'Elastic agents must submit both elasticAgentId and elasticPluginId.';

/** Throws a refusal that names each field with a problem. */
export function readRegistration(body: JsonObject): Registration {
  requireSupportedProtocol(body.protocol);
  const reader = new Reader(body);
  const key = reader.optional('key');
  const resources = reader.names('resources', resourceProblem);
  const environments = reader.names('environments', (name) => textProblem(name, 'environments'));
  const elastic_agent_id = reader.optional('elastic_agent_id');
  const elastic_plugin_id = reader.optional('elastic_plugin_id');
  if ((elastic_agent_id === undefined) !== (elastic_plugin_id === undefined)) {
    reader.report(elastic_agent_id === undefined ? 'elastic_agent_id' : 'elastic_plugin_id', HALF_ELASTIC);
  }
  const registration: Registration = {
    protocol: Number(body.protocol),
    uuid: reader.uuid('uuid'),
    instance: reader.text('instance'),
    hostname: reader.text('hostname'),
    sandbox: reader.text('sandbox', MAX_PATH_LENGTH),
    operating_system: reader.text('operating_system'),
    version: reader.text('version'),
    free_space: reader.size('free_space'),
    ...(key !== undefined && { key }),
    ...(resources && { resources }),
    ...(environments && { environments }),
    ...(elastic_agent_id !== undefined && { elastic_agent_id }),
    ...(elastic_plugin_id !== undefined && { elastic_plugin_id }),
  };
  reader.finish();
  return registration;
}

export function readPoll(body: JsonObject): Poll {
  const reader = new Reader(body);
  const poll: Poll = {
    instance: reader.text('instance'),
    jobs: reader.claims('jobs'),
    free_space: reader.size('free_space'),
    state: reader.oneOf('state', STATES),
  };
  reader.finish();
  return poll;
}

function requireSupportedProtocol(protocol: Json | undefined): void {
  if (typeof protocol === 'number' && SUPPORTED_VERSIONS.includes(protocol)) return;
  const theirs =
    typeof protocol === 'number' ? `this agent speaks version ${protocol}` : 'this agent does not say which it speaks, as `protocol`';
  const supported = SUPPORTED_VERSIONS.join(' and ');
  throw new Refusal('invalid', `This server speaks version ${supported} of the agent protocol, and ${theirs}. Upgrade the agent.`, {
    more: { protocols: SUPPORTED_VERSIONS },
  });
}

class Reader {
  readonly #body: JsonObject;
  readonly #problems: Problem[] = [];

  constructor(body: JsonObject) {
    this.#body = body;
  }

  report(name: string, message: string | undefined): void {
    if (message !== undefined) this.#problems.push({ at: [name], message });
  }

  text(name: string, maxLength?: number): string {
    const value = this.#body[name];
    if (typeof value !== 'string') {
      this.report(name, `\`${name}\` must be a text.`);
      return '';
    }
    this.report(name, textProblem(value, name, maxLength));
    return value.trim();
  }

  optional(name: string): string | undefined {
    const value = this.#body[name];
    return value === undefined || value === null || value === '' ? undefined : this.text(name);
  }

  uuid(name: string): string {
    const value = this.#body[name];
    const isValid = typeof value === 'string' && isUuid(value);
    if (!isValid) this.report(name, `\`${name}\` must be a UUID such as 8a1b6f0e-3c57-4d92-9f0a-5b7c2e4d6a18.`);
    return isValid ? value.toLowerCase() : '';
  }

  /** Bytes, or null where they are not known. */
  size(name: string): number | null {
    const value = this.#body[name];
    if (value === undefined || value === null) return null;
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
    this.report(name, `\`${name}\` must be a number of bytes, or null.`);
    return null;
  }

  names(name: string, problemOf: (text: string) => string | undefined): readonly string[] | undefined {
    const value = this.#body[name];
    if (value === undefined || value === null) return undefined;
    if (!Array.isArray(value) || value.some((item) => typeof item !== 'string')) {
      this.report(name, `\`${name}\` must be a list of texts.`);
      return undefined;
    }
    if (value.length > MAX_NAMES) this.report(name, `\`${name}\` must not have more than ${MAX_NAMES} entries.`);
    const names = distinctNames(value.slice(0, MAX_NAMES).map(String));
    this.report(
      name,
      names.map(problemOf).find((problem) => problem !== undefined),
    );
    return names;
  }

  oneOf<T extends string>(name: string, values: readonly T[]): T {
    const found = values.find((value) => value === this.#body[name]);
    if (found === undefined) this.report(name, `\`${name}\` must be one of ${values.join(', ')}.`);
    return found ?? values[0]!;
  }

  claims(name: string): Poll['jobs'] {
    const value = this.#body[name];
    const isList = Array.isArray(value) && value.length <= MAX_JOBS;
    const jobs = isList ? value.flatMap((item) => claimIn(item) ?? []) : [];
    if (isList && jobs.length === value.length) return jobs;
    this.report(name, `\`${name}\` must be a list of at most ${MAX_JOBS} objects with \`job\`, \`epoch\` and \`is_cancelling\`.`);
    return [];
  }

  /** The key is not sent back. */
  finish(): void {
    if (this.#problems.length === 0) return;
    const { key: _, ...shown } = this.#body;
    const message = this.#problems.map((problem) => problem.message).join(' ');
    throw new Refusal('invalid', message, { data: annotate(shortened(shown), this.#problems) });
  }
}

function claimIn(item: Json): Poll['jobs'][number] | undefined {
  if (!isObject(item)) return undefined;
  const { job, epoch, is_cancelling } = item;
  if (typeof job !== 'number' || !Number.isSafeInteger(job) || typeof epoch !== 'number' || !Number.isSafeInteger(epoch)) return undefined;
  return { job, epoch, is_cancelling: is_cancelling === true };
}

/** The request body without long values, to be sent back with its problems. */
function shortened(body: JsonObject): Record<string, Json> {
  const entries = Object.entries(body).filter(([, value]) => JSON.stringify(value).length <= MAX_TEXT_LENGTH * 4);
  return Object.fromEntries(entries);
}
