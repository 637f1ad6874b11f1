// `?at=`: routes that show the configuration as it was at a revision or at a time.
import type { Config } from '../../config/current.ts';
import { Draft } from '../../config/draft.ts';
import type { Entry } from '../../config/entry.ts';
import { withEdits } from '../../config/large-change.ts';
import { invalidMoment } from '../../history/past.ts';
import { notKept } from '../../history/stored-value.ts';
import { pause } from '../../kit/concurrency/time-slices.ts';
import { Refusal } from '../../kit/refusal.ts';
import type { EntityNamed, KindName } from '../../shape/configuration.ts';
import type { Collection, Kind } from '../../shape/resource.ts';
import { refusalBody } from '../http/refusal-reply.ts';
import { maySee, visibleTo } from './guards.ts';
import { Renderer } from './renderer.ts';
import type { ResourceParts } from './resource-parts.ts';
import type { Answer, ApiRequest, Route, RouteDescription } from './route.ts';
import { mustExist } from './verbs/must-exist.ts';
import { shownSingleton } from './verbs/replace.ts';

/** A configuration, of now or then, and its renderer. */
export interface State {
  readonly config: Config;
  readonly renderer: Renderer;
}

export type AnswerAt = (revision: number, request: ApiRequest) => Promise<Answer>;

/** Makes a route that shows the configuration of now show that of any time. */
export function atAnyTime(route: Route, { past }: Pick<ResourceParts, 'past'>, answerAt: AnswerAt): Route {
  const { handle } = route;
  return {
    ...route,
    showsPast: true,
    description: describedAt(route.description),
    handle: (request) => {
      const { at } = request;
      if (at === undefined) return handle(request);
      return past.revisionAt(at).then(async (revision) => ({ ...(await answerAt(revision, request)), revision }));
    },
  };
}

/** A route that answers from these kinds of a configuration, of now or then. */
export function fromConfig(
  route: Omit<Route, 'handle'>,
  parts: Pick<ResourceParts, 'config' | 'past'>,
  kinds: readonly KindName[],
  show: (config: Config, request: ApiRequest) => Answer | Promise<Answer>,
): Route {
  const now: Route = { ...route, handle: (request) => show(parts.config, request) };
  return atAnyTime(now, parts, async (revision, request) => show(await parts.past.config(kinds, revision), request));
}

/** Refuses `?at=` where it would be ignored: the route would show or change the present configuration instead. */
export function mustShowPast({ method, showsPast }: Route, { at }: Pick<ApiRequest, 'at'>): void {
  if (at === undefined || showsPast) return;
  const why = method === 'GET' ? 'this is only known as it is now' : `${method} changes the configuration as it is now`;
  throw new Refusal('malformed', `The query parameter \`at\` is not allowed here: ${why}.`);
}

/** A configuration that has only these kinds, as they were. */
export async function stateAt({ past }: ResourceParts, kinds: readonly KindName[], revision: number): Promise<State> {
  const config = await past.config(kinds, revision);
  return { config, renderer: rendererOf(config) };
}

const renderers = new WeakMap<Config, Renderer>();

function rendererOf(config: Config): Renderer {
  return renderers.getOrInsertComputed(config, () => new Renderer(config));
}

/** undefined: it did not exist, or belonged to something the user may not see today. Today's entity may be another of the same name. */
export async function entryAt<K extends KindName>(
  kind: Kind<K>,
  id: string,
  { past, access }: Pick<ResourceParts, 'past' | 'access'>,
  revision: number,
  { identity }: Pick<ApiRequest, 'identity'>,
): Promise<Entry<EntityNamed<K>> | undefined> {
  const found = await past.entry(kind, id, revision);
  return found && kind.policy?.within && !maySee(identity, kind, found.value, access) ? undefined : found;
}

/** One entity; the fields it shows of other entities are of the same time. */
export async function entityAt(kind: Kind, id: string, parts: ResourceParts, revision: number, request: ApiRequest): Promise<Answer> {
  const found = await entryAt(kind, id, parts, revision, request);
  const entry = kind.shape === 'collection' ? mustExist(kind, id, found) : shownSingleton(kind, found);
  if (!kind.shows) return parts.renderer.one(kind, entry, request.base);
  const shown = await withoutHidden(kind, await parts.past.shownBy(kind, id, revision), parts, request);
  return rendererOf(shown).one(kind, entry, request.base);
}

export async function listAt(kind: Kind & Collection, parts: ResourceParts, revision: number, request: ApiRequest): Promise<Answer> {
  const kinds = [kind.name, ...(kind.shows?.kinds ?? [])];
  const { config } = await stateAt(parts, kinds, revision);
  const whole = await parts.past.config([...new Set([...kinds, ...ownersOf(kind, config)])], revision);
  const shown = await withoutHidden(kind, whole, parts, request);
  return rendererOf(shown).list(kind, request.base, visibleThen(kind, parts, request));
}

/** Without entities that were shown through those of a kind then, and have moved since to where the user may not see them. */
async function withoutHidden({ shows }: Kind, past: Config, parts: ResourceParts, request: ApiRequest): Promise<Config> {
  const draft = new Draft(past);
  for (const name of shows?.kinds ?? []) {
    const shown = past.kind(name);
    if (shown.shape === 'singleton') continue;
    const [couldSee, canSee] = [visibleTo(request.identity, shown, parts.access), visibleThen(shown, parts, request)];
    if (!couldSee || !canSee) continue;
    for (const entry of past.of(name).all()) if (couldSee(entry) && !canSee(entry)) draft.remove(shown, entry.key);
  }
  return draft.edits.length === 0 ? past : withEdits(past, draft.edits, pause);
}

/** The kinds that decide the order of the list. */
function ownersOf(kind: Kind, config: Config): KindName[] {
  const [first] = config.of(kind.name).all();
  const references = first ? (kind.refersTo?.(first.value) ?? []) : [];
  return references.filter(({ isOwner }) => isOwner).map((reference) => reference.kind);
}

/** Rights are those of today: where they depend on the owner of an entity, both the owner of then and that of now count. */
function visibleThen(kind: Kind & Collection, { access, config }: ResourceParts, { identity }: ApiRequest): ReturnType<typeof visibleTo> {
  const isVisible = visibleTo(identity, kind, access);
  return (
    isVisible &&
    ((entry) => {
      const now = config.of(kind.name).find(entry.key);
      if (!kind.policy?.within) return isVisible(now ?? entry);
      return now !== undefined && isVisible(now) && isVisible(entry);
    })
  );
}

const EXAMPLE = 'yesterday';
const NOT_KEPT = { when: 'This revision is no longer kept.', example: () => refusalBody(notKept(1, 2)) };

function describedAt(description: RouteDescription): RouteDescription {
  const { query, failures } = description;
  const at = {
    type: 'string',
    description:
      'Shows it as it was: the number of a revision, or a time in ISO 8601. The header `X-Svc-Revision` then says which revision is shown. Rights are those of today. 404 when there is no such revision.',
  };
  const bad = { when: 'A query parameter has a value that is not allowed.', example: { message: invalidMoment(EXAMPLE) } };
  return { ...description, query: { ...query, at }, failures: { ...failures, 400: { ...bad, ...failures?.[400] }, 410: NOT_KEPT } };
}
