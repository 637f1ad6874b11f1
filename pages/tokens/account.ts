// Service accounts as the API gives them.
import { path } from '../api/address.ts';

export const ACCOUNTS = '/api/admin/service_accounts';
export const ACCOUNTS_VERSION = 1;

export interface Account {
  readonly name: string;
  readonly description: string;
  readonly owner: string;
  readonly enabled: boolean;
}

export interface AccountList {
  readonly _embedded: { readonly service_accounts: readonly Account[] };
}

export function addressOf(name: string): string {
  return path`/api/admin/service_accounts/${name}`;
}
