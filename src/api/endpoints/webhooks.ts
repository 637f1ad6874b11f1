// Hosting services tell of pushes: no login, but each call proves that its sender knows the webhook secret of this server.
import { readForm } from '../../kit/form.ts';
import { Refusal } from '../../kit/refusal.ts';
import { slices } from '../../kit/slices.ts';
import type { Material } from '../../materials/of-config.ts';
import { materialsOfBranch, materialsOfScms } from '../../materials/told.ts';
import { PROVIDERS, type Provider } from '../../materials/webhooks/providers.ts';
import { BadPayload, type Push } from '../../materials/webhooks/push.ts';
import { MESSAGE, TEXT } from '../../shape/schemas.ts';
import { MOST_BODY_BYTES } from '../body.ts';
import { type ApiRequest, jsonAnswer, type Route } from '../route.ts';
import { WEBHOOK_WORDS } from './webhook-words.ts';

export interface WebhookParts {
  materials(): ReadonlyMap<string, Material>;
  update(fingerprint: string): unknown;
  /** In clear; undefined: the server has none, and no call is believed. */
  secret(): string | undefined;
}

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';
const NOTHING_FOUND = 'No matching materials!';
const FOUND = 'OK!';
const NO_BRANCH = 'Ignoring push to non-branch.';
const NO_SECRET = 'This server has no webhook secret.';

export function webhookRoutes(parts: WebhookParts): Route[] {
  return PROVIDERS.map((provider) => routeOf(provider, parts));
}

function routeOf(provider: Provider, parts: WebhookParts): Route {
  const { name, title, eventHeader, proof } = provider;
  const { bodies, noProof } = WEBHOOK_WORDS[name]!;
  return {
    method: 'POST',
    path: `/api/webhooks/${name}/notify`,
    version: 1,
    permission: 'anyone',
    rawBody: { most: MOST_BODY_BYTES },
    description: {
      chapter: 'webhooks',
      summary: `Tell of a push, as ${title} does`,
      details: 'Looks at the git materials with the pushed branch that are not polled: their `auto_update` is false.',
      who: 'anyone who knows the webhook secret of this server, without a login',
      query: { SCM_NAME: { ...TEXT, description: 'Look at the materials of this SCM instead; can be given more than once.' } },
      headers: {
        [eventHeader]: { ...TEXT, description: `What has happened: ${eventsOf(provider).join(' or ')}.` },
        [proof.header]: { ...TEXT, description: proof.about },
      },
      bodies,
      response: MESSAGE,
      example: { message: NOTHING_FOUND },
      status: 202,
      failures: {
        400: { when: '`dry_run` is neither true nor false; or the event, the content type or the body is not understood.' },
        401: { when: 'The sender does not prove that it knows the secret.', example: { message: noProof } },
      },
    },
    handle: (request) => take(provider, request, parts),
  };
}

async function take(provider: Provider, request: ApiRequest, parts: WebhookParts) {
  const { isDryRun } = request;
  const { texts, payload } = await bodyOf(provider, request);
  const refusal = provider.refusalOf({ header: (name) => request.header(name), texts }, parts.secret() ?? unguessable());
  if (refusal !== undefined) throw new Refusal('unauthenticated', parts.secret() === undefined ? NO_SECRET : refusal);
  const said = (message: string) => jsonAnswer({ message }, { status: 202 });
  const event = request.header(provider.eventHeader.toLowerCase()) ?? '';
  if (!eventsOf(provider).includes(event)) {
    const allowed = eventsOf(provider).toSorted().join(', ');
    throw new Refusal('malformed', `Invalid event type \`${event.slice(0, 100)}\`. Allowed events are [${allowed}].`);
  }
  if (event === provider.pingEvent) return said('pong');
  const { branches, urls } = pushOf(provider, payload);
  const updated = (found: readonly Material[]) => {
    if (!isDryRun) for (const { fingerprint } of found) parts.update(fingerprint);
    return found.length > 0 ? FOUND : NOTHING_FOUND;
  };
  if (branches.length === 0) return said(NO_BRANCH);
  const scms = request.query.getAll('SCM_NAME');
  const all = parts.materials();
  if (scms.length > 0) return said(updated(materialsOfScms(scms, all.values())));
  const [first, ...others] = branches.map((branch) => ({ branch, word: updated(materialsOfBranch(branch, urls, all.values())) }));
  return said(others.length === 0 ? first!.word : [first!, ...others].map(({ branch, word }) => `${branch}: ${word}`).join(', '));
}

async function bodyOf({ takesForms }: Provider, { raw }: ApiRequest): Promise<{ texts: Buffer[]; payload: Buffer }> {
  if (raw.type === JSON_TYPE) {
    const payload = await raw.read();
    return { texts: [payload], payload };
  }
  if (!takesForms || raw.type !== FORM_TYPE) throw new Refusal('malformed', `Could not understand the Content-Type: ${raw.type}!`);
  const whole = await raw.read();
  const [payload = Buffer.alloc(0)] = (await readForm(whole, raw.type, slices()))?.values() ?? [];
  // The service signs the body as it sends it; others sign what it means.
  return { texts: [payload, whole], payload };
}

function pushOf(provider: Provider, payload: Buffer): Push {
  try {
    return provider.pushOf(JSON.parse(payload.toString('utf8')));
  } catch (failure) {
    if (!(failure instanceof BadPayload || failure instanceof SyntaxError)) throw failure;
    const reason = failure instanceof BadPayload ? failure.message : 'it is not JSON';
    throw new Refusal('malformed', `Failed to deserialize payload. Error: ${reason}`);
  }
}

function eventsOf({ pushEvent, pingEvent }: Provider): string[] {
  return pingEvent === undefined ? [pushEvent] : [pushEvent, pingEvent];
}

/** Takes the place of a secret that does not exist, so that nothing fits. */
function unguessable(): string {
  return crypto.randomUUID();
}
