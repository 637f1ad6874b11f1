// Reads the account of a user from the claims of the provider.
import type { SettingValues } from '../../../../contracts/plugins/plugin.ts';
import { LoginFailure, type ProviderAccount } from '../../../../contracts/plugins/web-login.ts';
import { readText } from '../../../setting-values.ts';
import { isAnyAllowed, namesIn } from './name-lists.ts';

export type Claims = Readonly<Record<string, unknown>>;

/** The names of the claims, by setting. */
export const DEFAULT_CLAIMS = {
  LoginClaim: 'preferred_username',
  NameClaim: 'name',
  EmailClaim: 'email',
  GroupsClaim: 'groups',
} as const;

const MAX_GROUPS = 1000;
const MAX_GROUP_LENGTH = 255;

/** Whether claims are missing that the provider may give at its userinfo endpoint. */
export function lacksClaims(claims: Claims, settings: SettingValues): boolean {
  return Object.keys(DEFAULT_CLAIMS).some((key) => claimOf(claims, nameOf(settings, key as keyof typeof DEFAULT_CLAIMS)) === undefined);
}

export function accountOf(claims: Claims, idToken: string, settings: SettingValues): ProviderAccount {
  const claim = (key: keyof typeof DEFAULT_CLAIMS) => claimOf(claims, nameOf(settings, key));
  const loginName = textOf(claim('LoginClaim'));
  if (loginName === undefined)
    throw new LoginFailure('invalid', `The provider does not send the claim '${nameOf(settings, 'LoginClaim')}', which is the login name.`);
  if (nameOf(settings, 'LoginClaim') === 'email' && isUnverified(claims))
    throw new LoginFailure('not_allowed', 'The mail address is the login name, and the provider has not verified it.');
  const groups = groupsOf(claim('GroupsClaim'));
  if (!isAnyAllowed(namesIn(settings.get('AllowedGroups')), groups))
    throw new LoginFailure('not_allowed', 'The user is in none of AllowedGroups.');
  return {
    issuer: String(claims.iss),
    subject: String(claims.sub),
    loginName,
    displayName: textOf(claim('NameClaim')) ?? loginName,
    // An address that the provider has not verified may belong to another person.
    email: isUnverified(claims) ? undefined : textOf(claim('EmailClaim')),
    groups,
    session: { id: textOf(claims.sid) ?? '', idToken },
  };
}

/** Some providers write the flag as a text. */
function isUnverified({ email_verified: verified }: Claims): boolean {
  return verified === false || verified === 'false';
}

function nameOf(settings: SettingValues, key: keyof typeof DEFAULT_CLAIMS): string {
  return readText(settings, key).trim() || DEFAULT_CLAIMS[key];
}

/** A name with dots leads into objects, such as `realm_access.roles`, unless there is a claim of that very name. */
function claimOf(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  let found: unknown = claims;
  for (const step of name.split('.')) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, step)) return undefined;
    found = (found as Claims)[step];
  }
  return found;
}

function textOf(claim: unknown): string | undefined {
  return typeof claim === 'string' && claim.trim() !== '' ? claim.trim() : undefined;
}

/** A list of names, or one name. */
function groupsOf(claim: unknown): readonly string[] {
  const listed = Array.isArray(claim) ? (claim as readonly unknown[]) : [claim];
  const names = listed.flatMap((name) => (typeof name === 'string' && name !== '' && name.length <= MAX_GROUP_LENGTH ? [name] : []));
  return names.slice(0, MAX_GROUPS);
}
