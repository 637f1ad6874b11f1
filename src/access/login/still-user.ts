// Whether a source of users still has a user who was let in before.
import type { AuthorizationHost } from '../../contracts/plugins/authorization.ts';
import { Refusal } from '../../kit/refusal.ts';
import type { KnownGroups } from './known-groups.ts';
import type { LoginSource } from './login-sources.ts';

export interface AskParts {
  readonly host: AuthorizationHost;
  onBrokenSource(authConfigId: string, failure: unknown): void;
}

/** Whether the groups that a provider has reported for a user still let them in. */
export interface LetIn {
  /** Grows when a provider account is forgotten. */
  readonly generation: number;
  has(source: LoginSource, login: string): boolean;
}

export interface StillUserParts extends AskParts {
  readonly letIn: LetIn;
  readonly groups: KnownGroups;
}

/** Also asks anew which groups they are in. */
export async function isStillUser(source: LoginSource, login: string, { letIn, groups, ...parts }: StillUserParts): Promise<boolean> {
  const { plugin, settings } = source;
  if (!letIn.has(source, login)) return false;
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
