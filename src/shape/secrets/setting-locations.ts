// Where the secrets in a list of settings stand, and where they are sent: to the plugin, and to all addresses in the list.
import { originOf } from './destination.ts';
import type { SecretLocation } from './secret.ts';

export interface SettingText {
  readonly key: string;
  /** In clear. */
  readonly text: string;
  readonly isSecret: boolean;
}

/** `text` is that of the secret, in clear. */
export type LocateSetting = (key: string, text: string) => SecretLocation;

const IS_ADDRESS = /^[a-z][a-z0-9+.-]*:\/\/\S/i;
const NAMES_ADDRESS = /url|uri|host|server|endpoint|address|registry|(?:^|[_.-])port$/i;

/** `sentTo` names the plugin that gets the settings. Most lists have no secret, so `settings` is called only when there is one. */
export function settingLocations(sentTo: () => string, settings: () => readonly SettingText[]): LocateSetting {
  let known: { readonly plugin: string; readonly all: string } | undefined;
  const destinations = () => {
    const plugin = sentTo();
    return { plugin, all: [plugin, ...addressesIn(settings())].join('\n') };
  };
  return (key, text) => {
    known ??= destinations();
    // One that is an address goes to its own host.
    return { field: `setting ${key}`, destination: IS_ADDRESS.test(text) ? known.plugin : known.all };
  };
}

function addressesIn(settings: readonly SettingText[]): string[] {
  return settings
    .filter(({ key, text, isSecret }) => IS_ADDRESS.test(text) || (!isSecret && text !== '' && NAMES_ADDRESS.test(key)))
    .map(({ key, text }) => `${key}=${originOf(text)}`)
    .sort();
}
