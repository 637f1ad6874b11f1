// A mark that a source of users gives to each password: it tells logins with a former password from logins with the present one.
import { sha256 } from '../../kit/bytes/hash.ts';
import type { LoginSource } from './login-sources.ts';
import { type AskParts, askSource } from './still-user.ts';

/** Of the present password of a user; undefined: the source gives no marks, or does not have the user. */
export function passwordMarkOf(source: LoginSource, login: string, parts: AskParts): Promise<string | undefined> {
  const { plugin, settings } = source;
  return askSource(source, parts, async () => plugin.passwordMark?.(login, settings, parts.host));
}

/** The mark as identities carry it: a copy left in memory or in a log does not help to guess the password. */
export function toldMark(mark: string): string {
  return sha256(mark);
}
