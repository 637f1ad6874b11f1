// Whether there is a way into the server: after an import no user has logged in yet, and perhaps none can.
import type { Config } from '../../config/current.ts';
import { Draft } from '../../config/draft.ts';
import type { AuthorizationHost, AuthorizationPlugin } from '../../contracts/plugins/authorization.ts';
import type { SettingValues } from '../../contracts/plugins/plugin.ts';
import type { EntityNamed } from '../../shape/configuration.ts';
import type { Property } from '../../shape/properties.ts';
import { adminLogins } from '../conditions.ts';
import { canLogIn, type Users } from '../users/users.ts';

export interface CanLogInParts {
  readonly config: Config;
  readonly users: Users;
  readonly host: AuthorizationHost;
  findPlugin(id: string): AuthorizationPlugin | undefined;
  clearValues(properties: readonly Property[]): SettingValues;
}

/** An administrator who is known has been in before, and no change could lock them out since. */
export function hasKnownAdmin({ config, users }: Pick<CanLogInParts, 'config' | 'users'>): boolean {
  return [...adminLogins(new Draft(config))].some((login) => {
    const user = users.find(login);
    return user !== undefined && canLogIn(user);
  });
}

/** Otherwise a source must have one of the administrators as a user, and let in users who have never logged in here. */
export async function canAdminLogIn(parts: CanLogInParts): Promise<boolean> {
  if (hasKnownAdmin(parts)) return true;
  const logins = [...adminLogins(new Draft(parts.config))];
  const sources = Array.from(parts.config.of('authConfigs').all(), ({ value }) => value);
  for (const source of sources) {
    for (const login of logins) if (await knows(source, login, parts)) return true;
  }
  return false;
}

async function knows(
  source: EntityNamed<'authConfigs'>,
  login: string,
  { findPlugin, clearValues, host }: CanLogInParts,
): Promise<boolean> {
  const plugin = findPlugin(source.pluginId);
  // Whether a provider on the web works at all shows only when a user logs in there.
  if (!plugin || plugin.web || source.allowOnlyKnownUsersToLogin) return false;
  try {
    return await plugin.isUser(login, clearValues(source.properties), host);
  } catch {
    return false; // a source that is out of reach, or a file that did not come along, lets no user in
  }
}
