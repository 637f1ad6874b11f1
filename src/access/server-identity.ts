// The identity of the server: generated once and never changed, so that issued tokens and ids stay valid.

import { randomUUID } from 'node:crypto';
import type { Draft } from '../config/draft.ts';
import { isEditOf } from '../config/edit.ts';
import { Refusal } from '../kit/refusal.ts';
import { type ReadingTools, readEntity } from '../shape/json/entity-json.ts';
import { OTHER_TOKEN_KEY, otherServerId } from '../shape/problems/identity-messages.ts';

const KIND = 'serverIdentity';

/** Gives the server an identity, or adds its missing fields: documents do not hold the keys. */
export function ensureIdentity(draft: Draft, tools: ReadingTools): void {
  const kind = draft.kind(KIND);
  const known = Object.entries(draft.find(kind, '')?.value ?? {}).filter(([, value]) => value !== null && value !== '');
  if (known.length === Object.keys(kind.fields).length) return;
  const identity = {
    server_id: randomUUID(),
    agent_auto_register_key: randomUUID(),
    webhook_secret: randomUUID(),
    token_generation_key: randomUUID(),
  };
  const { entity } = readEntity(kind, identity, { ruleView: draft.ruleView }, tools);
  draft.put(kind, '', { ...entity, ...Object.fromEntries(known) });
}

/** Refuses to change the server id or the token key: issued ids and tokens depend on them. */
export function keepsIdentity(draft: Draft): void {
  for (const edit of draft.edits) {
    if (!isEditOf(KIND, edit) || !edit.before) continue;
    const [was, is] = [edit.before, edit.after].map((entry) => entry?.value.serverId ?? '');
    if (was !== is) throw new Refusal('invalid', otherServerId(was, is));
    const [key, wanted] = [edit.before, edit.after].map((entry) => entry?.value.tokenGenerationKey?.digest);
    if (key !== undefined && key !== wanted) throw new Refusal('invalid', OTHER_TOKEN_KEY);
  }
}
