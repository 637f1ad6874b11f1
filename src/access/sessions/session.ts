// A browser session, and how long it lasts.
import { keyedDigest } from '../../kit/bytes/hash.ts';

export interface Session {
  /** The hash of the session token in the cookie. */
  readonly hash: string;
  /** The login name in lower case. */
  readonly userKey: string;
  readonly authConfigId: string;
  /** Keyed with the session token in the cookie; empty: the source of the user does not report password changes. */
  readonly passwordVersion: string;
  /** Milliseconds. */
  readonly createdAt: number;
  readonly usedAt: number;
  readonly address: string;
  readonly browser: string;
  /** Absent: a login with a password. */
  readonly provider?: SessionProvider;
}

/** The provider on the web that the user logged in at. */
export interface SessionProvider {
  /** The id of the user at the provider. */
  readonly subject: string;
  /** The session there; empty: the provider names none. */
  readonly session: string;
  /** Encrypted; empty: there is none. */
  readonly idToken: string;
}

export interface SessionLimits {
  /** Milliseconds without a request after which it ends. */
  readonly idleMs: number;
  /** Milliseconds after which it ends in any case. */
  readonly maxAgeMs: number;
}

const TOKEN = /^[\w-]{43}$/;
const ID_LENGTH = 16;

/** Whether the text has the form of a session token: 256 bits in base64url. */
export function isSessionToken(text: string): boolean {
  return TOKEN.test(text);
}

export function expiryOf({ createdAt, usedAt }: Session, { idleMs, maxAgeMs }: SessionLimits): number {
  return Math.min(usedAt + idleMs, createdAt + maxAgeMs);
}

/** The id of a session as its user sees it. The session token cannot be derived from it. */
export function idOf({ hash }: Pick<Session, 'hash'>): string {
  return hash.slice(0, ID_LENGTH);
}

/** The CSRF token that pages send beside the cookie. It is derived from the cookie alone, so all servers know it and no table holds it. */
export function csrfTokenOf(token: string): string {
  return keyedDigest(Buffer.from(token), 'csrf token');
}

/** As stored in the column `password_mark`: a reader of the table can neither guess the password nor compare two of them. */
export function storedPasswordVersion(token: string, version: string | undefined): string {
  return version === undefined ? '' : keyedDigest(Buffer.from(token), `password ${version}`);
}
