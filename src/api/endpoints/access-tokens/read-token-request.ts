// Reads the settings of a new access token from a body, with all problems.
import { ALL, MAX_SCOPE_LENGTH, parseScope, SCOPE_ACTIONS } from '../../../access/scopes/scope.ts';
import { MAX_LIFETIME_MS, type TokenRequest } from '../../../access/users/token.ts';
import { isAddressOrNetwork } from '../../../kit/network/address-list.ts';
import { Refusal } from '../../../kit/refusal.ts';
import { isProse, NOT_PROSE } from '../../../kit/text/control-characters.ts';
import type { Json, JsonObject } from '../../../shape/json/json.ts';

const MAX_SCOPES = 100;
const MAX_ADDRESSES = 100;
const MAX_TEXT_LENGTH = 1024;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/;

/** The problems, by field. */
export type TokenRequestProblems = Readonly<Record<string, string>>;

export interface ReadTokenRequest {
  readonly tokenRequest: TokenRequest;
  readonly problems: TokenRequestProblems;
}

export function readTokenRequest(body: JsonObject, resources: ReadonlySet<string>, now = Date.now()): ReadTokenRequest {
  const problems: Record<string, string> = {};
  const description = textIn(body, 'description') ?? '';
  if (description.trim() === '') problems.description = 'must not be blank';
  else if (!isProse(description)) problems.description = NOT_PROSE;
  const expiry = given(body.expires_at);
  const timeWrong = expiry === undefined ? undefined : timeProblem(expiry, now);
  if (timeWrong !== undefined) problems.expires_at = timeWrong;
  const scopes = listIn(body, 'scopes', MAX_SCOPES, (text) => scopeProblem(text, resources), problems);
  const isAddress = (text: string) =>
    isAddressOrNetwork(text) ? undefined : 'is no address or network, such as 10.0.0.0/8 or 2001:db8::1';
  const allowedAddresses = listIn(body, 'allowed_addresses', MAX_ADDRESSES, isAddress, problems);
  const expiresAt = typeof expiry === 'string' && timeWrong === undefined ? new Date(expiry).toISOString() : null;
  return { tokenRequest: { description, expiresAt, scopes, allowedAddresses }, problems };
}

/** A text of a body; numbers and flags become texts. */
export function textIn(body: JsonObject, name: string): string | undefined {
  const value = given(body[name]);
  if (value === undefined) return undefined;
  if (typeof value === 'object')
    throw new Refusal('invalid', `Could not read property '${name}' as a String in json \`${JSON.stringify(body).slice(0, 500)}\` `);
  if (String(value).length > MAX_TEXT_LENGTH)
    throw new Refusal('invalid', `The property '${name}' must not be longer than ${MAX_TEXT_LENGTH} characters.`);
  return String(value);
}

function given(value: Json | undefined): Exclude<Json, null> | undefined {
  return value ?? undefined;
}

function timeProblem(value: Json, now: number): string | undefined {
  const time = typeof value === 'string' && TIME.test(value) ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(time)) return 'must be a time in ISO 8601 with its zone, such as 2030-01-31T12:00:00Z';
  if (time <= now) return 'must be in the future';
  return time - now > MAX_LIFETIME_MS ? 'must not be more than 10 years away' : undefined;
}

function scopeProblem(text: string, resources: ReadonlySet<string>): string | undefined {
  if (text.length > MAX_SCOPE_LENGTH) return `is longer than ${MAX_SCOPE_LENGTH} characters`;
  const [resource = '', action = '', ...pattern] = text.split(':');
  if (pattern.join(':') === '') return 'is no scope: write resource:action:pattern, such as pipelines:operate:build-*';
  if (!resources.has(resource)) return `has an unknown resource: GET /api/token_scopes lists them`;
  return parseScope(text) ? undefined : `has an unknown action '${action}': it must be one of ${[...SCOPE_ACTIONS, ALL].join(', ')}`;
}

/** null: there is none, which limits nothing. An empty list would be a token that is good for nothing, and is surely a mistake. */
function listIn(
  body: JsonObject,
  name: string,
  max: number,
  problemOf: (text: string) => string | undefined,
  problems: Record<string, string>,
): readonly string[] | null {
  const value = given(body[name]);
  if (value === undefined) return null;
  const texts = Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
  if (!Array.isArray(value) || texts.length !== value.length || texts.length === 0 || texts.length > max) {
    problems[name] = `must be a list of 1 to ${max} texts, or be left out`;
    return null;
  }
  for (const text of texts) {
    const problem = problemOf(text);
    if (problem !== undefined) problems[name] ??= `has the entry '${text.slice(0, 100)}', which ${problem}`;
  }
  return [...new Set(texts)];
}
