// A login provider that is a public site, or a server of the user's organization: the settings say which.
import type { SettingProblem, SettingValues } from '../../../../contracts/plugins/plugin.ts';
import { LoginFailure } from '../../../../contracts/plugins/web-login.ts';
import { blankMessage, isBlank, mustBeOneOf, readText } from '../../../setting-values.ts';
import { addressProblems, baseOf } from './provider-address.ts';

const CHOICE = 'AuthenticateWith';

interface HostedSiteParts {
  readonly name: string;
  readonly publicSite: string;
  /** The value of `AuthenticateWith` that means an own server. */
  readonly selfHosted: string;
  /** The setting that says where the own server answers. */
  readonly urlKey: string;
}

export class HostedSite {
  readonly #parts: HostedSiteParts;

  constructor(parts: HostedSiteParts) {
    this.#parts = parts;
  }

  isSelfHosted(settings: SettingValues): boolean {
    return readText(settings, CHOICE) === this.#parts.selfHosted;
  }

  siteOf(settings: SettingValues): string {
    const { publicSite, urlKey } = this.#parts;
    const site = this.isSelfHosted(settings) ? this.#selfHostedSite(settings) : publicSite;
    if (site === undefined) throw new LoginFailure('invalid', `${urlKey} must be an address that begins with https://.`);
    return site;
  }

  /** Distinguishes one provider from another, also while its address cannot be read. */
  providerOf(settings: SettingValues): string {
    return this.isSelfHosted(settings) ? (this.#selfHostedSite(settings) ?? '') : this.#parts.name;
  }

  #selfHostedSite(settings: SettingValues): string | undefined {
    return baseOf(readText(settings, this.#parts.urlKey));
  }

  problems(settings: SettingValues): readonly SettingProblem[] {
    const { name, selfHosted, urlKey } = this.#parts;
    const isMissing = this.isSelfHosted(settings) && isBlank(settings, urlKey);
    return [
      ...mustBeOneOf(settings, CHOICE, [name, selfHosted]),
      ...(isMissing ? [{ key: urlKey, message: blankMessage(urlKey) }] : []),
      ...addressProblems(settings, urlKey),
    ];
  }
}

/** The result of a check of the connection, by the status of a request that needs the token. */
export function connectionResultOf(name: string, status: number): { readonly ok: true } | { readonly ok: false; readonly reason: string } {
  if (status === 200) return { ok: true };
  return { ok: false, reason: status === 401 ? `${name} refuses PersonalAccessToken.` : `${name} answers with status ${status}.` };
}
