// What is particular about some kinds when they come from a file.
import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../../shape/json.ts';
import type { Problem } from '../../shape/problem.ts';
import type { Ignored } from '../upgrade/step.ts';

export interface Adapted {
  readonly json: JsonObject;
  readonly problems?: readonly Problem[];
  readonly ignored?: readonly Ignored[];
}

/** `now` is the JSON form of the entity as it is on this server. */
export type Adapt = (json: JsonObject, now: JsonObject | undefined) => Adapted;

/** Kinds that a file without them leaves as they are. */
export const KEPT_WHEN_ABSENT: ReadonlySet<string> = new Set(['serverIdentity']);

const KEYS = ['agent_auto_register_key', 'webhook_secret', 'token_generation_key'];

export const adaptWhole: Readonly<Record<string, Adapt>> = {
  serverIdentity: (json, now) => ({ json: withKeys(json, now), problems: otherServer(json, now) }),
};

export const adaptImport: Readonly<Record<string, Adapt>> = {
  serverIdentity: (json, now) => {
    if (otherServer(json, now).length === 0) return { json: withKeys(json, now) };
    const why = `This server keeps its own: ${String(now?.server_id)}.`;
    return {
      json: withKeys({ ...json, server_id: now!.server_id! }, now),
      ignored: [{ what: `the server id ${String(json.server_id)}`, why }],
    };
  },
  systemAdmins: (json, now) => ({ json: { ...json, users: joined(now?.users, json.users), roles: joined(now?.roles, json.roles) } }),
};

/** The keys are not in the documents this server writes, so a file without them says nothing of them. A missing id is made up. */
function withKeys(json: JsonObject, now: JsonObject = {}): JsonObject {
  const kept = KEYS.filter((key) => !json[key] && !json[`encrypted_${key}`]).map((key) => [
    `encrypted_${key}`,
    now[`encrypted_${key}`] ?? null,
  ]);
  return { ...json, server_id: json.server_id || now.server_id || randomUUID(), ...Object.fromEntries(kept) };
}

function otherServer({ server_id: wanted }: JsonObject, { server_id: now }: JsonObject = {}): Problem[] {
  if (!wanted || !now || wanted === now) return [];
  const message = `The value of 'serverId' uniquely identifies a Go server instance. This field cannot be modified (attempting to change from [${String(now)}] to [${String(wanted)}]).`;
  return [{ at: ['server_id'], message }];
}

/** Who is there stays there; names that differ only in letter case are the same. */
function joined(now: unknown, wanted: unknown): string[] {
  const names = [now, wanted].flatMap((list) => (Array.isArray(list) ? list.map(String) : []));
  return [...new Map(names.map((name) => [name.toLowerCase(), name] as const).toReversed()).values()].toReversed();
}
