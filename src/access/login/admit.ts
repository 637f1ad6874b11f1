// Admits a user whom a source of users knows, and saves the display name and email that the source reports.
import type { KnownUser } from '../../contracts/plugins/authorization.ts';
import { normalLogin } from '../../shape/login-name.ts';
import { newUser, type User, type Users } from '../users/users.ts';
import { admittedUser } from './admitted-user.ts';
import type { LoginSource } from './login-sources.ts';

export async function admit(users: Users, { onlyKnownUsers }: LoginSource, found: KnownUser): Promise<User> {
  const loginName = normalLogin(found.loginName);
  const admitted = () =>
    admittedUser(users.find(loginName), newUser(loginName, found.displayName, found.email), {
      onlyKnownUsers,
      lookAlike: users.findLookAlike(loginName),
    });
  const user = admitted();
  if (user === users.find(loginName)) return user;
  const [written] = await users.change(() => [admitted()]);
  return written;
}
