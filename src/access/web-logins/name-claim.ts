// Whether an account of a provider may use a login name here. Names can be chosen and given up at providers; accounts stay.
import type { ProviderAccount } from '../../contracts/plugins/web-login.ts';

export interface LinkedAccount {
  readonly issuer: string;
  readonly subject: string;
}

export type NameClaim =
  | 'linked'
  /** No account of this provider has used the name through this source: the other sources have to be asked. */
  | 'open'
  /** It belongs to another account of the same provider. */
  | 'taken';

/** `linked` is the account that has used the name through this source before. After a change of the provider it says nothing. */
export function nameClaim(account: Pick<ProviderAccount, 'issuer' | 'subject'>, linked: LinkedAccount | undefined): NameClaim {
  if (!linked || linked.issuer !== account.issuer) return 'open';
  return linked.subject === account.subject ? 'linked' : 'taken';
}
