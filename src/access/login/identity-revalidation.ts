// Revalidates the identity of a request: the user and their source must still exist; either may have been deleted meanwhile.
import type { Config } from '../../config/current.ts';
import type { Identity } from '../identity.ts';
import type { Users } from '../users/users.ts';
import { unauthenticated } from './refusals.ts';

/** For data that users create for themselves, such as tokens: it would outlive the user, and be theirs again should they come back. */
export function identityRevalidator(config: Config, users: Users): (identity: Identity) => void {
  return ({ loginName, authConfigId }) => {
    if (users.mustKnow(loginName).serviceAccount) return;
    if (!config.of('authConfigs').find(authConfigId)) throw unauthenticated();
  };
}
