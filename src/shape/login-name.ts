// The rules of login names, wherever they come from: requests, password files, directories, lists of users in the configuration.
import { escapeInvisible, hasInvisibleCharacter } from '../kit/text/invisible-characters.ts';

const MAX_LOGIN_LENGTH = 255;

/** One spelling of letters that can be written in several ways, such as an é of one character or of two. */
export function normalLogin(login: string): string {
  return login.normalize('NFC');
}

/** The key that distinguishes users. */
export function loginKey(login: string): string {
  return normalLogin(login).toLowerCase();
}

/** The problem of a login name, in words; undefined: none. */
export function loginProblem(login: string): string | undefined {
  if (login.includes(':')) return 'The login name must not hold a colon: it ends the name when a user logs in.';
  return listedLoginProblem(login);
}

/** In a list of users. Users of other servers, which an import brings along, may have colons in their names. */
export function listedLoginProblem(login: string): string | undefined {
  if (login.trim() === '') return 'Login name field must be non-blank.';
  if (login.length > MAX_LOGIN_LENGTH) return 'Only 255 characters are allowed';
  if (hasInvisibleCharacter(login)) {
    return `The login name '${escapeInvisible(login)}' must not hold control characters or invisible ones, such as line breaks and zero-width spaces.`;
  }
  if (login !== login.trim()) return `The login name '${login}' must not begin or end with a blank.`;
  return undefined;
}
