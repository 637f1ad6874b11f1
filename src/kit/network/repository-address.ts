// Takes an address apart into the part for a command line and the credentials, which must not stand there.

export interface Login {
  readonly username: string;
  readonly password: string | null;
}

export interface Address {
  /** Holds no password; a user name only where it is no secret. */
  readonly url: string;
  readonly login: Login | null;
  /** Everything that must not be seen, in each form in which a program might repeat it. */
  readonly secrets: readonly string[];
}

interface Attributes {
  readonly username?: string | null;
  readonly password?: string | null;
}

const WITH_USER_INFO = /^([a-z][a-z0-9+.-]*:\/\/)([^/?#]*)@(.*)$/is;
/** `https://user:pass/word@host`: the text after the colon is no port, so it is a password that should have been escaped. */
const UNESCAPED_PASSWORD = /^(https?:\/\/)([^/?#@:[]*:(?!\d*[/?#]).*)@(.*)$/is;
const OVER_SSH = /^(?:[a-z]+\+)?ssh(?:\+[a-z]+)?:\/\//i;
/** `host:path`, not `scheme://…` nor `C:\…` */
const SHORT_SSH = /^[^/\\:@]{2,}:(?!\/\/)/;

/** Programs read user names and passwords line by line: text after a line break would be taken for something else. */
export function isBroken({ login }: Address): boolean {
  return /[\r\n\0]/.test(`${login?.username}${login?.password}`);
}

export function parseAddress(text: string, { username, password }: Attributes = {}): Address {
  const [, scheme, userInfo, rest] = WITH_USER_INFO.exec(text) ?? UNESCAPED_PASSWORD.exec(text) ?? [];
  if (scheme !== undefined) return OVER_SSH.test(scheme) ? withUser(scheme, userInfo!, rest!) : withoutUser(scheme, userInfo!, rest!);
  const login = username ? { username, password: password ?? null } : null;
  const secrets = formsOf(username ?? null, password ?? null);
  if (!login) return { url: text, login, secrets };
  if (OVER_SSH.test(text)) return { url: text.replace('://', `://${encodeURIComponent(login.username)}@`), login: null, secrets };
  if (SHORT_SSH.test(text)) return { url: `${login.username}@${text}`, login: null, secrets };
  return { url: text, login, secrets };
}

/** Over ssh the user name is part of the address, and a password is of no use. */
function withUser(scheme: string, userInfo: string, rest: string): Address {
  const [user = '', password] = splitUserInfo(userInfo);
  return { url: `${scheme}${user}@${rest}`, login: null, secrets: formsOf(null, password ?? null) };
}

function withoutUser(scheme: string, userInfo: string, rest: string): Address {
  const [user = '', password] = splitUserInfo(userInfo);
  const login = { username: decoded(user), password: password === undefined ? null : decoded(password) };
  const isToken = password === undefined && /^http/i.test(scheme);
  const secrets = isToken ? formsOf(null, user) : formsOf(login.username, password ?? null);
  return { url: `${scheme}${rest}`, login: user === '' ? null : login, secrets };
}

function splitUserInfo(userInfo: string): readonly [user: string, password?: string] {
  const colon = userInfo.indexOf(':');
  return colon < 0 ? [userInfo] : [userInfo.slice(0, colon), userInfo.slice(colon + 1)];
}

function formsOf(username: string | null, secret: string | null): readonly string[] {
  if (!secret) return [];
  const basic = (text: string) => Buffer.from(`${username ?? ''}:${text}`).toString('base64');
  return [...new Set([secret, decoded(secret)].flatMap((text) => [text, encodeURIComponent(text), basic(text)]))];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a percent sign that escapes nothing
  }
}

/** Whether it is a path of this machine. */
export function isLocal(url: string): boolean {
  return /^file:/i.test(url) || !/^(?:[a-z][a-z0-9+.-]*:\/\/|[^/\\:]{2,}:)/i.test(url);
}

const MASK = '******';

/** The address as it may be shown; a lone user name over ssh is no secret. */
export function maskedAddress(text: string): string {
  const [, scheme, userInfo, rest] = WITH_USER_INFO.exec(text) ?? UNESCAPED_PASSWORD.exec(text) ?? [];
  if (scheme === undefined) return text;
  const [user, password] = splitUserInfo(userInfo!);
  if (password !== undefined) return `${scheme}${user}:${MASK}@${rest}`;
  return user === '' || OVER_SSH.test(scheme) ? text : `${scheme}${MASK}@${rest}`;
}

/** Shorter ones are hidden only where they stand alone: they are part of many words, and a word with a hole in it gives them away. */
const MIN_LENGTH_ANYWHERE = 4;

/** Long forms first: one secret may be part of another. */
export function redactor(secrets: readonly string[]): (text: string) => string {
  const found = secrets.filter((secret) => secret !== '').toSorted((one, other) => other.length - one.length);
  const wanted = found.map((secret) => (secret.length < MIN_LENGTH_ANYWHERE ? wordPattern(secret) : secret));
  return (text) => wanted.reduce((result: string, secret) => result.replaceAll(secret, MASK), text);
}

function wordPattern(secret: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}])${RegExp.escape(secret)}(?![\\p{L}\\p{N}])`, 'gu');
}
