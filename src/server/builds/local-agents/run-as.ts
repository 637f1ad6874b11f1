// Decides as which user local agents run: another one than the server, wherever that is possible.
import { type Account, accountOf } from './account.ts';
import { barrierTo } from './file-access.ts';

/** Without an account: the user of the server, and why. */
export type RunAs = { readonly account: Account } | { readonly account: undefined; readonly why: string };

export interface Facts {
  readonly isRoot: boolean;
  /** The user that the settings name. */
  readonly user: string;
  readonly account: Account | undefined;
  readonly dataDir: string;
  /** The folder around the data directory that stops the user. */
  readonly barrier: string | undefined;
}

export function runAs(user: string, dataDir: string): RunAs {
  const isRoot = process.getuid?.() === 0;
  const account = isRoot ? accountOf(user) : undefined;
  return decideRunAs({ isRoot, user, account, dataDir, barrier: account && barrierTo(dataDir, account) });
}

export function decideRunAs({ isRoot, user, account, dataDir, barrier }: Facts): RunAs {
  const shared = (why: string): RunAs => ({ account: undefined, why });
  if (!isRoot) return shared('Only root can start them as another user.');
  if (!account) return shared(`There is no user ${user} on this machine (SLIPWAY_LOCAL_AGENT_USER).`);
  if (account.uid === 0) return shared(`The user ${user} is root (SLIPWAY_LOCAL_AGENT_USER).`);
  if (barrier !== undefined)
    return shared(`The user ${user} does not get to the data directory ${dataDir}: ${barrier} is closed to others.`);
  return { account };
}
