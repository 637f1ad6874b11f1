// A login at a provider that is under way: its state, which the browser keeps encrypted until it comes back.
import { createHash, randomBytes } from 'node:crypto';

export interface LoginAttempt {
  readonly authConfigId: string;
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
  /** The page to go on with. */
  readonly returnTo: string;
  /** Milliseconds. */
  readonly startedAt: number;
}

export interface LoginSeal {
  sealLogin(plain: string): string;
  openLogin(text: string): string | undefined;
}

/** A user who needs longer starts again. */
export const ATTEMPT_MS = 10 * 60_000;
const RANDOM_BYTES = 32;
const MAX_COOKIE_LENGTH = 4096;

export function newAttempt(authConfigId: string, returnTo: string, startedAt: number): LoginAttempt {
  const random = () => randomBytes(RANDOM_BYTES).toString('base64url');
  return { authConfigId, state: random(), nonce: random(), codeVerifier: random(), returnTo, startedAt };
}

/** PKCE, S256. */
export function challengeOf(codeVerifier: string): string {
  return createHash('sha256').update(codeVerifier).digest('base64url');
}

export function sealAttempt(attempt: LoginAttempt, seal: LoginSeal): string {
  return seal.sealLogin(JSON.stringify(attempt));
}

/** Undefined: it is none of this server, or too old. */
export function openAttempt(text: string, seal: LoginSeal, now: number): LoginAttempt | undefined {
  const plain = text.length > MAX_COOKIE_LENGTH ? undefined : seal.openLogin(text);
  if (plain === undefined) return undefined;
  const attempt = JSON.parse(plain) as LoginAttempt; // only this server can have sealed it
  return now < attempt.startedAt + ATTEMPT_MS ? attempt : undefined;
}
