// The token in an address that shows files of one folder without a login: the user it was given to, the job, the expiry, and a signature.
// The folder is not in it: it stands in the address after the token, and the signature holds for this folder only.
import { isEqualTimingSafe } from '../../../../kit/bytes/timing-safe-equal.ts';

export interface View {
  /** The user it was given to. */
  readonly userKey: string;
  readonly job: number;
  /** Files in it and below it can be read; empty: all files of the job. */
  readonly folder: string;
  /** In seconds since 1970 began. */
  readonly expiresAt: number;
}

/** The signature of a text, which only servers with the same key can make. */
export type Sign = (text: string) => string;

const MAX_SECONDS = 60 * 60;
/** Tokens made in the same minutes are the same, so that browsers find files in their cache. */
const STEP_SECONDS = 5 * 60;
/** The longest login name takes 1020 characters. */
const MAX_LENGTH = 1200;
const FORM = /^(?<user>[\w-]+)\.(?<job>\d{1,15})\.(?<depth>\d{1,3})\.(?<expiry>\d{1,12})\.[\w-]{43}$/;

/** Between 55 minutes and an hour from now. */
export function expiryFrom(now: number): number {
  const latest = Math.floor(now / 1000) + MAX_SECONDS;
  return latest - (latest % STEP_SECONDS);
}

export function isExpired({ expiresAt }: Pick<View, 'expiresAt'>, now: number): boolean {
  return now >= 1000 * expiresAt;
}

export function tokenOf({ userKey, job, folder, expiresAt }: View, sign: Sign): string {
  const user = Buffer.from(userKey).toString('base64url');
  return [user, job, namesIn(folder).length, expiresAt, sign(JSON.stringify([userKey, job, folder, expiresAt]))].join('.');
}

/** The view that a token allows, expired or not; undefined: no server of ours has made it for this path, which begins in the job folder. */
export function viewIn(token: string, path: string, sign: Sign): View | undefined {
  const { user, job, depth, expiry } = (token.length <= MAX_LENGTH ? FORM.exec(token)?.groups : undefined) ?? {};
  if (user === undefined) return undefined;
  const names = namesIn(path);
  if (names.length <= Number(depth)) return undefined;
  const view = {
    userKey: Buffer.from(user, 'base64url').toString(),
    job: Number(job),
    folder: names.slice(0, Number(depth)).join('/'),
    expiresAt: Number(expiry),
  };
  // The whole of it is compared: the same could be written in several ways.
  return isEqualTimingSafe(token, tokenOf(view, sign)) ? view : undefined;
}

function namesIn(path: string): readonly string[] {
  return path === '' ? [] : path.split('/');
}
