// The user who asks: what the server knows of them, and what they may change themselves.
import type { User, Users } from '../../access/users.ts';
import { sha256 } from '../../kit/hash.ts';
import { Refusal } from '../../kit/refusal.ts';
import type { JsonObject } from '../../shape/json.ts';
import { annotate, type Problem } from '../../shape/problem.ts';
import { readText, readTexts } from '../../shape/reading.ts';
import { type Answer, jsonAnswer, type Route } from '../route.ts';
import { docLink, links } from './links.ts';

const LONGEST = 255;
const EMAIL = /^[^\s@<>,;]+@[^\s@<>,;]+$/;

export function currentUserRoutes(users: Users): Route[] {
  const description = { chapter: 'users', response: USER_SCHEMA, hasEtag: true };
  return [
    {
      method: 'GET',
      path: '/api/current_user',
      version: 1,
      permission: 'user',
      description: { ...description, summary: 'Show the user who asks' },
      handle: ({ identity, base }) => show(users.find(identity.loginName)!, base),
    },
    {
      method: 'PATCH',
      path: '/api/current_user',
      version: 1,
      permission: 'user',
      description: {
        ...description,
        summary: 'Change what the user may change themselves',
        request: { schema: PATCH_SCHEMA, example: { email: 'jez@example.org', email_me: true, checkin_aliases: ['jez', 'Jez H.'] } },
      },
      handle: async ({ identity, base, body, isDryRun }) => {
        const user = patched(users.find(identity.loginName)!, body);
        if (!isDryRun) await users.save(user);
        return show(user, base);
      },
    },
  ];
}

function show(user: User, base: string): Answer {
  const answer = jsonAnswer(userJson(user, base));
  return { ...answer, etag: sha256(JSON.stringify(user)) };
}

function userJson(user: User, base: string) {
  const addresses = {
    doc: docLink('users'),
    self: `/api/users/${encodeURIComponent(user.loginName)}`,
    find: '/api/users/:login_name',
    current_user: '/api/current_user',
  };
  return { _links: links(base, addresses), ...fieldsOf(user) };
}

function fieldsOf(user: User) {
  return {
    login_name: user.loginName,
    display_name: user.displayName,
    enabled: user.enabled,
    email: user.email,
    email_me: user.emailMe,
    checkin_aliases: user.checkinAliases.toSorted(),
  };
}

function patched(user: User, body: JsonObject): User {
  const problems: Problem[] = [];
  const place = { holder: body, path: [], reading: { problems, seal: never, reseal: never, isSecretSetting: () => undefined } };
  const email = readText(place, 'email');
  const aliases = typeof body.checkin_aliases === 'string' ? body.checkin_aliases.split(',') : readTexts(place, 'checkin_aliases');
  const changed: User = {
    ...user,
    ...(email !== undefined && { email }),
    ...(body.email_me !== undefined && { emailMe: booleanLike(body.email_me) }),
    ...(aliases && { checkinAliases: [...new Set(aliases.map((alias) => alias.trim()).filter((alias) => alias !== ''))] }),
  };
  if (changed.email !== '' && !EMAIL.test(changed.email)) problems.push({ at: ['email'], message: 'Invalid email address.' });
  if (changed.email.length > LONGEST) problems.push({ at: ['email'], message: 'Only 255 characters are allowed' });
  if (changed.checkinAliases.join(',').length > LONGEST)
    problems.push({ at: ['checkin_aliases'], message: 'Only 255 characters are allowed' });
  if (problems.length === 0) return changed;
  const reason = problems.map((problem) => problem.message).join(' ');
  throw new Refusal('malformed', `Failed to add user. Validations failed. ${reason}`, {
    more: annotate({ ...fieldsOf(changed) }, problems),
  });
}

function booleanLike(value: unknown): boolean {
  const text = String(value).toLowerCase();
  if (typeof value === 'object' || (text !== 'true' && text !== 'false')) {
    throw new Refusal(
      'invalid',
      `The string '${typeof value === 'object' ? 'null' : String(value).slice(0, 100)}' does not look like a boolean.`,
    );
  }
  return text === 'true';
}

function never(): never {
  throw new Error('A user has no secrets.');
}

const TEXT = { type: 'string' };
const PATCH_SCHEMA = {
  type: 'object',
  properties: { email: TEXT, email_me: { type: 'boolean' }, checkin_aliases: { type: 'array', items: TEXT } },
};
const USER_SCHEMA = {
  type: 'object',
  properties: { login_name: TEXT, display_name: TEXT, enabled: { type: 'boolean' }, ...PATCH_SCHEMA.properties },
};
