// The first start, on an empty data directory or on one into which no administrator can log in after an import: makes an authorization
// configuration, an administrator in it, and the identity of the server.
import type { Changes } from '../config/change.ts';
import type { Config } from '../config/current.ts';
import type { EntityNamed } from '../shape/configuration.ts';
import type { ReadingTools } from '../shape/json/entity-json.ts';
import { PASSWORD_FILE } from './first-password-file.ts';
import { ensureIdentity } from './server-identity.ts';
import { newUser, type Users } from './users/users.ts';

export const ADMIN = 'admin';
const PLUGIN = 'cd.go.authentication.passwordfile';
const AUTHOR = { actor: 'slipway', token: null, address: null };

export interface FirstStartParts {
  readonly config: Config;
  readonly changes: Changes;
  readonly users: Users;
  readonly tools: ReadingTools;
  /** Whether any administrator can log in. */
  canAdminLogIn(): Promise<boolean>;
  /** Adds the administrator to the password file of the data directory, and keeps a note of a generated password. */
  addPassword(file: string, login: string): Promise<void>;
}

/** Whether this was the first start. */
export async function firstStart(parts: FirstStartParts): Promise<boolean> {
  const { config, changes, users, tools } = parts;
  if (config.revision > 0 && (await parts.canAdminLogIn())) {
    // A data directory of a version that knew no identity gets one; otherwise nothing changes.
    await changes.apply({ ...AUTHOR, reason: 'the identity of the server' }, (draft) => ensureIdentity(draft, tools));
    return false;
  }
  await Promise.all([users.change(() => [newUser(ADMIN, 'Administrator')]), parts.addPassword(PASSWORD_FILE, ADMIN)]);
  // One change, and the last step: a start that dies before it begins anew.
  await changes.apply({ ...AUTHOR, reason: 'first start' }, (draft) => {
    const authConfigs = config.kind('authConfigs');
    const source = sourceAmong([...draft.lookup(authConfigs).values()]);
    if (source) draft.put(authConfigs, source.id, source);
    const systemAdmins = config.kind('systemAdmins');
    draft.put(systemAdmins, '', withAdmin(draft.find(systemAdmins, '')?.value));
    ensureIdentity(draft, tools);
  });
  return true;
}

/** The authorization configuration of the password file; undefined when an import brought one along. */
function sourceAmong(sources: readonly EntityNamed<'authConfigs'>[]) {
  const properties = [{ key: 'PasswordFilePath', value: PASSWORD_FILE }];
  const isConfigured = sources.some((one) => one.pluginId === PLUGIN && JSON.stringify(one.properties) === JSON.stringify(properties));
  if (isConfigured) return undefined;
  const id = sources.some((one) => one.id === 'password-file') ? 'initial-password-file' : 'password-file';
  return { id, pluginId: PLUGIN, allowOnlyKnownUsersToLogin: false, properties };
}

function withAdmin(admins: EntityNamed<'systemAdmins'> = { roles: [], users: [] }): EntityNamed<'systemAdmins'> {
  const { users } = admins;
  return users.some((login) => login.toLowerCase() === ADMIN) ? admins : { ...admins, users: [...users, ADMIN] };
}
