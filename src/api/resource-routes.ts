// The routes of a resource, made from its declaration.
import { linksOf } from '../shape/entity-json.ts';
import { snakeCase } from '../shape/json.ts';
import { MERGE_PATCH, mergePatchSchema } from '../shape/merge-patch.ts';
import { addressOf, type Collection, type Kind, type Singleton } from '../shape/resource.ts';
import { MESSAGE } from '../shape/schemas.ts';
import { answerExample, EXAMPLE_BASE, exampleOf, patchedExample } from './answer-example.ts';
import { atAnyTime, listAt, oneAt } from './at-time.ts';
import { isMergePatch } from './body.ts';
import { guardsOf, visibleTo } from './guards.ts';
import { memberFailures, singletonFailures } from './resource-failures.ts';
import type { ResourceParts } from './resource-parts.ts';
import { listSchema, requestSchema, responseSchema } from './resource-schemas.ts';
import type { Guard, Method, Route, RouteDescription } from './route.ts';
import { create } from './verbs/create.ts';
import { mergePatch } from './verbs/merge-patch.ts';
import { mustExist } from './verbs/must-exist.ts';
import { patch } from './verbs/patch.ts';
import { remove } from './verbs/remove.ts';
import { replace, shownSingleton } from './verbs/replace.ts';
import { update } from './verbs/update.ts';

/** What is particular to one route; the rest comes from its kind. */
interface Particulars extends Omit<RouteDescription, 'chapter'> {
  readonly path?: string;
  readonly guard?: Guard | undefined;
  readonly handle: Route['handle'];
}

export function resourceRoutes(kinds: readonly Kind[], parts: ResourceParts): Route[] {
  return kinds
    .filter((kind) => !kind.isInternal)
    .flatMap((kind) => (kind.shape === 'collection' ? collectionRoutes(kind, parts) : singletonRoutes(kind, parts)));
}

function collectionRoutes(kind: Kind & Collection, parts: ResourceParts): Route[] {
  const { access, config, renderer } = parts;
  const guards = guardsOf(kind, config);
  const example = answerExample(kind, parts);
  const entity = exampleOf(kind, parts);
  const address = addressOf(kind, entity);
  const failures = memberFailures(kind, entity);
  const path = `${kind.path}/:id`;
  const word = wordOf(kind);
  const parameters = { id: { description: `The \`${snakeCase(kind.addressedBy ?? kind.id)}\` of the ${word}.`, example: address } };
  const request = { schema: requestSchema(kind), example: kind.example };
  const response = responseSchema(kind);
  const list = route(kind, 'GET', {
    summary: `List of ${manyOf(word)}`,
    response: listSchema(kind, response),
    example: { _links: linksOf(kind, EXAMPLE_BASE, kind.listLinks), _embedded: { [kind.listKey]: [example] } },
    hasEtag: true,
    guard: guards.list,
    handle: ({ identity, base }) => renderer.list(kind, base, visibleTo(identity, kind, access)),
  });
  const show = route(kind, 'GET', {
    path,
    summary: `Show one ${word}`,
    parameters,
    response,
    example,
    hasEtag: true,
    failures: failures.show,
    guard: guards.view,
    handle: ({ params: { id = '' }, base }) => {
      const entries = config.of(kind.name);
      return renderer.one(kind, mustExist(kind, id, entries.find(entries.idAt(id))), base);
    },
  });
  const routes = [
    atAnyTime(list, parts, (revision, request) => listAt(kind, parts, revision, request)),
    route(kind, 'POST', {
      summary: `Create one ${word}`,
      request,
      response,
      example,
      hasEtag: true,
      failures: failures.create,
      guard: guards.create,
      handle: (ask) => create(kind, parts, ask),
    }),
    atAnyTime(show, parts, (revision, { params: { id = '' }, base }) => oneAt(kind, id, parts, revision, base)),
    route(kind, 'PUT', {
      path,
      summary: `Replace one ${word}`,
      parameters,
      request,
      response,
      example,
      hasEtag: true,
      ifMatch: kind.needsIfMatch ? 'required' : 'optional',
      failures: failures.change,
      guard: guards.administer,
      handle: (ask) => update(kind, parts, ask),
    }),
    route(kind, 'DELETE', {
      path,
      summary: `Delete one ${word}`,
      parameters,
      response: MESSAGE,
      example: { message: kind.messages.deleted(address) },
      ifMatch: 'optional',
      failures: failures.remove,
      guard: guards.administer,
      handle: (ask) => remove(kind, parts, ask),
    }),
  ];
  const own = new Set(kind.hasOwn);
  const generated = routes.filter((one) => one.path === path || !own.has(one.method === 'GET' ? 'GET list' : 'POST'));
  return [...generated, patchRoute(kind, parts, { path, parameters, failures: failures.change, guard: guards.administer })];
}

function singletonRoutes(kind: Kind & Singleton, parts: ResourceParts): Route[] {
  const { config, renderer } = parts;
  const example = answerExample(kind, parts);
  const request = { schema: requestSchema(kind), example: kind.example };
  const response = responseSchema(kind);
  const failures = singletonFailures(kind);
  const word = wordOf(kind);
  const show = route(kind, 'GET', {
    summary: `Show the ${word}`,
    response,
    example,
    hasEtag: true,
    failures: failures.show,
    handle: ({ base }) => renderer.one(kind, shownSingleton(kind, config.of(kind.name).find('')), base),
  });
  const set = (method: 'POST' | 'PUT') =>
    route(kind, method, {
      summary: `Set the ${word}`,
      request,
      response,
      example,
      hasEtag: true,
      ifMatch: kind.needsIfMatch ? 'required' : 'optional',
      failures: failures.change,
      handle: (ask) => replace(kind, parts, ask),
    });
  const writes: Readonly<Record<'POST' | 'PUT' | 'PATCH' | 'DELETE', () => Route>> = {
    POST: () => set('POST'),
    PUT: () => set('PUT'),
    PATCH: () => patchRoute(kind, parts, { failures: failures.change }),
    DELETE: () =>
      route(kind, 'DELETE', {
        summary: `Delete the ${word}`,
        response: MESSAGE,
        example: { message: kind.messages.deleted('') },
        ifMatch: 'optional',
        failures: failures.remove,
        handle: (ask) => remove(kind, parts, ask),
      }),
  };
  const showAt = atAnyTime(show, parts, (revision, { base }) => oneAt(kind, '', parts, revision, base));
  const isPatched = kind.verbs.includes('PUT') && !kind.verbs.includes('PATCH');
  return [showAt, ...kind.verbs.map((verb) => writes[verb]()), ...(isPatched ? [writes.PATCH()] : [])];
}

/** By operations of its own, where the kind has some, and by merge patches. */
function patchRoute(kind: Kind, parts: ResourceParts, more: Partial<Particulars>): Route {
  const { patch: own } = kind;
  const merge = mergePatchBody(kind);
  const asked = kind.needsIfMatch ? 'required' : 'optional';
  const needed = own && kind.needsIfMatch ? ' It must say what it is based on, by `If-Match`.' : '';
  const described = route(kind, 'PATCH', {
    ...more,
    summary: `Change parts of the ${wordOf(kind)}`,
    details: `As a JSON merge patch (RFC 7396), sent as \`${MERGE_PATCH}\`: members that are sent replace those that are there, null removes, all others stay, secrets among them. Lists are replaced whole.${needed}`,
    request: own ? { schema: own.request, example: own.example } : merge,
    bodies: { ...(own && { 'application/json': { schema: own.request, example: own.example } }), [MERGE_PATCH]: merge },
    response: responseSchema(kind),
    example: own ? patchedExample(kind, parts) : answerExample(kind, parts),
    hasEtag: true,
    ifMatch: own ? 'optional' : asked,
    handle: (ask) => (own && !isMergePatch((name) => ask.header(name)) ? patch(kind, parts, ask) : mergePatch(kind, parts, ask)),
  });
  return { ...described, mergePatch: own ? 'too' : 'only' };
}

/** The example sets a member to what it is. */
function mergePatchBody(kind: Kind): NonNullable<RouteDescription['request']> {
  const id = kind.shape === 'collection' ? snakeCase(kind.id) : '';
  const example = Object.entries(kind.example)
    .filter(([name]) => name !== id)
    .slice(-1);
  return { schema: mergePatchSchema(requestSchema(kind)), example: Object.fromEntries(example) };
}

function route(kind: Kind, method: Method, { path = kind.path, guard, handle, ...particulars }: Particulars): Route {
  const { version, permission, doc: chapter } = kind;
  const description = { chapter, ...particulars, ...(method !== 'GET' && { changes: 'configuration' as const }) };
  return { method, path, version, permission, ...(guard && { guard }), description, handle };
}

/** The title inside a sentence; an abbreviation stays as it is. */
function wordOf({ title }: Kind): string {
  return /^[A-Z]{2}/.test(title) ? title : title.charAt(0).toLowerCase() + title.slice(1);
}

function manyOf(word: string): string {
  if (word.endsWith('s')) return word;
  return word.endsWith('y') ? `${word.slice(0, -1)}ies` : `${word}s`;
}
