// Service accounts, for administrators: users without a password, for programs.
import type { ChangeEnabledUsers } from '../../../access/conditions.ts';
import { accountEvent } from '../../../access/users/account-events.ts';
import type { Tokens } from '../../../access/users/tokens.ts';
import { canLogIn, type User, type Users } from '../../../access/users/users.ts';
import { sha256 } from '../../../kit/bytes/hash.ts';
import { Refusal } from '../../../kit/refusal.ts';
import type { JsonObject } from '../../../shape/json/json.ts';
import { loginProblem, normalLogin } from '../../../shape/login-name.ts';
import { type RecordChange, withRecordPlan } from '../../engine/record-plan.ts';
import { type Answer, type ApiRequest, jsonAnswer, type Method, type Route, type RouteDescription } from '../../engine/route.ts';
import { checkIfMatchEtag } from '../../engine/verbs/precondition.ts';
import { DESCRIPTIONS, deleted, looksLike, NO_NAME, taken, unknownOwner } from './docs.ts';
import {
  ACCOUNTS_CHAPTER,
  accountJson,
  accountListJson,
  newAccount,
  ACCOUNTS_PATH as PATH,
  readAccount,
  textIn,
  unknownAccount,
} from './json.ts';

export interface ServiceAccountParts {
  readonly users: Users;
  readonly tokens: Pick<Tokens, 'revocation'>;
  /** Makes changes that may disable an administrator, unless no administrator would be left. */
  readonly changeEnabledUsers: ChangeEnabledUsers;
}

export function serviceAccountRoutes({ users, tokens, changeEnabledUsers }: ServiceAccountParts): Route[] {
  const find = ({ params: { name = '' } }: ApiRequest): User => {
    const user = users.find(name);
    if (!user?.serviceAccount) throw new Refusal('notFound', unknownAccount(name));
    return user;
  };
  const show = (user: User, base: string): Answer => jsonAnswer(accountJson(user, base), { etag: etagOf(user) });
  /** `after`: absent when the account is deleted. */
  const planned = (name: string, after: User | undefined, base: string): RecordChange => {
    const before = users.find(name);
    const [was, becomes] = [before, after].map((user) => user && accountJson(user, base));
    return { resource: 'service_accounts', title: 'Service account', id: name, before: was, after: becomes };
  };
  return [
    route('GET', PATH, DESCRIPTIONS.list, ({ base }) => {
      const accounts = users.all().filter(({ serviceAccount }) => serviceAccount);
      return jsonAnswer(accountListJson(accounts.toSorted(byName), base));
    }),
    route('POST', PATH, DESCRIPTIONS.add, async (request) => {
      const { body, base, isDryRun, identity } = request;
      const eventsOf = ([added]: readonly User[]) => [accountEvent('service_account.created', added!, identity.loginName)];
      const [added] = await users.change(() => [addedAccount(body, identity.loginName)], { dryRun: isDryRun, eventsOf });
      return withRecordPlan(show(added, base), request, () => [planned(added.loginName, added, base)]);
    }),
    route('GET', `${PATH}/:name`, DESCRIPTIONS.show, (request) => show(find(request), request.base)),
    route('PUT', `${PATH}/:name`, DESCRIPTIONS.change, async (request) => {
      const eventsOf = ([changed]: readonly User[]) => [accountEvent('service_account.changed', changed!, request.identity.loginName)];
      const [changed] = await changeEnabledUsers(() => [changedAccount(request)], { dryRun: request.isDryRun, eventsOf });
      const { loginName } = changed!;
      return withRecordPlan(show(changed!, request.base), request, () => [planned(loginName, changed, request.base)]);
    }),
    route('DELETE', `${PATH}/:name`, DESCRIPTIONS.remove, async (request) => {
      const [removed] = await users.remove(
        () => [removable(request)],
        ([account]) => revocation(account, request.identity.loginName),
        {
          dryRun: request.isDryRun,
        },
      );
      const { loginName } = removed;
      return withRecordPlan(jsonAnswer({ message: deleted(loginName) }), request, () => [planned(loginName, undefined, request.base)]);
    }),
  ];

  // The functions below decide in the turn of a write, by users as they are then.

  function addedAccount(body: JsonObject, by: string): User {
    const name = normalLogin(textIn(body, 'name') ?? '');
    if (name === '') throw new Refusal('invalid', NO_NAME);
    const problem = loginProblem(name);
    if (problem !== undefined) throw new Refusal('invalid', `The field 'name' is not acceptable. ${problem}`);
    if (users.find(name)) throw new Refusal('invalid', taken(name));
    const lookAlike = users.findLookAlike(name);
    if (lookAlike) throw new Refusal('invalid', looksLike(name, lookAlike.loginName));
    const { enabled, ...account } = withOwner(readAccount(body, { description: '', owner: by, enabled: true }));
    return { ...newAccount(name, account), enabled };
  }

  function changedAccount(request: ApiRequest): User {
    const user = find(request);
    checkIfMatchEtag(request, etagOf(user));
    const { enabled, ...account } = readAccount(request.body, { ...user.serviceAccount!, enabled: user.enabled });
    // One whose owner has left can still be disabled.
    const isSameOwner = account.owner === user.serviceAccount!.owner;
    return { ...user, enabled, serviceAccount: isSameOwner ? account : withOwner(account) };
  }

  function withOwner<T extends { readonly owner: string }>(account: T): T {
    const owner = users.find(account.owner);
    if (!owner || !canLogIn(owner)) throw new Refusal('invalid', unknownOwner(account.owner));
    return { ...account, owner: owner.loginName };
  }

  function removable(request: ApiRequest): User {
    const user = find(request);
    checkIfMatchEtag(request, etagOf(user));
    return user;
  }

  function revocation(account: User, by: string) {
    const key = account.loginName.toLowerCase();
    const cause = `Revoked because the service account was deleted by ${by}`;
    const { writes, remember } = tokens.revocation((token) => token.login_name.toLowerCase() === key, by, cause, true);
    return { writes: [...writes, { events: [accountEvent('service_account.deleted', account, by)], statements: [] }], remember };
  }
}

function byName(one: User, other: User): number {
  return one.loginName.toLowerCase() < other.loginName.toLowerCase() ? -1 : 1;
}

function etagOf({ loginName, enabled, serviceAccount }: User): string {
  return sha256(JSON.stringify([loginName, enabled, serviceAccount?.description, serviceAccount?.owner]));
}

function route(method: Method, path: string, description: Omit<RouteDescription, 'chapter'>, handle: Route['handle']): Route {
  return { method, path, version: 1, permission: 'admin', description: { chapter: ACCOUNTS_CHAPTER, ...description }, handle };
}
