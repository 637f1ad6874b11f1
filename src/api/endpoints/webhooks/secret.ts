// The webhook secret: administrators set it, here and at the hosting service; the API shows it only encrypted.
import { Draft } from '../../../config/draft.ts';
import { findBase } from '../../../history/conflict/base.ts';
import { explain } from '../../../history/conflict/explain.ts';
import { sha512of256 } from '../../../kit/bytes/hash.ts';
import { Refusal } from '../../../kit/refusal.ts';
import type { EntityNamed } from '../../../shape/configuration.ts';
import { isOfKind } from '../../../shape/is-of-kind.ts';
import { readEntity, writeEntity } from '../../../shape/json/entity-json.ts';
import type { JsonObject, JsonOut } from '../../../shape/json/json.ts';
import { MERGE_PATCH, mergePatched, mergePatchSchema } from '../../../shape/json/merge-patch.ts';
import { described, LINKS, MAYBE_TEXT, MESSAGE, objectSchema, TEXT } from '../../../shape/json/schemas.ts';
import { annotate, type Problem, withoutDerivedProblems } from '../../../shape/problems/problem.ts';
import type { Kind } from '../../../shape/resource.ts';
import { webhookSecretProblems } from '../../../shape/secrets/webhook-secret-rule.ts';
import { EXAMPLE_BASE, EXAMPLE_BOUND_TEXT } from '../../engine/answer-example.ts';
import { atAnyTime } from '../../engine/at-time.ts';
import type { ResourceParts } from '../../engine/resource-parts.ts';
import { type ApiRequest, jsonAnswer, type Route, type RouteDescription } from '../../engine/route.ts';
import { change } from '../../engine/verbs/change.ts';
import { matchesTag } from '../../engine/verbs/precondition.ts';
import { docLink, links } from '../common/links.ts';

/** Of a server that has none yet nothing is set. */
type Identity = Partial<EntityNamed<'serverIdentity'>>;

const PATH = '/api/admin/config/server/webhook_secret';
const NAME = 'webhook_secret';
const ENCRYPTED_NAME = `encrypted_${NAME}`;
const REFUSED = 'The webhook secret was not changed. Please correct and resubmit.';
const STALE = 'Someone has modified the webhook secret. Please update your copy of the config with the changes and try again.';

const SHOWN: Pick<RouteDescription, 'chapter' | 'response' | 'example' | 'hasEtag'> = {
  chapter: 'webhooks',
  response: objectSchema({ _links: LINKS, [ENCRYPTED_NAME]: described(MAYBE_TEXT, 'The secret, encrypted; null: none is set.') }),
  example: secretJson(EXAMPLE_BOUND_TEXT, EXAMPLE_BASE),
  hasEtag: true,
};

const BODY = {
  title: 'Webhook secret request',
  type: 'object',
  properties: {
    [NAME]: {
      ...TEXT,
      writeOnly: true,
      description: 'In clear; never returned. 16 to 255 characters of ASCII without blanks and colons.',
    },
    [ENCRYPTED_NAME]: { ...TEXT, description: 'Instead of the clear text: as returned earlier, or by `POST /api/admin/encrypt`.' },
  },
};
const EXAMPLE = { [NAME]: 'kS7vQ2mZ9rT4xW1pN6bL' };
const MERGE = { schema: mergePatchSchema(BODY), example: EXAMPLE };
const WRITING: Pick<RouteDescription, 'changes' | 'ifMatch' | 'failures'> = {
  changes: 'configuration',
  ifMatch: 'optional',
  failures: {
    412: { when: 'The secret has changed since the version named in If-Match.', example: { message: STALE } },
    422: { when: 'There is none in the body, or it cannot be used; `data` says why.', schema: MESSAGE },
  },
};

/** `kind` holds the secret, beside other keys of the server. */
export function webhookSecretRoutes(kind: Kind<'serverIdentity'>, parts: ResourceParts): Route[] {
  const current = (): Identity => parts.config.of(kind.name).find('')?.value ?? {};
  const answerOf = (identity: Identity, base: string) => shownAnswer(kind, parts, identity, base);
  const showing = (route: Route) =>
    atAnyTime(route, parts, async (at, { base }) => answerOf((await parts.past.entry(kind, '', at))?.value ?? {}, base));
  return [
    showing({
      method: 'GET',
      path: PATH,
      version: 1,
      permission: 'admin',
      description: { ...SHOWN, summary: 'The webhook secret of the server, encrypted' },
      handle: ({ base }) => answerOf(current(), base),
    }),
    {
      method: 'PUT',
      path: PATH,
      version: 1,
      permission: 'admin',
      description: {
        ...SHOWN,
        summary: 'Set the webhook secret of the server',
        details: 'Hosting services need the same one. The former one is invalid at once.',
        request: { schema: BODY, example: EXAMPLE },
        ...WRITING,
      },
      handle: (request) => set(kind, parts, request, request.body),
    },
    {
      method: 'PATCH',
      path: PATH,
      version: 1,
      permission: 'admin',
      description: {
        ...SHOWN,
        summary: 'Change the webhook secret of the server',
        details: 'As a JSON merge patch (RFC 7396): without a member nothing changes.',
        request: MERGE,
        bodies: { 'application/json': MERGE, [MERGE_PATCH]: MERGE },
        ...WRITING,
      },
      takesMergePatch: true,
      handle: (request) => {
        const shown = { [ENCRYPTED_NAME]: shownText(kind, parts, current()) };
        return set(kind, parts, request, mergePatched(shown, request.body));
      },
    },
  ];
}

async function set(kind: Kind<'serverIdentity'>, parts: ResourceParts, request: ApiRequest, body: JsonObject) {
  const { base } = request;
  const problems = problemsIn(kind, body, parts);
  if (problems.length > 0) {
    const data = annotate({ ...(typeof body[ENCRYPTED_NAME] === 'string' && { [ENCRYPTED_NAME]: body[ENCRYPTED_NAME] }) }, problems);
    return jsonAnswer({ message: REFUSED, data }, { status: 422 });
  }
  const ifMatch = request.header('if-match') ?? '*';
  const isNamed = (identity: Identity) => matchesTag(ifMatch, tagOf(identity));
  const entry = await change(parts, request, (draft) => {
    const now = draft.find(kind, '')?.value;
    if (!isNamed(now ?? {})) throw new Refusal('stale', STALE);
    const { entity } = read(kind, body, parts, now ?? {});
    return draft.put(kind, '', { ...(now ?? entity), webhookSecret: entity.webhookSecret });
  }).catch(async (failure: unknown) => {
    if (!(failure instanceof Refusal && failure.kind === 'stale')) throw failure;
    const base = await findBase(parts.changeLog, kind, '', ({ value }) => isOfKind('serverIdentity', kind.name, value) && isNamed(value));
    throw new Refusal('stale', STALE, {
      data: await explain({ kind, base, yours: undefined, now: parts.config.of(kind.name).find('')?.value }),
    });
  });
  return { ...shownAnswer(kind, parts, entry.value, base), revision: entry.revision };
}

/** The fields of the kind know how to read it; its other fields are not in the body. */
function read(kind: Kind<'serverIdentity'>, body: JsonObject, { config, tools }: ResourceParts, current: Identity) {
  const { [NAME]: plain = null, [ENCRYPTED_NAME]: encrypted = null } = body;
  return readEntity(
    kind,
    { ...writeEntity(kind, current, config.secrets), [NAME]: plain, [ENCRYPTED_NAME]: encrypted },
    { ruleView: new Draft(config).ruleView, current },
    tools,
  );
}

function problemsIn(kind: Kind<'serverIdentity'>, body: JsonObject, parts: ResourceParts): Problem[] {
  const { entity, problems } = read(kind, body, parts, {});
  const own = withoutDerivedProblems(problems).filter(({ at: [place] }) => place === NAME || place === ENCRYPTED_NAME);
  if (own.length > 0) return own;
  const secret = entity.webhookSecret;
  const plain = secret && parts.tools.cipher.decrypt(secret.cipherText);
  return webhookSecretProblems(plain ?? '');
}

function shownAnswer(kind: Kind<'serverIdentity'>, parts: ResourceParts, identity: Identity, base: string) {
  return jsonAnswer(secretJson(shownText(kind, parts, identity), base), { etag: tagOf(identity) });
}

function shownText(kind: Kind<'serverIdentity'>, { config }: ResourceParts, identity: Identity): string | null {
  return writeEntity(kind, identity, config.secrets)[ENCRYPTED_NAME] as string | null;
}

function tagOf(identity: Identity): string {
  return sha512of256(identity.webhookSecret?.digest ?? '');
}

function secretJson(cipherText: string | null, base: string): JsonOut {
  return { _links: links(base, { doc: docLink('webhooks'), self: PATH }), [ENCRYPTED_NAME]: cipherText };
}
