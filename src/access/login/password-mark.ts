// What a source of users tells of a password, so that those it let in can be told from those who know a newer one.
import { sha256 } from '../../kit/bytes/hash.ts';
import type { LoginSource } from './login-sources.ts';
import { type AskParts, askSource } from './still-user.ts';

/** Of the password that somebody has now; undefined: their source does not tell, or does not have them. */
export function passwordMarkOf(source: LoginSource, login: string, parts: AskParts): Promise<string | undefined> {
  const { plugin, settings } = source;
  return askSource(source, parts, async () => plugin.passwordMark?.(login, settings, parts.host));
}

/** As identities carry it: nothing can be guessed by what is left in memory, or in a log. */
export function toldMark(mark: string): string {
  return sha256(mark);
}
