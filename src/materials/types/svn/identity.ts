// The identity of a Subversion material.
import { orUnset } from '../attributes/common.ts';
import type { IdentityPair } from '../repository-definition.ts';

export const SVN_CLASS = 'SvnMaterial';

interface SvnIdentity {
  readonly url: string;
  readonly username?: string | null;
  readonly checkExternals: boolean;
}

export function svnIdentity({ url, username, checkExternals }: SvnIdentity): readonly IdentityPair[] {
  return [
    ['type', SVN_CLASS],
    ['url', url],
    ['username', orUnset(username)],
    ['checkExternals', checkExternals],
  ];
}
