// The addresses of providers in settings: encrypted, unless the provider runs on this machine.
import type { SettingProblem, SettingValues } from '../../../../contracts/plugins/plugin.ts';
import { LoginFailure } from '../../../../contracts/plugins/web-login.ts';
import { isBlank, readText } from '../../../setting-values.ts';

const THIS_MACHINE = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** Whether requests to it may travel without encryption: they do not leave this machine. */
export function isOnThisMachine({ hostname }: URL): boolean {
  return THIS_MACHINE.test(hostname);
}

/** A blank one is not checked. */
export function addressProblems(values: SettingValues, key: string): readonly SettingProblem[] {
  if (isBlank(values, key) || parsedAddress(readText(values, key))) return [];
  return [
    {
      key,
      message: `${key} must be an address that begins with https:// and has neither a login nor a query. http:// is accepted for localhost only.`,
    },
  ];
}

export function parsedAddress(text: string): URL | undefined {
  const url = URL.parse(text.trim());
  if (url?.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') return undefined;
  return url.protocol === 'https:' || (url.protocol === 'http:' && isOnThisMachine(url)) ? url : undefined;
}

/**
 * Entra ID answers at `common` and `organizations` for the users of all its tenants, and an attacker can create a tenant. Names and groups
 * mean something within one tenant only: a user of another tenant could take the name of a user here.
 */
export function mustBeOneIssuer(issuer: string): void {
  if (issuer.includes('{')) throw new LoginFailure('invalid', 'The provider answers for users of all tenants. Name your tenant in Issuer.');
}

/** The address without a slash at the end, so that paths can be added. */
export function baseOf(text: string): string | undefined {
  return parsedAddress(text)?.href.replace(/\/+$/, '');
}
