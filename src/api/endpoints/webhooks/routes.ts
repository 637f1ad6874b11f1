// Hosting services report pushes and pull requests: no login, but each call proves that its sender knows the webhook secret.
import { Refusal } from '../../../kit/refusal.ts';
import type { Material } from '../../../materials/catalogue/material.ts';
import { materialsOfBranch, materialsOfScms } from '../../../materials/notify/notified.ts';
import type { PollRequestResult } from '../../../materials/polling/poll-schedule.ts';
import { PROVIDERS, type Provider } from '../../../materials/webhooks/providers.ts';
import { TEXTS } from '../../../shape/json/schemas.ts';
import type { ApiRequest, Route } from '../../engine/route.ts';
import { type Call, type CallParts, hookRoute } from './call.ts';

export interface WebhookParts extends CallParts {
  materials(): Promise<ReadonlyMap<string, Material>>;
  requestPoll(fingerprint: string): Promise<PollRequestResult>;
  /** Brings a config repo up to date. */
  updateConfigRepo(id: string): Promise<PollRequestResult>;
  hasConfigRepo(id: string): boolean;
}

const NOTHING_FOUND = 'No matching materials!';
const FOUND = 'OK!';
const NO_BRANCH = 'Ignoring push to non-branch.';

export function webhookRoutes(parts: WebhookParts): Route[] {
  return PROVIDERS.flatMap((provider) => [notifyRoute(provider, parts), configRepoRoute(provider, parts)]);
}

function notifyRoute(provider: Provider, parts: WebhookParts): Route {
  const { name, title, pushEvent } = provider;
  return hookRoute(
    provider,
    {
      path: `/api/webhooks/${name}/notify`,
      events: [pushEvent],
      description: {
        summary: `Report a push, as ${title} does`,
        details: 'Polls the git materials with the pushed branch that are not polled periodically: their `auto_update` is false.',
        query: { SCM_NAME: { ...TEXTS, description: 'Poll the materials of this SCM instead; can be given more than once.' } },
        example: { message: NOTHING_FOUND },
      },
      receive: (call, request) => notifyMaterials(provider, call, request, parts),
    },
    parts,
  );
}

async function notifyMaterials(provider: Provider, call: Call, { query }: ApiRequest, parts: WebhookParts): Promise<string> {
  const { branches, urls } = call.read(provider.pushOf);
  if (branches.length === 0) return NO_BRANCH;
  const all = await parts.materials();
  const scms = query.getAll('SCM_NAME');
  const materials =
    scms.length > 0 ? [materialsOfScms(scms, all.values())] : branches.map((one) => materialsOfBranch(one, urls, all.values()));
  if (!call.isDryRun) await Promise.all(materials.flat().map(({ fingerprint }) => parts.requestPoll(fingerprint)));
  const messages = materials.map((found) => (found.length > 0 ? FOUND : NOTHING_FOUND));
  return messages.length === 1 ? messages[0]! : messages.map((message, index) => `${branches[index]}: ${message}`).join(', ');
}

function configRepoRoute(provider: Provider, parts: WebhookParts): Route {
  const { name, title, pushEvent, reviewEvents } = provider;
  return hookRoute(
    provider,
    {
      path: `/api/webhooks/${name}/config_repos/:id`,
      events: [pushEvent, ...reviewEvents],
      description: {
        summary: `Report a push or a pull request in a config repo, as ${title} does`,
        details: 'Brings the config repo up to date, whether it is polled or not.',
        parameters: { id: { description: 'The id of the config repo.', example: `on-${name}` } },
        example: { message: FOUND },
        failures: { 404: { example: { message: notFound('gone') } } },
      },
      receive: (call, { params }) => notifyConfigRepo(provider, call, params.id ?? '', parts),
    },
    parts,
  );
}

async function notifyConfigRepo(provider: Provider, call: Call, id: string, parts: WebhookParts): Promise<string> {
  if (!parts.hasConfigRepo(id)) throw new Refusal('notFound', notFound(id));
  if (call.event === provider.pushEvent) {
    if (call.read(provider.pushOf).branches.length === 0) return NO_BRANCH;
  } else {
    const action = call.read((payload) => provider.ignoredReview?.(payload));
    if (action !== undefined) return `Ignoring the action \`${action}\` of a pull request.`;
  }
  const answer = call.isDryRun ? 'scheduled' : await parts.updateConfigRepo(id);
  return answer === 'busy' ? `ConfigRepo [${id}] is already updating, quietly ignoring this webhook request` : FOUND;
}

const notFound = (id: string) => `Config repo with id '${id}' was not found!`;
