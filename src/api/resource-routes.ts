// The routes of a resource, made from its declaration.
import { Draft } from '../config/draft.ts';
import { Refusal } from '../kit/refusal.ts';
import { linksOf } from '../shape/entity-json.ts';
import { snakeCase } from '../shape/json.ts';
import { addressOf, type Collection, type Kind, type Singleton } from '../shape/resource.ts';
import { answerExample, EXAMPLE_BASE } from './answer-example.ts';
import { guardsOf, visibleTo } from './guards.ts';
import type { ResourceParts } from './resource-parts.ts';
import { listSchema, MESSAGE, requestSchema, responseSchema } from './resource-schemas.ts';
import type { Guard, Method, Route, RouteDescription } from './route.ts';
import { create } from './verbs/create.ts';
import { mustExist } from './verbs/must-exist.ts';
import { patch } from './verbs/patch.ts';
import { remove } from './verbs/remove.ts';
import { replace, unsetEntry } from './verbs/replace.ts';
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
  const example = answerExample(kind, parts, new Draft(config).seen);
  const deletedExample = {
    message: kind.messages.deleted(addressOf(kind, { ...kind.example, [kind.id]: kind.example[snakeCase(kind.id)] })),
  };
  const path = `${kind.path}/:id`;
  const request = { schema: requestSchema(kind), example: kind.example };
  const response = responseSchema(kind);
  const word = wordOf(kind);
  const routes = [
    route(kind, 'GET', {
      summary: `List of ${word}s`,
      response: listSchema(kind, response),
      example: { _links: linksOf(kind, EXAMPLE_BASE, kind.listLinks), _embedded: { [kind.listKey]: [example] } },
      hasEtag: true,
      guard: guards.list,
      handle: ({ identity, base }) => renderer.list(kind, base, visibleTo(identity, kind, access)),
    }),
    route(kind, 'POST', {
      summary: `Create one ${word}`,
      request,
      response,
      example,
      hasEtag: true,
      guard: guards.create,
      handle: (ask) => create(kind, parts, ask),
    }),
    route(kind, 'GET', {
      path,
      summary: `Show one ${word}`,
      response,
      example,
      hasEtag: true,
      guard: guards.view,
      handle: ({ params: { id = '' }, base }) => {
        const entries = config.of(kind.name);
        return renderer.one(kind, mustExist(kind, id, entries.find(entries.idAt(id))), base);
      },
    }),
    route(kind, 'PUT', {
      path,
      summary: `Replace one ${word}`,
      request,
      response,
      example,
      hasEtag: true,
      needsIfMatch: kind.needsIfMatch,
      guard: guards.administer,
      handle: (ask) => update(kind, parts, ask),
    }),
    route(kind, 'DELETE', {
      path,
      summary: `Delete one ${word}`,
      response: MESSAGE,
      example: deletedExample,
      guard: guards.administer,
      handle: (ask) => remove(kind, parts, ask),
    }),
  ];
  const own = new Set(kind.hasOwn);
  const generated = routes.filter((one) => one.path === path || !own.has(one.method === 'GET' ? 'GET list' : 'POST'));
  return kind.patch ? [...generated, patchRoute(kind, parts, { path, guard: guards.administer })] : generated;
}

function singletonRoutes(kind: Kind & Singleton, parts: ResourceParts): Route[] {
  const { config, renderer } = parts;
  const example = answerExample(kind, parts, new Draft(config).seen);
  const request = { schema: requestSchema(kind), example: kind.example };
  const response = responseSchema(kind);
  const word = wordOf(kind);
  const show = route(kind, 'GET', {
    summary: `Show the ${word}`,
    response,
    example,
    hasEtag: true,
    handle: ({ base }) => {
      const entry = config.of(kind.name).find('') ?? (kind.unset && unsetEntry(kind));
      if (!entry) throw new Refusal('notFound', kind.messages.notFound(''));
      return renderer.one(kind, entry, base);
    },
  });
  const set = (method: 'POST' | 'PUT') =>
    route(kind, method, {
      summary: `Set the ${word}`,
      request,
      response,
      example,
      hasEtag: true,
      needsIfMatch: kind.needsIfMatch,
      handle: (ask) => replace(kind, parts, ask),
    });
  const writes: Readonly<Record<'POST' | 'PUT' | 'PATCH' | 'DELETE', () => Route>> = {
    POST: () => set('POST'),
    PUT: () => set('PUT'),
    PATCH: () => patchRoute(kind, parts, {}),
    DELETE: () => route(kind, 'DELETE', { summary: `Delete the ${word}`, response: MESSAGE, handle: (ask) => remove(kind, parts, ask) }),
  };
  return [show, ...kind.verbs.map((verb) => writes[verb]())];
}

function patchRoute(kind: Kind, parts: ResourceParts, more: Pick<Particulars, 'path' | 'guard'>): Route {
  const { request: schema, example } = kind.patch!;
  return route(kind, 'PATCH', {
    ...more,
    summary: `Change parts of the ${wordOf(kind)}`,
    request: { schema, example },
    response: responseSchema(kind),
    hasEtag: true,
    handle: (ask) => patch(kind, parts, ask),
  });
}

function route(kind: Kind, method: Method, { path = kind.path, guard, handle, ...description }: Particulars): Route {
  const { version, permission, doc } = kind;
  return { method, path, version, permission, ...(guard && { guard }), description: { chapter: doc, ...description }, handle };
}

function wordOf(kind: Kind): string {
  return kind.title.charAt(0).toLowerCase() + kind.title.slice(1);
}
