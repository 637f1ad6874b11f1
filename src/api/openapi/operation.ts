// One operation of the OpenAPI description: its parameters, body, answers and failures.
import type { JsonSchema } from '../../shape/json/json.ts';
import { failuresOf, isWrite, supportsDryRun } from '../engine/failures.ts';
import { type Failure, type Route, resolveLazy } from '../engine/route.ts';
import { hasEtag } from '../http/headers/etags.ts';
import { DEFAULT_VENDOR, mediaType } from '../http/headers/vendor.ts';
import type { Chapter } from './chapters.ts';
import { permissionText, scopeText } from './permission-text.ts';

const TEXT: JsonSchema = { type: 'string' };
const LOGGED = { name: 'X-Svc-Reason', in: 'header', schema: TEXT, description: 'Why; kept in the change log.' };
const DRY_RUN = {
  name: 'dry_run',
  in: 'query',
  schema: { type: 'boolean', default: false },
  description:
    'true: the same verdict and answer, but nothing is changed. What a change of the configuration, of users, service accounts, notification filters or agents would do is listed as `_plan`, beside the other members: `changes`, the first 500, and `affected`, the first 1,000; `more_changes` counts the rest. What the caller may not look at is only named, with `is_hidden`.',
};
const FAILURE_HEADERS: Readonly<Record<number, Readonly<Record<string, JsonSchema>>>> = {
  401: { 'WWW-Authenticate': TEXT },
  429: { 'Retry-After': { type: 'integer', description: 'Seconds.' } },
  503: { 'Retry-After': { type: 'integer', description: 'Seconds.' } },
  507: { 'Retry-After': { type: 'integer', description: 'Seconds.' } },
};

/** The path with its parameters in braces. */
export function pathOf({ path }: Route): string {
  return path.replace(/[:*](\w+)/g, '{$1}');
}

export function operationOf(route: Route, chapter: Chapter) {
  const { description, method, path, permission } = route;
  const { details, protocol, request } = description;
  const bodies = description.bodies ?? (request && { 'application/json': request });
  return {
    tags: [chapter.title],
    operationId: `${method.toLowerCase()}${path.replace(/[^a-zA-Z0-9]+(\w)?/g, (_, letter: string | undefined) => letter?.toUpperCase() ?? '')}`,
    summary: description.summary,
    description: [...(details ? [details] : []), `For ${permissionText(route)}.`].join('\n\n'),
    ...(permission === 'anyone' ? { security: [] } : { 'x-permission': permission, 'x-token-scope': scopeText(route) }),
    ...(protocol && { 'x-protocol': protocol }),
    ...(route.deprecation && { deprecated: true }),
    parameters: parametersOf(route),
    ...(bodies && { requestBody: { required: !request?.isOptional, content: madeBodies(bodies) } }),
    responses: responsesOf(route),
  };
}

function parametersOf(route: Route): unknown[] {
  const { path, description } = route;
  const inPath = [...path.matchAll(/[:*](\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: TEXT,
    ...description.parameters?.[name!],
  }));
  return [
    ...inPath,
    ...named('query', description.query),
    ...(supportsDryRun(route) ? [DRY_RUN] : []),
    ...named('header', description.headers),
    ...(description.changes === 'configuration' ? [LOGGED] : []),
    ...conditionsOf(route),
  ];
}

function madeBodies(bodies: NonNullable<Route['description']['bodies']>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(bodies).map(([media, { schema, example }]) => [
      media,
      { schema: resolveLazy(schema), ...(example !== undefined && { example }) },
    ]),
  );
}

function conditionsOf(route: Route): unknown[] {
  const { ifMatch, takesIfNoneMatch = false } = route.description;
  const condition = (name: string, required: boolean, description: string) => ({ name, in: 'header', required, schema: TEXT, description });
  if (!isWrite(route)) return hasEtag(route) ? [condition('If-None-Match', false, 'The ETag of the version that is known already.')] : [];
  return [
    ...(ifMatch
      ? [condition('If-Match', ifMatch === 'required', 'The ETag of the version this is based on; `*`: the current version.')]
      : []),
    ...(takesIfNoneMatch ? [condition('If-None-Match', false, '`*`: only if it is not there now.')] : []),
  ];
}

function named(location: 'query' | 'header', schemas: Readonly<Record<string, JsonSchema>> = {}): unknown[] {
  return Object.entries(schemas).map(([name, { description, ...schema }]) => ({
    name,
    in: location,
    schema,
    ...(description !== undefined && { description }),
  }));
}

function responsesOf(route: Route): Record<string, unknown> {
  const { status = 200 } = route.description;
  return {
    [status]: successOf(route),
    ...(!isWrite(route) && hasEtag(route) && { 304: { description: 'Unchanged since the version named in If-None-Match.' } }),
    ...Object.fromEntries(Object.entries(failuresOf(route)).map(([code, failure]) => [code, failureOf(route, Number(code), failure)])),
  };
}

function successOf(route: Route): Record<string, unknown> {
  const { version, alsoVersions, description } = route;
  const { changes, answerHeaders, type, alsoAs = {} } = description;
  const response = resolveLazy(description.response);
  const example = resolveLazy(description.example);
  const headers = {
    ...(hasEtag(route) && { ETag: TEXT }),
    ...(changes === 'configuration' && {
      'X-Svc-Revision': { type: 'integer', description: 'The revision of the configuration it made.' },
    }),
    ...answerHeaders,
  };
  const own = version === null ? 'application/json' : mediaType(DEFAULT_VENDOR, version);
  const older = type === undefined ? (alsoVersions ?? []).map((one) => [mediaType(DEFAULT_VENDOR, one), { schema: response }]) : [];
  return {
    description: 'Done.',
    ...headersOf(headers),
    ...(response && {
      content: {
        [type ?? own]: { schema: response, ...(example !== undefined && { example }) },
        ...Object.fromEntries(older),
        ...Object.fromEntries(Object.entries(alsoAs).map(([media, schema]) => [media, { schema }])),
      },
    }),
  };
}

function failureOf({ version }: Route, status: number, failure: Failure): Record<string, unknown> {
  const { when, schema = { $ref: '#/components/schemas/Error' }, type = mediaType(DEFAULT_VENDOR, version ?? 1) } = failure;
  const example = resolveLazy(failure.example);
  const content = { schema, ...(example !== undefined && { example }) };
  return { description: when, ...headersOf(FAILURE_HEADERS[status] ?? {}), content: { [type]: content } };
}

function headersOf(schemas: Readonly<Record<string, JsonSchema>>): Record<string, unknown> {
  const headers = Object.entries(schemas).map(([name, { description, ...schema }]) => [
    name,
    { schema, ...(description !== undefined && { description }) },
  ]);
  return headers.length > 0 ? { headers: Object.fromEntries(headers) } : {};
}
