// Conditions on every change of the configuration, so that no administrator locks all users out.
import type { Changes } from '../config/change.ts';
import type { Config } from '../config/current.ts';
import { Draft } from '../config/draft.ts';
import { type Edit, isEditOf } from '../config/edit.ts';
import type { Author } from '../config/revision.ts';
import { Refusal } from '../kit/refusal.ts';
import type { EntityNamed } from '../shape/configuration.ts';
import { writeEntity } from '../shape/json/entity-json.ts';
import { annotate, type Problem } from '../shape/problems/problem.ts';
import type { Property } from '../shape/properties.ts';
import type { LoginSourceParts } from './login/login-sources.ts';
import { type ChangeOptions, canLogIn, type User, type Users } from './users/users.ts';

const OWN_SOURCE =
  'You are logged in through this authorization configuration. After the change, no password file would have an enabled administrator, and whether other sources can be reached is not known. Log in through one of them and change this one then.';
export const LAST_ADMIN = 'There must be at least one admin user enabled!';

/** The login names of all administrators, in lower case. */
export function adminLogins(draft: Draft): Set<string> {
  const { systemAdmins, roles } = draft.ruleView;
  const admins = systemAdmins.get('');
  const throughRoles = (admins?.roles ?? []).flatMap((role) => {
    const attributes = roles.get(role)?.attributes;
    return attributes && 'users' in attributes ? attributes.users : [];
  });
  return new Set([...(admins?.users ?? []), ...throughRoles].map((login) => login.toLowerCase()));
}

/** There is always an administrator who is enabled. */
export function keepsAnAdmin(users: Users): (draft: Draft) => void {
  const exists = (login: string) => {
    const user = users.find(login);
    return user !== undefined && canLogIn(user);
  };
  return (draft) => {
    const isConcerned = draft.edits.some(({ kind }) => kind.name === 'systemAdmins' || kind.name === 'roles');
    if (isConcerned && ![...adminLogins(draft)].some(exists)) throw new Refusal('invalid', LAST_ADMIN);
  };
}

export type ChangeEnabledUsers = (decide: () => readonly User[], options?: ChangeOptions) => Promise<readonly User[]>;

/**
 * One administrator must stay, also when users are changed, which may disable one. The configuration, which names the administrators, does
 * not change meanwhile.
 */
export function changeEnabledUsers(users: Users, config: Config, changes: Changes): ChangeEnabledUsers {
  const mustKeepAnAdmin = (changed: readonly User[]) => {
    const after = new Map(changed.map((user) => [user.loginName.toLowerCase(), user]));
    const isSomeoneLeft = [...adminLogins(new Draft(config))].some((login) => {
      const user = after.get(login) ?? users.find(login);
      return user !== undefined && canLogIn(user);
    });
    if (!isSomeoneLeft) throw new Refusal('malformed', LAST_ADMIN);
    return changed;
  };
  return (decide, options) => changes.runExclusive(() => users.change(() => mustKeepAnAdmin(decide()), options));
}

/** An authorization configuration, as far as it decides whether it can be asked. */
export type Source = { readonly pluginId: string; readonly properties: readonly Property[] };

/** Checks of a source of users that work without a request to it. */
export interface SourceTools {
  /** Why it cannot be asked. */
  hindranceOf(source: Source): Problem | undefined;
  /** Whether it has one of these users; undefined: unknown without asking it. */
  hasAny(source: Source, logins: readonly string[]): boolean | undefined;
}

/**
 * There is always a source of users that can be asked. A user who changes the source they are logged in through must leave one that has an
 * administrator.
 */
export function keepsALogin({ hindranceOf, hasAny }: SourceTools, users: Users): (draft: Draft, author: Author) => void {
  /** The users of such a source are known only by asking it, before the change and after it. */
  const isStillRemote = ({ before, after }: Edit<EntityNamed<'authConfigs'>>) =>
    after !== undefined && after.value.pluginId === before?.value.pluginId && hasAny(after.value, []) === undefined;
  return (draft, { authConfigId }) => {
    const edits = draft.edits.filter((edit) => isEditOf('authConfigs', edit));
    if (edits.length === 0) return;
    const left = Array.from(draft.ruleView.authConfigs.values()).filter((source) => !hindranceOf(source));
    if (left.length > 0) {
      const own = edits.find(({ key }) => key === authConfigId?.toLowerCase());
      const admins = [...adminLogins(draft)].filter((login) => users.find(login)?.enabled);
      if (own && !isStillRemote(own) && !left.some((source) => hasAny(source, admins))) throw new Refusal('invalid', OWN_SOURCE);
      return;
    }
    const reason = 'no authorization configuration would be left whose plugin is installed and whose file exists';
    const lost = edits.flatMap(({ kind, after }) => (after ? [{ kind, value: after.value }] : []))[0];
    const hindrance = lost && hindranceOf(lost.value);
    throw new Refusal(
      'invalid',
      `No user could log in any more: ${reason}. ${hindrance ? `${hindrance.message} ` : ''}Create another one first.`,
      hindrance && { data: annotate(writeEntity(lost.kind, lost.value, draft.secrets), [hindrance]) },
    );
  };
}

/** A hindrance is that the plugin is not installed, or that its file does not exist. */
export function sourceToolsFrom({
  findPlugin,
  clearValues,
  host,
}: Pick<LoginSourceParts, 'findPlugin' | 'clearValues' | 'host'>): SourceTools {
  return {
    hindranceOf: ({ pluginId, properties }) => {
      const plugin = findPlugin(pluginId);
      if (!plugin) return { at: ['plugin_id'], message: `The plugin '${pluginId}' is not installed.` };
      const missing = plugin.missingPrerequisite?.(clearValues(properties), host);
      return (
        missing && { at: ['properties', properties.findIndex(({ key }) => key === missing.key), missing.key], message: missing.message }
      );
    },
    hasAny: ({ pluginId, properties }, logins) => findPlugin(pluginId)?.hasAny?.(logins, clearValues(properties), host),
  };
}
