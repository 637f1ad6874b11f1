// The failures of a route by status: when each happens, and its answer. The documentation is made from them.
import { isObject, type JsonObject } from '../../shape/json/json.ts';
import { capitalised } from '../../shape/problems/messages.ts';
import { MAX_BODY_BYTES, tooLarge, WRONG_TYPE } from '../http/body/body.ts';
import { CUT_OFF } from '../http/forward-request.ts';
import { Versions, WRONG_URL } from '../http/headers/negotiate.ts';
import { FAULT, refusalBody } from '../http/refusal-reply.ts';
import { resourceForbidden, routeForbidden } from './authorize.ts';
import { STALE_SCHEMA } from './conflict-schema.ts';
import type { Failure, Route } from './route.ts';

/** The user without rights in examples. */
export const EXAMPLE_OTHER_USER = 'eve';

const NOT_JSON = { message: 'Payload data is not valid JSON: the top level must be an object' };
const NOT_DRY_RUN = { message: 'Value `maybe` is not allowed for query parameter named `dry_run`. Valid values are true, false.' };
const UNKNOWN_USER = { message: 'You are not authenticated!' };
const A_FAULT: ConditionalFailure = [true, 500, { when: 'A fault of the server.', example: JSON.parse(FAULT.text!) as JsonObject }];
const NOT_NOW = 'The source that knows the user of an access token cannot be asked now. Most writes: the server is in maintenance mode.';
const NOT_KNOWN = 'With several servers: the database, or the server that does the work, was lost meanwhile. It may have been done.';
const TOO_MANY_LOGINS = { message: 'Too many failed logins. Try again in 1 second.' };

/** A failure, and whether it can happen on a route at all. */
type ConditionalFailure = readonly [isPossible: boolean, status: number, failure: Failure];

export function failuresOf(route: Route): Readonly<Record<number, Failure>> {
  const failures: Record<number, Failure> = {};
  for (const [isPossible, status, failure] of [...accessFailures(route), ...bodyFailures(route), A_FAULT])
    if (isPossible) failures[status] = failure;
  for (const [status, own] of Object.entries(route.description.failures ?? {})) {
    failures[Number(status)] = { when: 'Not possible.', ...failures[Number(status)], ...own };
  }
  return failures;
}

export function isWrite({ method }: Route): boolean {
  return method !== 'GET';
}

/** Whether a write can be tried without being done. */
export function supportsDryRun(route: Route): boolean {
  return isWrite(route) && route.description.changes !== 'nothing';
}

function accessFailures(route: Route): ConditionalFailure[] {
  const { permission, guard, version, path } = route;
  const isKnown = permission !== 'anyone';
  const isGuarded = guard !== undefined || (isKnown && permission !== 'user');
  const noVersion = 'the Accept header asks for a version that does not exist.';
  const notFound = {
    when: path.includes(':') ? `Not found, or ${noVersion}` : capitalised(noVersion),
    example: { message: WRONG_URL, supported: new Versions([route]).supported },
  };
  return [
    [isKnown, 401, { when: 'Not authenticated.', example: UNKNOWN_USER }],
    [isGuarded, 403, { when: 'Not allowed.', example: notAllowed(route) }],
    [version !== null, 404, notFound],
    [isKnown, 429, { when: 'Too many failed logins.', example: TOO_MANY_LOGINS }],
    [isKnown, 503, { when: NOT_NOW }],
    [isKnown && isWrite(route), 504, { when: NOT_KNOWN, example: { message: CUT_OFF } }],
  ];
}

function bodyFailures(route: Route): ConditionalFailure[] {
  const { request, bodies, ifMatch } = route.description;
  const takesJson = request !== undefined;
  const tooLargeBody = refusalBody(tooLarge(route.rawBody?.maxBytes ?? MAX_BODY_BYTES));
  const wrongDryRun = '`dry_run` is neither true nor false.';
  const notJson = 'The body is not a JSON object';
  return [
    [takesJson, 400, { when: supportsDryRun(route) ? `${notJson}, or ${wrongDryRun}` : `${notJson}.`, example: NOT_JSON }],
    [supportsDryRun(route) && !takesJson, 400, { when: `The query parameter ${wrongDryRun}`, example: NOT_DRY_RUN }],
    [ifMatch === 'required', 412, { when: 'If-Match is missing or names an older version.', schema: STALE_SCHEMA }],
    [ifMatch === 'optional', 412, { when: 'If-Match names an older version.', schema: STALE_SCHEMA }],
    [takesJson || bodies !== undefined, 413, { when: 'The body is too large.', example: tooLargeBody }],
    [takesJson, 415, { when: 'The body is not sent as JSON, or is compressed.', example: { message: WRONG_TYPE } }],
    [takesJson, 422, { when: 'Something in the body is wrong; `data` says where.' }],
  ];
}

function notAllowed(route: Route): JsonObject {
  const { guard } = route;
  if (route.notAllowed) return refusalBody(route.notAllowed({ loginName: EXAMPLE_OTHER_USER }));
  return {
    message: guard?.on ? resourceForbidden(EXAMPLE_OTHER_USER, { ...guard, resource: exampleSubject(route) }) : routeForbidden(route),
  };
}

/** The resource that the example of a request names. */
function exampleSubject({ description: { parameters = {}, request } }: Route): string {
  const [inPath] = Object.values(parameters);
  if (inPath) return inPath.example;
  const body: JsonObject = isObject(request?.example) ? request.example : {};
  return String(body.id ?? body.name ?? '');
}
