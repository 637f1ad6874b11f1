// The first start, on an empty data directory or on one into which nobody can log in after an import: one authorization configuration, one administrator in it, and the identity of the server.
import { randomBytes } from 'node:crypto';
import type { Changes } from '../config/change.ts';
import type { Config } from '../config/current.ts';
import type { ReadingTools } from '../shape/entity-json.ts';
import type { Entity } from '../shape/resource.ts';
import { bringIdentity } from './server-identity.ts';
import { newUser, type Users } from './users.ts';

export const ADMIN = 'admin';
export const PASSWORD_FILE = 'password.properties';
const PLUGIN = 'cd.go.authentication.passwordfile';
const GENERATED_BYTES = 15;
const AUTHOR = { actor: 'slipway', token: null, address: null };

export interface FirstStartParts {
  readonly config: Config;
  readonly changes: Changes;
  readonly users: Users;
  readonly tools: ReadingTools;
  /** Whether somebody can log in and administer. */
  hasWayIn(): Promise<boolean>;
  /** Adds the user to the password file of the data directory. */
  setPassword(file: string, login: string, password: string): Promise<void>;
  keepInitialPassword(password: string): void;
}

/** The administrator's password when this was the first start, and whether it was made up. */
export async function firstStart(
  parts: FirstStartParts,
  chosen: string | undefined,
): Promise<{ password: string; isGenerated: boolean } | undefined> {
  const { config, changes, users, tools } = parts;
  if (config.revision > 0 && (await parts.hasWayIn())) {
    // A data directory of a version that knew no identity gets one; otherwise nothing changes.
    await changes.apply({ ...AUTHOR, reason: 'the identity of the server' }, (draft) => bringIdentity(draft, tools));
    return undefined;
  }
  const password = chosen ?? randomBytes(GENERATED_BYTES).toString('base64url');
  await parts.setPassword(PASSWORD_FILE, ADMIN, password);
  if (chosen === undefined) parts.keepInitialPassword(password);
  await users.change(() => [newUser(ADMIN, 'Administrator')]);
  // One change, and the last step: a start that dies before it begins anew.
  await changes.apply({ ...AUTHOR, reason: 'first start' }, (draft) => {
    const authConfigs = config.kinds.get('authConfigs')!;
    const source = sourceAmong([...draft.lookup(authConfigs).values()]);
    if (source) draft.put(authConfigs, source.id, source);
    const systemAdmins = config.kinds.get('systemAdmins')!;
    draft.put(systemAdmins, '', withAdmin(draft.find(systemAdmins, '')?.value));
    bringIdentity(draft, tools);
  });
  return { password, isGenerated: chosen === undefined };
}

/** The authorization configuration of the password file; undefined when an import brought one along. */
function sourceAmong(sources: readonly Entity[]) {
  const properties = [{ key: 'PasswordFilePath', value: PASSWORD_FILE }];
  const isThere = sources.some((one) => one.pluginId === PLUGIN && JSON.stringify(one.properties) === JSON.stringify(properties));
  if (isThere) return undefined;
  const id = sources.some((one) => one.id === 'password-file') ? 'initial-password-file' : 'password-file';
  return { id, pluginId: PLUGIN, allowOnlyKnownUsersToLogin: false, properties };
}

function withAdmin(admins: Entity = { roles: [], users: [] }): Entity {
  const users = admins.users as readonly string[];
  return users.some((login) => login.toLowerCase() === ADMIN) ? admins : { ...admins, users: [...users, ADMIN] };
}
