// Revalidates the logins of clients that stay connected, such as readers of streams: the source of their user is asked again.
import type { Identity } from '../identity.ts';
import type { SourceSnapshot } from './checked-credentials.ts';
import type { LoginSource } from './login-sources.ts';
import { hashedPasswordVersion, passwordVersionOf } from './password-version.ts';
import { isStillValidUser, type UserRevalidationParts } from './user-revalidation.ts';

interface Parts extends UserRevalidationParts {
  sources(): readonly LoginSource[];
  snapshotOf(source: LoginSource): SourceSnapshot;
}

interface Check {
  isValid: boolean;
  isUnderWay: boolean;
  askedAt: number;
  source: LoginSource;
  /** The source as it was before it was asked. */
  snapshot: SourceSnapshot;
}

/** As long as credentials of requests are trusted. */
const ASK_AGAIN_MS = 60_000;
/** After a refusal the source is asked again sooner: it may have been out of reach. */
const REFUSED_MS = 5000;
const MAX_KEPT = 10_000;

/** Returns the last answer of the source at once, and asks it anew when that is old. A login is not valid while it cannot be asked. */
export function loginRevalidator(parts: Parts): (identity: Identity) => boolean {
  const checks = new Map<string, Check>();
  return (identity) => {
    const { authConfigId, loginName, passwordVersion } = identity;
    const source = parts.sources().find(({ id }) => id === authConfigId);
    if (!source) return true; // whether it has to be there is decided elsewhere
    if (checks.size >= MAX_KEPT) checks.clear();
    const check = checks.getOrInsertComputed(JSON.stringify([authConfigId, loginName, passwordVersion ?? null]), () => ({
      isValid: true,
      isUnderWay: false,
      askedAt: 0,
      source,
      snapshot: parts.snapshotOf(source),
    }));
    if (!check.isUnderWay && isOld(check, source)) void ask(check, source, identity);
    return check.isValid;
  };

  async function ask(check: Check, source: LoginSource, { loginName, passwordVersion }: Identity): Promise<void> {
    Object.assign(check, { isUnderWay: true, askedAt: Date.now(), source, snapshot: parts.snapshotOf(source) });
    try {
      check.isValid = await isStillValidLogin(source, loginName, passwordVersion, parts);
    } catch {
      check.isValid = false; // that the source could not be asked is noted already
    } finally {
      check.isUnderWay = false;
    }
  }
}

async function isStillValidLogin(
  source: LoginSource,
  login: string,
  passwordVersion: string | undefined,
  parts: UserRevalidationParts,
): Promise<boolean> {
  if (passwordVersion === undefined) return isStillValidUser(source, login, parts);
  await parts.groups.refreshOthers(source.id, login);
  const version = await passwordVersionOf(source, login, parts);
  return version !== undefined && hashedPasswordVersion(version) === passwordVersion;
}

/** An authorization configuration that was changed is another source. */
function isOld({ isValid, askedAt, source, snapshot }: Check, now: LoginSource): boolean {
  if (source !== now) return true;
  return Date.now() - askedAt >= (isValid ? ASK_AGAIN_MS : REFUSED_MS) || snapshot.currentVersion() !== snapshot.version;
}
