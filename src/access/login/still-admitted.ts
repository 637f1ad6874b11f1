// Checks that a user still exists, and their source, too: either may have been deleted since their request was let in.
import type { Config } from '../../config/current.ts';
import type { Identity } from '../identity.ts';
import type { Users } from '../users/users.ts';
import { unauthenticated } from './refusals.ts';

/** For data that users create for themselves, such as tokens: it would outlive the user, and be theirs again should they come back. */
export function stillAdmitted(config: Config, users: Users): (identity: Identity) => void {
  return ({ loginName, authConfigId }) => {
    if (users.mustKnow(loginName).serviceAccount) return;
    if (!config.of('authConfigs').find(authConfigId)) throw unauthenticated();
  };
}
