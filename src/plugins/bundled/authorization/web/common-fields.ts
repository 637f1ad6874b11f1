// The settings that all sources with logins on the web share.
import type { SettingField, SettingValues } from '../../../../contracts/plugins/plugin.ts';
import { isTrue, readText } from '../../../setting-values.ts';

const PUBLIC_NAME = 'PublicName';
const LINK_EXISTING = 'LinkExistingUsers';

export const COMMON_FIELDS: readonly SettingField[] = [
  { key: PUBLIC_NAME, description: 'What the button on the login page says after “Sign in with”.' },
  {
    key: LINK_EXISTING,
    kind: 'boolean',
    defaultValue: 'false',
    description:
      'Whether a login name means the same person as in other sources of users. Only for providers that your organization runs: otherwise a person who chooses the login name of another user there gets the rights of that user.',
  },
];

export function labelIn(settings: SettingValues, fallback: string): string {
  return readText(settings, PUBLIC_NAME).trim() || fallback;
}

export function linksExistingUsers(settings: SettingValues): boolean {
  return isTrue(settings, LINK_EXISTING);
}
