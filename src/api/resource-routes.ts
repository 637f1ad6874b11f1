// The routes of a resource, made from its declaration.
import { Refusal } from '../kit/refusal.ts';
import { describeFields } from '../shape/field.ts';
import { type JsonObject, type JsonSchema, snakeCase } from '../shape/json.ts';
import type { Collection, Kind, Singleton } from '../shape/resource.ts';
import type { ResourceParts } from './resource-parts.ts';
import type { Answer, ApiRequest, Method, Route, RouteDescription } from './route.ts';
import { create } from './verbs/create.ts';
import { patch } from './verbs/patch.ts';
import { remove } from './verbs/remove.ts';
import { replace, unsetEntry } from './verbs/replace.ts';
import { mustExist, update } from './verbs/update.ts';

export function resourceRoutes(kinds: readonly Kind[], parts: ResourceParts): Route[] {
  return kinds.flatMap((kind) => (kind.shape === 'collection' ? collectionRoutes(kind, parts) : singletonRoutes(kind, parts)));
}

type Handle = (request: ApiRequest) => Answer | Promise<Answer>;

function collectionRoutes(kind: Kind & Collection, parts: ResourceParts): Route[] {
  const { config, renderer } = parts;
  const one = `${kind.path}/:id`;
  const request = { schema: requestSchema(kind), example: kind.example };
  const response = responseSchema(kind);
  const routes = [
    route(kind, 'GET', kind.path, { summary: `List of ${plural(kind)}`, response: listSchema(kind, response), hasEtag: true }, (ask) =>
      renderer.list(kind, ask.base),
    ),
    route(kind, 'POST', kind.path, { summary: `Create ${named(kind)}`, request, response, hasEtag: true }, (ask) =>
      create(kind, parts, ask),
    ),
    route(kind, 'GET', one, { summary: `Show ${named(kind)}`, response, hasEtag: true }, ({ params, base }) => {
      const id = params.id ?? '';
      return renderer.one(kind, mustExist(kind, id, config.of(kind.name).find(id)), base);
    }),
    route(
      kind,
      'PUT',
      one,
      { summary: `Replace ${named(kind)}`, request, response, hasEtag: true, needsIfMatch: kind.needsIfMatch },
      (ask) => update(kind, parts, ask),
    ),
    route(kind, 'DELETE', one, { summary: `Delete ${named(kind)}`, response: MESSAGE }, (ask) => remove(kind, parts, ask)),
  ];
  return kind.patch ? [...routes, patchRoute(kind, one, parts, response)] : routes;
}

function singletonRoutes(kind: Kind & Singleton, parts: ResourceParts): Route[] {
  const { config, renderer } = parts;
  const request = { schema: requestSchema(kind), example: kind.example };
  const response = responseSchema(kind);
  const show: Handle = ({ base }) => {
    const entry = config.of(kind.name).find('') ?? (kind.unset && unsetEntry(kind));
    if (!entry) throw new Refusal('notFound', kind.messages.notFound(''));
    return renderer.one(kind, entry, base);
  };
  const writes: Readonly<Record<'POST' | 'PUT' | 'PATCH' | 'DELETE', () => Route>> = {
    POST: () =>
      route(kind, 'POST', kind.path, { summary: `Set the ${words(kind)}`, request, response, hasEtag: true }, (ask) =>
        replace(kind, parts, ask),
      ),
    PUT: () =>
      route(
        kind,
        'PUT',
        kind.path,
        { summary: `Replace the ${words(kind)}`, request, response, hasEtag: true, needsIfMatch: kind.needsIfMatch },
        (ask) => replace(kind, parts, ask),
      ),
    PATCH: () => patchRoute(kind, kind.path, parts, response),
    DELETE: () =>
      route(kind, 'DELETE', kind.path, { summary: `Delete the ${words(kind)}`, response: MESSAGE }, (ask) => remove(kind, parts, ask)),
  };
  return [
    route(kind, 'GET', kind.path, { summary: `Show the ${words(kind)}`, response, hasEtag: true }, show),
    ...kind.verbs.map((verb) => writes[verb]()),
  ];
}

function patchRoute(kind: Kind, path: string, parts: ResourceParts, response: JsonSchema): Route {
  const { request, example } = kind.patch!;
  return route(
    kind,
    'PATCH',
    path,
    { summary: `Change parts of ${named(kind)}`, request: { schema: request, example }, response, hasEtag: true },
    (ask) => patch(kind, parts, ask),
  );
}

function route(kind: Kind, method: Method, path: string, description: Omit<RouteDescription, 'chapter'>, handle: Handle): Route {
  const { version, permission, doc } = kind;
  return { method, path, version, permission, description: { chapter: doc, ...description }, handle };
}

const MESSAGE: JsonSchema = { type: 'object', required: ['message'], properties: { message: { type: 'string' } } };
const LINKS: JsonSchema = { type: 'object', additionalProperties: { type: 'object', properties: { href: { type: 'string' } } } };

function requestSchema(kind: Kind): JsonSchema {
  const { request } = describeFields(kind.fields);
  return request;
}

function responseSchema(kind: Kind): JsonSchema {
  const { response } = describeFields(kind.fields);
  return { ...response, properties: { _links: LINKS, ...(response.properties as JsonObject) } };
}

function listSchema(kind: Collection, member: JsonSchema): JsonSchema {
  return {
    type: 'object',
    properties: {
      _links: LINKS,
      _embedded: { type: 'object', properties: { [snakeCase(kind.listKey)]: { type: 'array', items: member } } },
    },
  };
}

function words(kind: Kind): string {
  return kind.title.charAt(0).toLowerCase() + kind.title.slice(1);
}

function named(kind: Kind): string {
  return kind.shape === 'singleton' ? `the ${words(kind)}` : `one ${words(kind)}`;
}

function plural(kind: Kind & Collection): string {
  return `${words(kind)}s`;
}
