// Credentials for the git program, by its environment: no command line and no file shows them.
import type { Login } from '../network/repository-address.ts';

const USERNAME = 'SLIPWAY_GIT_USERNAME';
const PASSWORD = 'SLIPWAY_GIT_PASSWORD';

/** The setting `credential.<address>.helper`. Git appends the operation, such as `get`. */
export const CREDENTIAL_HELPER = `!f() { test "$1" = get && printf 'username=%s\\npassword=%s\\n' "$${USERNAME}" "$${PASSWORD}"; }; f`;

/** The variables that the helper reads. */
export function credentialVariables({ username, password }: Login): Readonly<Record<string, string>> {
  return { [USERNAME]: username, [PASSWORD]: password ?? '' };
}
