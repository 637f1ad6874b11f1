// Revalidates a user who was let in before: their source is asked whether it still has them.
import type { AuthorizationHost } from '../../contracts/plugins/authorization.ts';
import { Refusal } from '../../kit/refusal.ts';
import type { KnownGroups } from './known-groups.ts';
import type { LoginSource } from './login-sources.ts';

export interface AskParts {
  readonly host: AuthorizationHost;
  onBrokenSource(authConfigId: string, failure: unknown): void;
}

/** The accounts at providers on the web whose groups still let their users in. */
export interface AdmittedAccounts {
  /** Grows when a provider account is forgotten. */
  readonly generation: number;
  /** Always true for sources whose users do not log in on the web. */
  has(source: LoginSource, login: string): boolean;
}

export interface UserRevalidationParts extends AskParts {
  readonly admittedAccounts: AdmittedAccounts;
  readonly groups: KnownGroups;
}

/** Whether the source still has the user; also asks anew which groups they are in. */
export async function isStillValidUser(
  source: LoginSource,
  login: string,
  { admittedAccounts, groups, ...parts }: UserRevalidationParts,
): Promise<boolean> {
  const { plugin, settings } = source;
  if (!admittedAccounts.has(source, login)) return false;
  await groups.refreshOthers(source.id, login);
  return askSource(source, parts, () => (plugin.groups ? groups.refresh(source, login) : plugin.isUser(login, settings, parts.host)));
}

/** When the source cannot be asked, the client must try again later. */
export async function askSource<T>({ id }: LoginSource, { onBrokenSource }: AskParts, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (failure) {
    onBrokenSource(id, failure);
    throw new Refusal('unavailable', `The authorization configuration '${id}' cannot be asked about this user now. Try again later.`, {
      retryAfter: 10,
    });
  }
}
