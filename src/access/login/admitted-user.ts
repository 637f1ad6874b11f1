// What becomes of a user whose source says that they are who they claim to be.
import { loginProblem } from '../../shape/login-name.ts';
import type { User } from '../users/users.ts';
import { disabled, unauthenticated } from './refusals.ts';

interface Conditions {
  readonly onlyKnownUsers: boolean;
  /** A user whose name looks the same. */
  readonly lookAlike: User | undefined;
}

/** As they are known from now on; the same object when there is nothing new about them. Refuses whom the server does not want. */
export function admittedUser(known: User | undefined, found: User, { onlyKnownUsers, lookAlike }: Conditions): User {
  const problem = loginProblem(found.loginName);
  if (problem !== undefined) throw unauthenticated(`You cannot log in here. ${problem} Please ask your administrator.`);
  if (!known && onlyKnownUsers) throw unauthenticated('Please ask the administrator to add you to Slipway.');
  if (!known && lookAlike) {
    throw unauthenticated('You cannot log in here: another user has a login name that looks the same. Please ask your administrator.');
  }
  if (!known) return found;
  if (!known.enabled) throw disabled();
  const { displayName } = found;
  const email = known.email || found.email;
  return displayName === known.displayName && email === known.email ? known : { ...known, displayName, email };
}
