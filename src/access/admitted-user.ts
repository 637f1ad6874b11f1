// What becomes of a user whose source says that they are who they claim to be.
import { disabled, unauthenticated } from './refusals.ts';
import type { User } from './users.ts';

/** As they are known from now on; the same object when there is nothing new about them. Refuses whom the server does not want. */
export function admittedUser(known: User | undefined, found: User, onlyKnownUsers: boolean): User {
  if (!known && onlyKnownUsers) throw unauthenticated('Please ask the administrator to add you to Slipway.');
  if (!known) return found;
  if (!known.enabled) throw disabled();
  const { displayName } = found;
  const email = known.email || found.email;
  return displayName === known.displayName && email === known.email ? known : { ...known, displayName, email };
}
