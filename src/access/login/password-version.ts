// The version that a source of users gives to a password: it distinguishes logins with a former password from logins with the present one.
import { sha256 } from '../../kit/bytes/hash.ts';
import type { LoginSource } from './login-sources.ts';
import { type AskParts, askSource } from './user-revalidation.ts';

/** Of the present password of a user; undefined: the source gives no versions, or does not have the user. */
export function passwordVersionOf(source: LoginSource, login: string, parts: AskParts): Promise<string | undefined> {
  const { plugin, settings } = source;
  return askSource(source, parts, async () => plugin.passwordVersion?.(login, settings, parts.host));
}

/** The version as identities carry it: a copy left in memory or in a log does not help to guess the password. */
export function hashedPasswordVersion(version: string): string {
  return sha256(version);
}
