// Conditions on every change of the configuration, so that nobody locks everybody out.
import type { Draft } from '../config/draft.ts';
import { Refusal } from '../kit/refusal.ts';
import type { Property } from '../shape/properties.ts';
import type { Kind, Lookup } from '../shape/resource.ts';
import type { Users } from './users.ts';
import type { WayInParts } from './way-in.ts';

export const LAST_ADMIN = 'There must be at least one admin user enabled!';

interface Members {
  readonly users?: readonly string[];
  readonly roles?: readonly string[];
}

/** The login names of all administrators, in lower case. */
export function adminLogins(draft: Draft): Set<string> {
  const find = (kind: string, id: string) => draft.find(draft.kindNamed(kind) as Kind, id)?.value;
  const admins = (find('systemAdmins', '') ?? {}) as Members;
  const throughRoles = (admins.roles ?? []).flatMap((role) => (find('roles', role)?.attributes as Members | undefined)?.users ?? []);
  return new Set([...(admins.users ?? []), ...throughRoles].map((login) => login.toLowerCase()));
}

/** There is always an administrator who is enabled. */
export function keepsAnAdmin(users: Users): (draft: Draft) => void {
  return (draft) => {
    const isConcerned = draft.edits.some(({ kind }) => kind.name === 'systemAdmins' || kind.name === 'roles');
    if (isConcerned && ![...adminLogins(draft)].some((login) => users.find(login)?.enabled)) throw new Refusal('invalid', LAST_ADMIN);
  };
}

/** An authorization configuration, as far as it decides whether it can be asked. */
export type Source = { readonly pluginId: string; readonly properties: readonly Property[] };

/** There is always a source of users that can be asked. */
export function keepsALogin(canBeAsked: (source: Source) => boolean): (draft: Draft) => void {
  return (draft) => {
    if (!draft.edits.some(({ kind }) => kind.name === 'authConfigs')) return;
    const { authConfigs } = draft.seen as unknown as { authConfigs: Lookup<Source> };
    if ([...authConfigs.values()].some(canBeAsked)) return;
    const reason = 'no authorization configuration with an installed plugin and a source that is there would be left';
    throw new Refusal('invalid', `Nobody could log in any more: ${reason}. Create another one first.`);
  };
}

/** Whether its plugin is installed and what that reads is there. */
export function asksFrom({ findPlugin, clearValues, host }: Pick<WayInParts, 'findPlugin' | 'clearValues' | 'host'>) {
  return ({ pluginId, properties }: Source): boolean => {
    const plugin = findPlugin(pluginId);
    return plugin !== undefined && (plugin.isThere?.(clearValues(properties), host) ?? true);
  };
}
