// The roles a user has.
import type { Config } from '../../config/current.ts';
import type { JsonObject } from '../../shape/json/json.ts';

export function rolesOf(config: Config, loginName: string): JsonObject[] {
  const key = loginName.toLowerCase();
  return Array.from(config.of('roles').all(), ({ value }) => value)
    .filter(({ attributes }) => 'users' in attributes && attributes.users.some((user) => user.toLowerCase() === key))
    .map(({ name, type }) => ({ name, type }));
}
