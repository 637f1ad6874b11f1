// Whether clients that stay connected, such as readers of streams, would still be let in: the source of their user is asked again.
import type { Identity } from '../identity.ts';
import type { SourceSnapshot } from './checked-credentials.ts';
import type { LoginSource } from './login-sources.ts';
import { hashedPasswordVersion, passwordVersionOf } from './password-version.ts';
import { isStillUser, type StillUserParts } from './still-user.ts';

interface Parts extends StillUserParts {
  sources(): readonly LoginSource[];
  snapshotOf(source: LoginSource): SourceSnapshot;
}

interface Check {
  isIn: boolean;
  isUnderWay: boolean;
  askedAt: number;
  source: LoginSource;
  /** The source as it was before it was asked. */
  snapshot: SourceSnapshot;
}

/** As long as credentials are believed with requests. */
const ASK_AGAIN_MS = 60_000;
/** After a refusal the source is asked again sooner: it may have been out of reach. */
const REFUSED_MS = 5000;
const MAX_KEPT = 10_000;

/** Returns the last answer of the source at once, and asks it anew when that is old. A user is not let in when it cannot be asked. */
export function lastingLogins(parts: Parts): (identity: Identity) => boolean {
  const checks = new Map<string, Check>();
  return (identity) => {
    const { authConfigId, loginName, passwordVersion } = identity;
    const source = parts.sources().find(({ id }) => id === authConfigId);
    if (!source) return true; // whether it has to be there is decided elsewhere
    if (checks.size >= MAX_KEPT) checks.clear();
    const check = checks.getOrInsertComputed(JSON.stringify([authConfigId, loginName, passwordVersion ?? null]), () => ({
      isIn: true,
      isUnderWay: false,
      askedAt: 0,
      source,
      snapshot: parts.snapshotOf(source),
    }));
    if (!check.isUnderWay && isOld(check, source)) void ask(check, source, identity);
    return check.isIn;
  };

  async function ask(check: Check, source: LoginSource, { loginName, passwordVersion }: Identity): Promise<void> {
    Object.assign(check, { isUnderWay: true, askedAt: Date.now(), source, snapshot: parts.snapshotOf(source) });
    try {
      check.isIn = await isStillLetIn(source, loginName, passwordVersion, parts);
    } catch {
      check.isIn = false; // that the source could not be asked is noted already
    } finally {
      check.isUnderWay = false;
    }
  }
}

async function isStillLetIn(
  source: LoginSource,
  login: string,
  passwordVersion: string | undefined,
  parts: StillUserParts,
): Promise<boolean> {
  if (passwordVersion === undefined) return isStillUser(source, login, parts);
  await parts.groups.refreshOthers(source.id, login);
  const version = await passwordVersionOf(source, login, parts);
  return version !== undefined && hashedPasswordVersion(version) === passwordVersion;
}

/** An authorization configuration that was changed is another source. */
function isOld({ isIn, askedAt, source, snapshot }: Check, now: LoginSource): boolean {
  if (source !== now) return true;
  return Date.now() - askedAt >= (isIn ? ASK_AGAIN_MS : REFUSED_MS) || snapshot.currentVersion() !== snapshot.version;
}
