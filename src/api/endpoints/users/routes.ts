// Users: administrators list, add, change, enable and delete them.
import type { ChangeEnabledUsers } from '../../../access/conditions.ts';
import type { Token } from '../../../access/users/token.ts';
import type { Tokens } from '../../../access/users/tokens.ts';
import { newUser, type User, type Users } from '../../../access/users/users.ts';
import { sha256 } from '../../../kit/bytes/hash.ts';
import { Refusal } from '../../../kit/refusal.ts';
import type { JsonObject, JsonOut } from '../../../shape/json/json.ts';
import { loginKey, loginProblem, normalLogin } from '../../../shape/login-name.ts';
import { type RecordChange, withRecordPlan } from '../../engine/record-plan.ts';
import { type ApiRequest, jsonAnswer, type Method, type Route, type RouteDescription } from '../../engine/route.ts';
import { checkIfMatchEtag } from '../../engine/verbs/precondition.ts';
import { etagOfText } from '../../http/headers/etags.ts';
import { enabledIn, loginIn, loginsIn, stateIn } from './bodies.ts';
import { allDeleted, DESCRIPTIONS, deleted, looksLike, notDisabled, switched, unknownUser } from './docs.ts';
import { invalidUser, USERS_PATH as PATH, patchedUser, userJson, userListJson } from './json.ts';

export interface UserParts {
  readonly users: Users;
  readonly tokens: Tokens;
  /** Makes changes that may disable an administrator, unless no administrator would be left. */
  readonly changeEnabledUsers: ChangeEnabledUsers;
  /** The login names of all administrators, in lower case. */
  isAdmin(loginName: string): boolean;
  rolesOf(loginName: string): readonly JsonObject[];
}

export function userRoutes({ users, tokens, changeEnabledUsers, isAdmin, rolesOf }: UserParts): Route[] {
  const find = ({ params }: ApiRequest): User => {
    const login = params.login_name ?? '';
    const user = users.find(login);
    if (!user) throw new Refusal('notFound', unknownUser(login));
    return user;
  };
  const rightsOf = ({ loginName }: User) => ({ isAdmin: isAdmin(loginName), roles: rolesOf(loginName) });
  const json = (user: User, base: string): JsonOut => userJson(user, rightsOf(user), base);
  const etagOf = (user: User) => {
    const { isAdmin, roles } = rightsOf(user);
    return sha256(JSON.stringify([user, isAdmin, roles]));
  };
  const show = (user: User, base: string) => jsonAnswer(json(user, base), { etag: etagOf(user) });
  /** `after`: absent when the user is deleted. */
  const planned = (loginName: string, after: User | undefined, base: string): RecordChange => {
    const before = users.find(loginName);
    return { resource: 'users', title: 'User', id: loginName, before: before && json(before, base), after: after && json(after, base) };
  };
  const listJson = (base: string): JsonOut => {
    const sorted = users.all().toSorted((one, other) => (one.loginName.toLowerCase() < other.loginName.toLowerCase() ? -1 : 1));
    return userListJson(
      sorted.map((user) => json(user, base)),
      base,
    );
  };
  const remove = <const T extends readonly User[]>(decide: () => T, { identity, isDryRun }: ApiRequest): Promise<T> => {
    const by = identity.loginName;
    const revocation = (removed: T) => {
      const logins = new Set(removed.map((user) => user.loginName.toLowerCase()));
      const isTheirs = (token: Token) => logins.has(token.login_name.toLowerCase());
      return tokens.revocation(isTheirs, by, `Revoked because user was deleted by ${by}`, true);
    };
    return users.remove(decide, revocation, { dryRun: isDryRun });
  };

  return [
    route('GET', PATH, DESCRIPTIONS.list, ({ base }) => jsonAnswer(listJson(base))),
    route('POST', PATH, DESCRIPTIONS.add, async (request) => {
      const { body, base } = request;
      const login = normalLogin(loginIn(body));
      const [added] = await users.change(() => [addedUser(login, body)], { dryRun: request.isDryRun });
      return withRecordPlan(show(added, base), request, () => [planned(login, added, base)]);
    }),
    route('GET', `${PATH}/:login_name`, DESCRIPTIONS.show, (request) => show(find(request), request.base)),
    route('PATCH', `${PATH}/:login_name`, DESCRIPTIONS.change, async (request) => {
      const [changed] = await changeEnabledUsers(() => [changedUser(request)], { dryRun: request.isDryRun });
      const { loginName } = changed!;
      return withRecordPlan(show(changed!, request.base), request, () => [planned(loginName, changed, request.base)]);
    }),
    route('DELETE', `${PATH}/:login_name`, DESCRIPTIONS.remove, async (request) => {
      const [removed] = await remove(() => [removableUser(request)], request);
      const { loginName } = removed;
      return withRecordPlan(jsonAnswer({ message: deleted(loginName) }), request, () => [planned(loginName, undefined, request.base)]);
    }),
    route('PATCH', `${PATH}/operations/state`, DESCRIPTIONS.switchAll, async (request) => {
      const { body, base } = request;
      const enabled = stateIn(body);
      const logins = loginsIn(body);
      const changed = await changeEnabledUsers(() => switchedUsers(logins, enabled), { dryRun: request.isDryRun });
      const answer = jsonAnswer({ message: switched(logins, enabled) });
      return withRecordPlan(answer, request, () => changed.map((user) => planned(user.loginName, user, base)));
    }),
    route('DELETE', PATH, DESCRIPTIONS.removeAll, async (request) => {
      const logins = loginsIn(request.body);
      const removed = await remove(() => removableUsers(logins, request), request);
      const answer = jsonAnswer({ message: allDeleted(logins) });
      return withRecordPlan(answer, request, () => removed.map(({ loginName }) => planned(loginName, undefined, request.base)));
    }),
  ];

  // The functions below decide in the turn of a write, by users as they are then.

  function addedUser(login: string, body: JsonObject): User {
    const draft = newUser(login);
    if (users.find(login)) throw new Refusal('invalid', `Failed to add User '${login}'. Another User with the same name already exists.`);
    const user = patchedUser({ ...draft, enabled: enabledIn(body) ?? draft.enabled }, body);
    const problem = loginProblem(login);
    if (problem !== undefined) throw invalidUser(user, [{ at: ['login_name'], message: problem }]);
    const lookAlike = users.findLookAlike(login);
    if (lookAlike) throw new Refusal('invalid', looksLike(login, lookAlike.loginName));
    return user;
  }

  function changedUser(request: ApiRequest): User {
    const { body } = request;
    const user = find(request);
    const login = body.login_name;
    if (login !== undefined && login !== null && loginKey(String(login)) !== loginKey(user.loginName)) {
      throw new Refusal('invalid', 'Renaming of User is not supported by this API.');
    }
    checkIfMatchEtag(request, etagOf(user));
    return patchedUser({ ...user, enabled: enabledIn(body) ?? user.enabled }, body, 'update');
  }

  function removableUser(request: ApiRequest): User {
    const user = find(request);
    checkIfMatchEtag(request, etagOf(user));
    if (user.enabled) throw new Refusal('malformed', notDisabled(user.loginName));
    return user;
  }

  function switchedUsers(logins: readonly string[], enabled: boolean): User[] {
    const { found, unknown } = sort(logins);
    if (unknown.length > 0) {
      throw new Refusal('invalid', 'Update failed because some users do not exist.', { more: { non_existent_users: unknown } });
    }
    return found.map((user) => ({ ...user, enabled }));
  }

  function removableUsers(logins: readonly string[], request: ApiRequest): User[] {
    checkIfMatchEtag(request, etagOfText(JSON.stringify(listJson(request.base)), request.base));
    const { found, unknown } = sort(logins);
    const enabled = found.filter((user) => user.enabled).map((user) => user.loginName);
    if (unknown.length > 0 || enabled.length > 0) {
      const which = unknown.length > 0 ? 'do not exist' : 'were enabled';
      throw new Refusal('invalid', `Deletion failed because some users ${which}.`, {
        more: { non_existent_users: unknown, enabled_users: enabled },
      });
    }
    return found;
  }

  function sort(logins: readonly string[]): { found: User[]; unknown: string[] } {
    const unknown = logins.filter((login) => !users.find(login));
    return { found: logins.flatMap((login) => users.find(login) ?? []), unknown };
  }
}

function route(method: Method, path: string, description: Omit<RouteDescription, 'chapter'>, handle: Route['handle']): Route {
  return { method, path, version: 3, permission: 'admin', description: { chapter: 'users', ...description }, handle };
}
