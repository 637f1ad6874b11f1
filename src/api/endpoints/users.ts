// Users, for administrators: who is known, enabled, and what they are.
import { LAST_ADMIN } from '../../access/conditions.ts';
import type { Tokens } from '../../access/tokens.ts';
import { newUser, type User, type Users } from '../../access/users.ts';
import { sha256 } from '../../kit/hash.ts';
import { Refusal } from '../../kit/refusal.ts';
import type { JsonObject, JsonOut } from '../../shape/json.ts';
import type { Problem } from '../../shape/problem.ts';
import { missing, readFlag, readObject, readText, readTexts } from '../../shape/reading.ts';
import { type ApiRequest, jsonAnswer, type Method, type Route, type RouteDescription } from '../route.ts';
import { plainReading } from './plain-reading.ts';
import { booleanLike, invalidUser, USERS_PATH as PATH, patchedUser, userJson, userListJson } from './user-json.ts';
import { allDeleted, DESCRIPTIONS, deleted, notDisabled, switched, unknownUser } from './user-words.ts';

const LONGEST_LOGIN = 255;

export interface UserParts {
  readonly users: Users;
  readonly tokens: Tokens;
  /** The login names of all administrators, in lower case. */
  adminLogins(): ReadonlySet<string>;
  rolesOf(loginName: string): readonly JsonObject[];
}

export function userRoutes({ users, tokens, adminLogins, rolesOf }: UserParts): Route[] {
  const find = ({ params }: ApiRequest): User => {
    const login = params.login_name ?? '';
    const user = users.find(login);
    if (!user) throw new Refusal('notFound', unknownUser(login));
    return user;
  };
  const json = (user: User, base: string): JsonOut =>
    userJson(user, { isAdmin: adminLogins().has(user.loginName.toLowerCase()), roles: rolesOf(user.loginName) }, base);
  const show = (user: User, base: string) => {
    const body = json(user, base);
    return jsonAnswer(body, { etag: sha256(JSON.stringify([user, body.is_admin, body.roles])) });
  };
  const mustKeepAnAdmin = (changed: readonly User[]): void => {
    const after = new Map(changed.map((user) => [user.loginName.toLowerCase(), user]));
    const isSomeoneLeft = [...adminLogins()].some((login) => (after.get(login) ?? users.find(login))?.enabled);
    if (!isSomeoneLeft) throw new Refusal('malformed', LAST_ADMIN);
  };
  const remove = async (removed: readonly User[], by: string): Promise<void> => {
    const logins = new Set(removed.map((user) => user.loginName.toLowerCase()));
    const isTheirs = (token: { readonly login_name: string }) => logins.has(token.login_name.toLowerCase());
    // Tokens first: should the server die in between, they are revoked and the user is still there to be deleted again.
    await tokens.revokeAll(isTheirs, by, `Revoked because user was deleted by ${by}`, true);
    await users.remove([...logins]);
  };

  return [
    route('GET', PATH, DESCRIPTIONS.list, ({ base }) => {
      const listed = users.all().toSorted((one, other) => (one.loginName.toLowerCase() < other.loginName.toLowerCase() ? -1 : 1));
      const members = listed.map((user) => json(user, base));
      return jsonAnswer(userListJson(members, base), { etag: sha256(JSON.stringify(members)) });
    }),
    route('POST', PATH, DESCRIPTIONS.add, async ({ body, base, isDryRun }) => {
      const login = loginIn(body);
      const draft = newUser(login);
      if (users.find(login)) throw new Refusal('invalid', `Failed to add User '${login}'. Another User with the same name already exists.`);
      const user = patchedUser(body.enabled === undefined ? draft : { ...draft, enabled: booleanLike(body.enabled) }, body);
      if (login.trim() === '') throw invalidUser(user, [{ at: ['login_name'], message: 'Login name field must be non-blank.' }]);
      if (login.length > LONGEST_LOGIN) throw invalidUser(user, [{ at: ['login_name'], message: 'Only 255 characters are allowed' }]);
      if (!isDryRun) await users.save(user);
      return show(user, base);
    }),
    route('GET', `${PATH}/:login_name`, DESCRIPTIONS.show, (request) => show(find(request), request.base)),
    route('PATCH', `${PATH}/:login_name`, DESCRIPTIONS.change, async (request) => {
      const { body, base, isDryRun } = request;
      const user = find(request);
      const login = body.login_name;
      if (login !== undefined && login !== null && String(login).toLowerCase() !== user.loginName.toLowerCase()) {
        throw new Refusal('invalid', 'Renaming of User is not supported by this API.');
      }
      const changed = patchedUser(body.enabled === undefined ? user : { ...user, enabled: booleanLike(body.enabled) }, body);
      mustKeepAnAdmin([changed]);
      if (!isDryRun) await users.save(changed);
      return show(changed, base);
    }),
    route('DELETE', `${PATH}/:login_name`, DESCRIPTIONS.remove, async (request) => {
      const user = find(request);
      if (user.enabled) throw new Refusal('malformed', notDisabled(user.loginName));
      if (!request.isDryRun) await remove([user], request.identity.loginName);
      return jsonAnswer({ message: deleted(user.loginName) });
    }),
    route('PATCH', `${PATH}/operations/state`, DESCRIPTIONS.switchAll, async ({ body, isDryRun }) => {
      const enabled = stateIn(body);
      const logins = loginsIn(body);
      const { found, unknown } = sort(logins);
      if (unknown.length > 0) {
        throw new Refusal('invalid', 'Update failed because some users do not exist.', { more: { non_existent_users: unknown } });
      }
      const changed = found.map((user) => ({ ...user, enabled }));
      mustKeepAnAdmin(changed);
      if (!isDryRun) await users.save(...changed);
      return jsonAnswer({ message: switched(logins, enabled) });
    }),
    route('DELETE', PATH, DESCRIPTIONS.removeAll, async ({ body, identity, isDryRun }) => {
      const logins = loginsIn(body);
      const { found, unknown } = sort(logins);
      const enabled = found.filter((user) => user.enabled).map((user) => user.loginName);
      if (unknown.length > 0 || enabled.length > 0) {
        const which = unknown.length > 0 ? 'do not exist' : 'were enabled';
        throw new Refusal('invalid', `Deletion failed because some users ${which}.`, {
          more: { non_existent_users: unknown, enabled_users: enabled },
        });
      }
      if (!isDryRun) await remove(found, identity.loginName);
      return jsonAnswer({ message: allDeleted(logins) });
    }),
  ];

  function sort(logins: readonly string[]): { found: User[]; unknown: string[] } {
    const unknown = logins.filter((login) => !users.find(login));
    return { found: logins.flatMap((login) => users.find(login) ?? []), unknown };
  }
}

function route(method: Method, path: string, description: Omit<RouteDescription, 'chapter'>, handle: Route['handle']): Route {
  return { method, path, version: 3, permission: 'admin', description: { chapter: 'users', ...description }, handle };
}

function loginIn(body: JsonObject): string {
  return strictly(body, (place) => readText(place, 'login_name') ?? missing(place, 'login_name') ?? '');
}

function loginsIn(body: JsonObject): readonly string[] {
  const logins = strictly(body, (place) => readTexts(place, 'users') ?? []);
  if (logins.length === 0) throw new Refusal('malformed', 'No users selected.');
  return logins;
}

function stateIn(body: JsonObject): boolean {
  return strictly(body, (place) => {
    const operations = readObject(place, 'operations') ?? missing(place, 'operations') ?? {};
    const inner = { ...place, holder: operations, path: ['operations'] };
    return readFlag(inner, 'enable') ?? missing(inner, 'enable') ?? false;
  });
}

/** Reads, or refuses with the first thing that cannot be read. */
function strictly<T>(
  body: JsonObject,
  read: (place: { holder: JsonObject; path: string[]; reading: ReturnType<typeof plainReading> }) => T,
): T {
  const problems: Problem[] = [];
  const value = read({ holder: body, path: [], reading: plainReading(problems) });
  if (problems[0]) throw new Refusal('invalid', problems[0].message);
  return value;
}
