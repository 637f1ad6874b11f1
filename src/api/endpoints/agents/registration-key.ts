// The key by which agents register: administrators see it, and make a new one.
import { randomUUID } from 'node:crypto';
import { Draft } from '../../../config/draft.ts';
import { COMMAND } from '../../../kit/process/own-commands.ts';
import { Refusal } from '../../../kit/refusal.ts';
import { readEntity, writeEntity } from '../../../shape/json/entity-json.ts';
import { described, LINKS, MAYBE_TEXT, objectSchema, TEXT } from '../../../shape/json/schemas.ts';
import type { Kind } from '../../../shape/resource.ts';
import { EXAMPLE_BASE } from '../../engine/answer-example.ts';
import type { ResourceParts } from '../../engine/resource-parts.ts';
import { jsonAnswer, type Route, type RouteDescription } from '../../engine/route.ts';
import { change } from '../../engine/verbs/change.ts';
import { confirmations } from '../../http/body/body.ts';
import { docLink, links } from '../common/links.ts';

const REGISTRATION_KEY_PATH = '/api/admin/agent_registration';
const UNCONFIRMED = "Missing required header 'X-Svc-Confirm' with value 'true'";
const NAME = 'agent_auto_register_key';

const SHOWN: Pick<RouteDescription, 'chapter' | 'response' | 'example'> = {
  chapter: 'agents',
  response: objectSchema({
    _links: LINKS,
    auto_register_key: described(MAYBE_TEXT, 'Agents that send it are enabled at once; null: there is none.'),
    command: described(TEXT, 'Starts an agent, on a machine where this software is installed.'),
  }),
  example: keyJson('c6b1f3b0-7f0e-4e0c-9d54-2f1f0a3c8d11', EXAMPLE_BASE),
};

type KeyParts = Pick<ResourceParts, 'config' | 'changes' | 'tools'>;

/** In clear; undefined: there is none. */
export function autoRegisterKeyIn({
  config,
  tools,
}: Pick<KeyParts, 'config'> & { tools: Pick<KeyParts['tools'], 'cipher'> }): string | undefined {
  const secret = config.of('serverIdentity').find('')?.value.agentAutoRegisterKey;
  return (secret && tools.cipher.decrypt(secret.cipherText)) || undefined;
}

export function registrationKeyRoutes(parts: KeyParts): Route[] {
  return [
    {
      method: 'GET',
      path: REGISTRATION_KEY_PATH,
      version: 1,
      permission: 'admin',
      isNeverCompressed: true,
      description: { ...SHOWN, summary: 'The key by which agents register, and how to start one', hasEtag: true },
      handle: ({ base }) => jsonAnswer(keyJson(autoRegisterKeyIn(parts), base), { cacheControl: 'no-store' }),
    },
    {
      method: 'POST',
      path: `${REGISTRATION_KEY_PATH}/rotate`,
      version: 1,
      permission: 'admin',
      description: {
        ...SHOWN,
        summary: 'Make a new key by which agents register',
        details: 'The old one counts no longer at once. Agents that have registered go on.',
        changes: 'configuration',
        headers: { 'X-Svc-Confirm': { type: 'string', description: 'Needed, because there is no body; `true`.' } },
      },
      handle: async (request) => {
        if (confirmations((name) => request.header(name)).length === 0) throw new Refusal('unconfirmed', UNCONFIRMED);
        const kind = parts.config.kind('serverIdentity');
        const key = randomUUID();
        const entry = await change(parts, request, (draft) => {
          const wanted = sealed(kind, key, parts);
          const now = draft.find(kind, '')?.value ?? wanted;
          return draft.put(kind, '', { ...now, agentAutoRegisterKey: wanted.agentAutoRegisterKey });
        });
        const shownKey = request.isDryRun ? autoRegisterKeyIn(parts) : key;
        return jsonAnswer(keyJson(shownKey, request.base), { cacheControl: 'no-store', revision: entry.revision });
      },
    },
  ];
}

function sealed(kind: Kind<'serverIdentity'>, key: string, { tools, config }: KeyParts) {
  const shown = writeEntity(kind, {}, config.secrets);
  return readEntity(kind, { ...shown, [NAME]: key }, { ruleView: new Draft(config).ruleView }, tools).entity;
}

function keyJson(key: string | undefined, base: string) {
  return {
    _links: links(base, { self: REGISTRATION_KEY_PATH, doc: docLink('agents') }),
    auto_register_key: key ?? null,
    command: `${COMMAND} agent --server ${base}${key === undefined ? '' : ` --key ${key}`}`,
  };
}
