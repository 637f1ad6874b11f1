// Special rules for some kinds of entities that come from a file.
import { randomUUID } from 'node:crypto';
import { REPOSITORY_TYPES } from '../../materials/types/list.ts';
import type { EntityNamed, KindName } from '../../shape/configuration.ts';
import { isObject, type JsonObject } from '../../shape/json/json.ts';
import { OTHER_TOKEN_KEY, otherServerId } from '../../shape/problems/identity-messages.ts';
import type { Problem } from '../../shape/problems/problem.ts';
import type { Entity } from '../../shape/resource.ts';
import { webhookSecretProblems } from '../../shape/secrets/webhook-secret-rule.ts';
import type { IgnoredContent } from '../upgrade/step.ts';

interface Diagnostics {
  readonly problems?: readonly Problem[];
  readonly ignored?: readonly IgnoredContent[];
}

export interface AdaptedJson extends Diagnostics {
  /** undefined: it is not taken over. */
  readonly json: JsonObject | undefined;
}

export interface AdaptedEntity<E extends Entity = Entity> extends Diagnostics {
  readonly entity: E;
}

export interface Adaptation<E extends Entity = Entity> {
  /** Adapts the JSON before it is read; `now` is the JSON form of the entity as it is on this server. */
  json?(json: JsonObject, now: JsonObject | undefined): AdaptedJson;
  /** Adapts the entity once it is read. */
  entity?(wanted: E, now: E | undefined): AdaptedEntity<E>;
}

type Adaptations = { readonly [K in KindName]?: Adaptation<EntityNamed<K>> };

/** Kinds that a file without them leaves as they are. */
export const KEPT_WHEN_ABSENT: ReadonlySet<KindName> = new Set(['serverIdentity']);

/** The members that are taken over from another server, where its file has them. */
const TAKEN_OVER = ['agent_auto_register_key', 'webhook_secret'];
const KEYS = [...TAKEN_OVER, 'token_generation_key'];
const NO_KEYS: IgnoredContent = {
  what: 'the key for agents and the webhook secret of that server',
  why: 'Not both are in the file: this server writes no key into one. What this server has stays.',
};

export const adaptWhole: Adaptations = {
  serverIdentity: {
    json: (json, now) => ({
      json: withKeys(json, now),
      problems: [
        ...(isOtherServer(json, now) ? [{ at: ['server_id'], message: otherServerId(now?.server_id, json.server_id) }] : []),
        ...webhookProblems(json),
      ],
    }),
    entity: (entity, now) => ({
      entity,
      problems: hasOtherTokenKey(entity, now) ? [{ at: ['token_generation_key'], message: OTHER_TOKEN_KEY }] : [],
    }),
  },
};

export const adaptImport: Adaptations = {
  serverIdentity: {
    json: (json, now) => {
      const { json: wanted, ignored } = withoutWeakSecret(json);
      if (!isOtherServer(json, now)) return { json: withKeys(wanted, now), ignored };
      const why = `This server keeps its own: ${String(now?.server_id)}.`;
      ignored.push({ what: `the server id ${String(json.server_id)}`, why });
      if (TAKEN_OVER.some((key) => !json[key])) ignored.push(NO_KEYS);
      return { json: withKeys({ ...wanted, server_id: now!.server_id! }, now), ignored };
    },
    entity: (entity, now) => {
      if (!now || !hasOtherTokenKey(entity, now)) return { entity };
      const ignored = [{ what: 'the key for tokens of agents', why: 'This server keeps its own: tokens were made with it.' }];
      return { entity: { ...entity, tokenGenerationKey: now.tokenGenerationKey }, ignored };
    },
  },
  systemAdmins: {
    json: (json, now) => ({ json: { ...json, users: joined(now?.users, json.users), roles: joined(now?.roles, json.roles) } }),
  },
  configRepos: {
    json: (json) => {
      const { type, attributes } = isObject(json.material) ? json.material : {};
      if (type !== 'plugin') return { json };
      const scm = isObject(attributes) ? String(attributes.ref) : '';
      const why = `Config repos of this server are read from ${repositoryTypes()}, not through an SCM plugin.`;
      return { json: undefined, ignored: [{ what: `the config repo '${String(json.id)}', which is the SCM '${scm}'`, why }] };
    },
  },
};

/** The keys are not in the documents this server writes, so a file without them says nothing of them. A missing id is made up. */
function withKeys(json: JsonObject, now: JsonObject = {}): JsonObject {
  const kept = KEYS.filter((key) => !json[key] && !json[`encrypted_${key}`]).map((key) => [
    `encrypted_${key}`,
    now[`encrypted_${key}`] ?? null,
  ]);
  return { ...json, server_id: json.server_id || now.server_id || randomUUID(), ...Object.fromEntries(kept) };
}

function webhookProblems({ webhook_secret: plain }: JsonObject): readonly Problem[] {
  return plain ? webhookSecretProblems(String(plain)) : [];
}

/** GoCD takes any text; one that can be guessed is no reason to refuse a whole file. */
function withoutWeakSecret(json: JsonObject): { readonly json: JsonObject; readonly ignored: IgnoredContent[] } {
  const [problem] = webhookProblems(json);
  if (!problem) return { json, ignored: [] };
  const { webhook_secret: _, ...others } = json;
  const why = `${problem.message} This server keeps its own, or makes one. Set another one, and give it to the hosting services: PUT /api/admin/config/server/webhook_secret`;
  return { json: others, ignored: [{ what: 'the webhook secret', why }] };
}

function isOtherServer({ server_id: wanted }: JsonObject, { server_id: now }: JsonObject = {}): boolean {
  return Boolean(wanted && now && wanted !== now);
}

function hasOtherTokenKey(wanted: EntityNamed<'serverIdentity'>, now: EntityNamed<'serverIdentity'> | undefined): boolean {
  const key = now?.tokenGenerationKey;
  return Boolean(key && wanted.tokenGenerationKey?.digest !== key.digest);
}

/** Existing names stay, in the same order; names that differ only in letter case are the same. */
function joined(now: unknown, wanted: unknown): string[] {
  const names = new Map<string, string>();
  for (const name of [now, wanted].flatMap((list) => (Array.isArray(list) ? list.map(String) : []))) {
    names.getOrInsert(name.toLowerCase(), name);
  }
  return [...names.values()];
}

/** `git, hg, svn, p4 or tfs`. */
function repositoryTypes(): string {
  return new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(Object.keys(REPOSITORY_TYPES));
}
