// The first start on an empty data directory: one authorization configuration, and one administrator in it.
import { randomBytes } from 'node:crypto';
import type { Changes } from '../config/change.ts';
import type { Config } from '../config/current.ts';
import { newUser, type Users } from './users.ts';

export const ADMIN = 'admin';
export const PASSWORD_FILE = 'password.properties';
const GENERATED_BYTES = 15;

export interface FirstStartParts {
  readonly config: Config;
  readonly changes: Changes;
  readonly users: Users;
  /** Adds the user to the password file of the data directory. */
  setPassword(file: string, login: string, password: string): Promise<void>;
  keepInitialPassword(password: string): void;
}

/** The administrator's password when this was the first start, and whether it was made up. */
export async function firstStart(
  parts: FirstStartParts,
  chosen: string | undefined,
): Promise<{ password: string; isGenerated: boolean } | undefined> {
  const { config, changes, users } = parts;
  if (config.revision > 0) return undefined;
  const password = chosen ?? randomBytes(GENERATED_BYTES).toString('base64url');
  await parts.setPassword(PASSWORD_FILE, ADMIN, password);
  if (chosen === undefined) parts.keepInitialPassword(password);
  await users.save(newUser(ADMIN, 'Administrator'));
  const properties = [{ key: 'PasswordFilePath', value: PASSWORD_FILE }];
  const authConfig = { id: 'password-file', pluginId: 'cd.go.authentication.passwordfile', allowOnlyKnownUsersToLogin: false, properties };
  // One change, and the last step: a start that dies before it begins anew.
  await changes.apply({ actor: 'slipway', token: null, address: null, reason: 'first start' }, (draft) => {
    draft.put(config.kinds.get('authConfigs')!, authConfig.id, authConfig);
    draft.put(config.kinds.get('systemAdmins')!, '', { roles: [], users: [ADMIN] });
  });
  return { password, isGenerated: chosen === undefined };
}
