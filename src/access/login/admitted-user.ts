// The record of a user whom their source has authenticated, or why the server refuses them.
import type { Refusal } from '../../kit/refusal.ts';
import { loginProblem } from '../../shape/login-name.ts';
import type { User } from '../users/users.ts';
import { disabled, unauthenticated } from './refusals.ts';

interface Conditions {
  readonly onlyKnownUsers: boolean;
  /** A user whose name looks the same. */
  readonly lookAlike: User | undefined;
}

/** Why a user is not let in, though their source knows them. */
export type AdmissionProblem = 'bad_name' | 'not_known' | 'look_alike' | 'disabled' | 'service_account';

export function admissionProblem(
  known: User | undefined,
  found: Pick<User, 'loginName'>,
  { onlyKnownUsers, lookAlike }: Conditions,
): AdmissionProblem | undefined {
  if (loginProblem(found.loginName) !== undefined) return 'bad_name';
  if (known?.serviceAccount) return 'service_account';
  if (known) return known.enabled ? undefined : 'disabled';
  if (onlyKnownUsers) return 'not_known';
  return lookAlike ? 'look_alike' : undefined;
}

/** The user as known from now on; the same object when there is nothing new about them. Refuses users whom the server does not admit. */
export function admittedUser(known: User | undefined, found: User, conditions: Conditions): User {
  const problem = admissionProblem(known, found, conditions);
  if (problem !== undefined) throw refusalFor(problem, found);
  if (!known) return found;
  const { displayName } = found;
  const email = known.email || found.email;
  return displayName === known.displayName && email === known.email ? known : { ...known, displayName, email };
}

function refusalFor(problem: AdmissionProblem, { loginName }: User): Refusal {
  switch (problem) {
    case 'bad_name':
      return unauthenticated(`You cannot log in here. ${loginProblem(loginName)} Please ask your administrator.`);
    case 'not_known':
      return unauthenticated('Please ask the administrator to add you to Slipway.');
    case 'look_alike':
      return unauthenticated('You cannot log in here: another user has a login name that looks the same. Please ask your administrator.');
    case 'disabled':
      return disabled();
    case 'service_account':
      return unauthenticated('This is a service account. It has no password, and is used with access tokens only.');
  }
}
