// A user as JSON, and the changes a body may make to one.
import type { User } from '../../../access/users/users.ts';
import { Refusal } from '../../../kit/refusal.ts';
import { hasInvisibleCharacter, NO_INVISIBLE_CHARACTERS } from '../../../kit/text/invisible-characters.ts';
import type { Json, JsonObject, JsonOut } from '../../../shape/json/json.ts';
import { readText, readTexts } from '../../../shape/json/reading.ts';
import { described, FLAG, LINKS, TEXT, TEXTS } from '../../../shape/json/schemas.ts';
import { annotate, type Problem } from '../../../shape/problems/problem.ts';
import { plainReading } from '../../engine/plain-reading.ts';
import { docLink, links } from '../common/links.ts';

export const USERS_PATH = '/api/users';
const MAX_LENGTH = 255;
const EMAIL = /^[^\s@<>,;]+@[^\s@<>,;]+$/;

export function userFields(user: User) {
  return {
    login_name: user.loginName,
    display_name: user.displayName,
    enabled: user.enabled,
    email: user.email,
    email_me: user.emailMe,
    checkin_aliases: user.checkinAliases.toSorted(),
  };
}

/** The members of a user that only administrators see. */
export interface UserRights {
  readonly isAdmin: boolean;
  readonly roles: readonly JsonObject[];
}

export function userJson(user: User, { isAdmin, roles }: UserRights, base: string): JsonOut {
  return {
    _links: links(base, {
      self: `${USERS_PATH}/${encodeURIComponent(user.loginName)}`,
      find: `${USERS_PATH}/:login_name`,
      doc: docLink('users'),
    }),
    ...userFields(user),
    is_admin: isAdmin,
    roles,
    ...(user.serviceAccount && { service_account: true }),
  };
}

export function userListJson(members: readonly JsonOut[], base: string): JsonOut {
  return { _links: links(base, { self: USERS_PATH, doc: docLink('users') }), _embedded: { users: members } };
}

/** GoCD says `add` also of users who change themselves. */
type Attempt = 'add' | 'update';

/** The user with mail and aliases as the body wants them; members that the body leaves out stay. */
export function patchedUser(user: User, body: JsonObject, attempt?: Attempt): User {
  const problems: Problem[] = [];
  const place = { holder: body, path: [], reading: plainReading(problems) };
  const email = readText(place, 'email');
  const aliases = typeof body.checkin_aliases === 'string' ? body.checkin_aliases.split(',') : readTexts(place, 'checkin_aliases');
  const changed: User = {
    ...user,
    ...(email !== undefined && { email: email.trim() }),
    ...(body.email_me !== undefined && { emailMe: booleanLike(body.email_me) }),
    ...(aliases && { checkinAliases: [...new Set(aliases.map((alias) => alias.trim()).filter((alias) => alias !== ''))] }),
  };
  if (changed.email !== '' && !EMAIL.test(changed.email)) problems.push({ at: ['email'], message: 'Invalid email address.' });
  if (changed.email.length > MAX_LENGTH) problems.push({ at: ['email'], message: 'Only 255 characters are allowed' });
  if (changed.checkinAliases.join(',').length > MAX_LENGTH)
    problems.push({ at: ['checkin_aliases'], message: 'Only 255 characters are allowed' });
  if (aliases && changed.checkinAliases.some(hasInvisibleCharacter))
    problems.push({ at: ['checkin_aliases'], message: NO_INVISIBLE_CHARACTERS });
  if (problems.length === 0) return changed;
  throw invalidUser(changed, problems, attempt);
}

/** GoCD answers with the user itself, not with `data`. */
export function invalidUser(user: User, problems: readonly Problem[], attempt: Attempt = 'add'): Refusal {
  const reason = problems.map((problem) => problem.message).join(' ');
  return new Refusal('malformed', `Failed to ${attempt} user. Validations failed. ${reason}`, {
    more: annotate({ ...userFields(user) }, problems),
  });
}

/** The one boolean that GoCD takes as a text, too: its users set it from forms. */
function booleanLike(value: Json): boolean {
  const text = typeof value === 'object' ? String(value === null ? 'null' : 'object') : String(value).toLowerCase();
  if (text === 'true' || text === 'false') return text === 'true';
  throw new Refusal(
    'invalid',
    `The string '${typeof value === 'object' ? text : String(value).slice(0, 100)}' does not look like a boolean.`,
  );
}

/** The members that users may change of themselves. */
export const USER_CHANGES = {
  email: described(TEXT, 'Mail address; empty: none.'),
  email_me: described(FLAG, 'Whether to send the mails that the filters of the user ask for.'),
  checkin_aliases: described(TEXTS, 'Names under which the user commits, to recognise their changes.'),
};
/** The members of a user in every answer. */
export const USER_MEMBERS = {
  _links: LINKS,
  login_name: described(TEXT, 'The name to log in with.'),
  display_name: described(TEXT, 'The name to show.'),
  enabled: described(FLAG, 'Whether the user may log in.'),
  ...USER_CHANGES,
};
