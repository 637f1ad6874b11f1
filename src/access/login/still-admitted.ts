// Whether somebody is still known as they were when they were let in: others may have been faster than what they asked for.
import type { Config } from '../../config/current.ts';
import type { Identity } from '../identity.ts';
import type { Users } from '../users/users.ts';
import { unauthenticated } from './refusals.ts';

/** For what somebody gets on their own account: it would be left over, and theirs again should they come back. */
export function stillAdmitted(config: Config, users: Users): (identity: Identity) => void {
  return ({ loginName, authConfigId }) => {
    if (users.mustKnow(loginName).serviceAccount) return;
    if (!config.of('authConfigs').find(authConfigId)) throw unauthenticated();
  };
}
