// The OpenAPI description of all routes.
import type { Json, JsonSchema } from '../shape/json.ts';
import type { Kind } from '../shape/resource.ts';
import type { Route } from './route.ts';
import { mediaType, OWN_WORD } from './vendor.ts';

export interface Chapter {
  readonly anchor: string;
  readonly title: string;
  readonly about: string;
}

export type OpenApi = Readonly<Record<string, unknown>>;

const OTHER_CHAPTERS: readonly Chapter[] = [
  { anchor: 'current-user', title: 'Current user', about: 'The user who asks.' },
  { anchor: 'users', title: 'Users', about: 'The people the server knows.' },
  { anchor: 'permissions', title: 'Permissions', about: 'What the user who asks may see and administer.' },
  { anchor: 'notification-filters', title: 'Notification filters', about: 'What a user wants mail about; each sees only their own.' },
  { anchor: 'encryption', title: 'Encryption', about: 'Cipher texts for use in configuration.' },
  { anchor: 'plugin-info', title: 'Plugins', about: 'The plugins of this server and the settings they take.' },
  { anchor: 'access-tokens', title: 'Access tokens', about: 'Personal tokens for programs, to be sent as `Authorization: bearer …`.' },
  { anchor: 'server-health-messages', title: 'Server health messages', about: 'What needs the attention of an administrator.' },
  { anchor: 'health', title: 'Health', about: 'For load balancers and monitors; the only address without a login.' },
  { anchor: 'version', title: 'Version', about: 'Which server this is.' },
  { anchor: 'metrics', title: 'Metrics', about: 'Figures for monitoring.' },
  { anchor: 'documentation', title: 'Documentation', about: 'This page, and the OpenAPI description it is made from.' },
];

const ERROR_SCHEMA: JsonSchema = {
  type: 'object',
  required: ['message'],
  properties: {
    message: { type: 'string' },
    data: { type: 'object', description: 'The object as sent, with `errors` beside the fields they belong to.' },
    supported: { type: 'array', items: { type: 'string' }, description: 'Media types that would have worked.' },
  },
};

export function chaptersOf(kinds: readonly Kind[]): readonly Chapter[] {
  return [...kinds.filter((kind) => !kind.isInternal).map(({ doc, title, about }) => ({ anchor: doc, title, about })), ...OTHER_CHAPTERS];
}

export function openApiOf(routes: readonly Route[], chapters: readonly Chapter[], version: string, contextPath: string): OpenApi {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    (paths[path] ??= {})[route.method.toLowerCase()] = operationOf(route, chapters);
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Slipway', version, description: 'Administration of a continuous-delivery server.' },
    servers: [{ url: contextPath || '/' }],
    security: [{ basic: [] }, { bearer: [] }],
    tags: chapters.map(({ title, about }) => ({ name: title, description: about })),
    paths,
    components: {
      schemas: { Error: ERROR_SCHEMA },
      securitySchemes: { basic: { type: 'http', scheme: 'basic' }, bearer: { type: 'http', scheme: 'bearer' } },
    },
  };
}

function operationOf(route: Route, chapters: readonly Chapter[]): Record<string, unknown> {
  const { description, method, path, permission } = route;
  const chapter = chapters.find(({ anchor }) => anchor === description.chapter);
  if (!chapter) throw new Error(`${method} ${path} names a chapter of the documentation that does not exist: ${description.chapter}.`);
  return {
    tags: [chapter.title],
    operationId: `${method.toLowerCase()}${path.replace(/[^a-zA-Z0-9]+(\w)?/g, (_, letter: string | undefined) => letter?.toUpperCase() ?? '')}`,
    summary: description.summary,
    ...(description.details && { description: description.details }),
    ...(permission === 'anyone' ? { security: [] } : { 'x-permission': permission }),
    ...(route.deprecation && { deprecated: true }),
    parameters: parametersOf(route),
    ...(description.request && { requestBody: requestBodyOf(description.request) }),
    responses: responsesOf(route),
  };
}

function parametersOf({ path, method, description }: Route): unknown[] {
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({ name, in: 'path', required: true, schema: { type: 'string' } }));
  const inQuery = Object.entries(description.query ?? {}).map(([name, schema]) => ({ name, in: 'query', schema }));
  const ifMatch = description.needsIfMatch
    ? [
        {
          name: 'If-Match',
          in: 'header',
          required: true,
          schema: { type: 'string' },
          description: 'The ETag of the version this one replaces.',
        },
      ]
    : [];
  return [...inPath, ...inQuery, ...(method === 'GET' ? [] : WRITE_PARAMETERS), ...ifMatch];
}

const WRITE_PARAMETERS = [
  { name: 'dry_run', in: 'query', schema: { type: 'boolean' }, description: 'true: the same verdict and answer, but nothing is changed.' },
  { name: 'X-Svc-Reason', in: 'header', schema: { type: 'string' }, description: 'Why; kept in the change log.' },
];

function requestBodyOf({ schema, example }: { schema: JsonSchema; example: Json }) {
  return { required: true, content: { 'application/json': { schema, example } } };
}

function contentOf({ response, example }: Route['description']) {
  return { schema: response, ...(example !== undefined && { example }) };
}

function responsesOf({ description, version, permission, method, path }: Route): Record<string, unknown> {
  const type = version === null ? 'application/json' : mediaType(OWN_WORD, version);
  const error = (text: string) => ({ description: text, content: { [type]: { schema: { $ref: '#/components/schemas/Error' } } } });
  const isWrite = method !== 'GET';
  const headers = description.hasEtag ? { headers: { ETag: { schema: { type: 'string' } } } } : {};
  const success = {
    description: 'Done.',
    ...headers,
    ...(description.response && { content: { [type]: contentOf(description) } }),
  };
  return {
    [description.status ?? 200]: success,
    ...(!isWrite && description.hasEtag && { 304: { description: 'Unchanged since the version named in If-None-Match.' } }),
    ...(isWrite && { 400: error('The body is not JSON, or a write without a body lacks the confirm header.') }),
    ...(permission !== 'anyone' && { 401: error('Not authenticated.') }),
    ...((permission === 'admin' || permission === 'anyAdmin' || permission === 'groupAdmin') && { 403: error('Not allowed.') }),
    ...((version !== null || path.includes(':')) && {
      404: error('Not found, or the Accept header asks for a version that does not exist.'),
    }),
    ...(description.needsIfMatch && { 412: error('If-Match is missing or names an older version.') }),
    ...(description.request && {
      413: error('The body is too large.'),
      415: error('The body is not sent as JSON.'),
      422: error('Something in it is wrong; `data` says where.'),
    }),
    ...(permission !== 'anyone' && { 429: error('Too many failed logins.') }),
    ...Object.fromEntries(Object.entries(description.failures ?? {}).map(([status, when]) => [status, error(when)])),
  };
}
