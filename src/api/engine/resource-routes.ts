// The routes of a resource, made from its declaration.
import { linksOf } from '../../shape/json/entity-json.ts';
import { snakeCase } from '../../shape/json/json.ts';
import { MESSAGE } from '../../shape/json/schemas.ts';
import type { Collection, Kind, Singleton } from '../../shape/resource.ts';
import { answerExample, EXAMPLE_BASE, exampleOf } from './answer-example.ts';
import { atAnyTime, entityAt, listAt } from './at-time.ts';
import { guardsOf, visibleTo } from './guards.ts';
import { patchRoute } from './patch-route.ts';
import { memberFailures, singletonFailures } from './resource-failures.ts';
import type { ResourceParts } from './resource-parts.ts';
import { nounOf, pluralOf, resourceRoute } from './resource-route.ts';
import { listMembers, listSchema, requestSchema, responseSchema } from './resource-schemas.ts';
import type { Route } from './route.ts';
import { create } from './verbs/create.ts';
import { mustExist } from './verbs/must-exist.ts';
import { PREFER } from './verbs/overwrite.ts';
import { remove } from './verbs/remove.ts';
import { replace, shownSingleton } from './verbs/replace.ts';
import { update } from './verbs/update.ts';

export function resourceRoutes(kinds: readonly Kind[], parts: ResourceParts): Route[] {
  return kinds
    .filter((kind) => !kind.isInternal)
    .flatMap((kind) => (kind.shape === 'collection' ? collectionRoutes(kind, parts) : singletonRoutes(kind, parts)));
}

function collectionRoutes(kind: Kind & Collection, parts: ResourceParts): Route[] {
  const { access, config, renderer } = parts;
  const guards = guardsOf(kind, config);
  const example = () => answerExample(kind, parts);
  const address = String(kind.example[snakeCase(kind.addressedBy ?? kind.id)]);
  const failures = memberFailures(kind, () => exampleOf(kind, parts));
  const path = `${kind.path}/:id`;
  const noun = nounOf(kind);
  const parameters = { id: { description: `The \`${snakeCase(kind.addressedBy ?? kind.id)}\` of the ${noun}.`, example: address } };
  const request = { schema: () => requestSchema(kind), example: kind.example };
  const response = () => responseSchema(kind);
  // Refuses the request for a missing entity before its body is read.
  const checkExists: Route['before'] = ({ params: { id = '' } }) => {
    const entries = config.of(kind.name);
    mustExist(kind, entries.idAt(id), entries.find(entries.idAt(id)));
    return [];
  };
  const before = kind.isParsedFirst ? undefined : checkExists;
  const list = resourceRoute(kind, 'GET', {
    summary: `List of ${pluralOf(noun)}`,
    response: () => listSchema(kind, response()),
    example: () => ({ _links: linksOf(kind, EXAMPLE_BASE, kind.listLinks), _embedded: listMembers(kind, [example()]) }),
    hasEtag: true,
    guard: guards.list,
    handle: ({ identity, base }) => renderer.list(kind, base, visibleTo(identity, kind, access)),
  });
  const show = resourceRoute(kind, 'GET', {
    path,
    summary: `Show one ${noun}`,
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
    resourceRoute(kind, 'POST', {
      summary: `Create one ${noun}`,
      request,
      response,
      example,
      hasEtag: true,
      failures: failures.create,
      guard: guards.create,
      handle: (ask) => create(kind, parts, ask),
    }),
    atAnyTime(show, parts, (revision, request) => entityAt(kind, request.params.id ?? '', parts, revision, request)),
    resourceRoute(kind, 'PUT', {
      path,
      summary: `Replace one ${noun}`,
      parameters,
      request,
      response,
      example,
      hasEtag: true,
      ifMatch: kind.needsIfMatch ? 'required' : 'optional',
      headers: PREFER,
      failures: failures.change,
      guard: guards.administer,
      before,
      handle: (ask) => update(kind, parts, ask),
    }),
    resourceRoute(kind, 'DELETE', {
      path,
      summary: `Delete one ${noun}`,
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
  return [...generated, patchRoute(kind, parts, { path, parameters, failures: failures.change, guard: guards.administer, before })];
}

function singletonRoutes(kind: Kind & Singleton, parts: ResourceParts): Route[] {
  const { config, renderer } = parts;
  const example = () => answerExample(kind, parts);
  const request = { schema: () => requestSchema(kind), example: kind.example };
  const response = () => responseSchema(kind);
  const failures = singletonFailures(kind);
  const noun = nounOf(kind);
  const show = resourceRoute(kind, 'GET', {
    summary: `Show the ${noun}`,
    response,
    example,
    hasEtag: true,
    failures: failures.show,
    handle: ({ base }) => renderer.one(kind, shownSingleton(kind, config.of(kind.name).find('')), base),
  });
  const set = (method: 'POST' | 'PUT') =>
    resourceRoute(kind, method, {
      summary: `Set the ${noun}`,
      request,
      response,
      example,
      hasEtag: true,
      ifMatch: kind.needsIfMatch ? 'required' : 'optional',
      headers: PREFER,
      failures: failures.change,
      handle: (ask) => replace(kind, parts, ask),
    });
  const writes: Readonly<Record<'POST' | 'PUT' | 'PATCH' | 'DELETE', () => Route>> = {
    POST: () => set('POST'),
    PUT: () => set('PUT'),
    PATCH: () => patchRoute(kind, parts, { failures: failures.change }),
    DELETE: () =>
      resourceRoute(kind, 'DELETE', {
        summary: `Delete the ${noun}`,
        response: MESSAGE,
        example: { message: kind.messages.deleted('') },
        ifMatch: 'optional',
        failures: failures.remove,
        handle: (ask) => remove(kind, parts, ask),
      }),
  };
  const showAt = atAnyTime(show, parts, (revision, request) => entityAt(kind, '', parts, revision, request));
  const isPatched = kind.verbs.includes('PUT') && !kind.verbs.includes('PATCH');
  return [showAt, ...kind.verbs.map((verb) => writes[verb]()), ...(isPatched ? [writes.PATCH()] : [])];
}
