// The git program for one material: without anybody's settings, with credentials that no command line and no file shows.
import { devNull } from 'node:os';
import { dirname } from 'node:path';
import { type Address, type Login, openAddress } from '../address.ts';
import type { Surroundings } from '../client.ts';
import { mustBeOpen } from '../closed-ground.ts';
import { programEnvironment, SSH_COMMAND } from '../environment.ts';
import { Program } from '../program.ts';
import { type TlsOptions, tlsFor } from '../tls.ts';
import type { GitMaterial } from './material.ts';
import { placesOfRepository } from './places.ts';
import { withoutProgress } from './progress.ts';

export interface Git {
  readonly program: Program;
  readonly address: Address;
}

/** An administrator may name settings for all repositories, and another way of using ssh, in the environment of the server. */
const ALSO_HANDED_ON = ['GIT_CONFIG_GLOBAL', 'GIT_SSH', 'GIT_SSH_COMMAND', 'GIT_SSL_CAINFO', 'GIT_SSL_CAPATH'];
const PROTOCOLS = 'http:https:ssh:git:file:rsync';
const USERNAME = 'SLIPWAY_GIT_USERNAME';
const PASSWORD = 'SLIPWAY_GIT_PASSWORD';
/** Git adds the word for what it wants. */
const HELPER = `!f() { test "$1" = get && printf 'username=%s\\npassword=%s\\n' "$${USERNAME}" "$${PASSWORD}"; }; f`;

/** One process for one material: nothing in the background, no threads beside it, a pack for each fetch instead of many files. */
const SETTINGS = {
  'gc.auto': '0',
  'gc.autoDetach': 'false',
  'maintenance.auto': 'false',
  'fetch.unpackLimit': '1',
  'pack.threads': '1',
  // Copies are made anew when they turn out to be damaged; waiting for the disk would make every write of the configuration wait, too.
  'core.fsync': 'none',
  'core.hooksPath': devNull,
  'credential.helper': '',
};

export function gitFor(material: GitMaterial, surroundings: Surroundings): Git {
  const address = openAddress(material.url, material);
  mustBeOpen(address.url, surroundings, placesOfRepository);
  const { login, secrets } = address;
  const [origin] = /^https?:\/\/[^/?#]+/i.exec(address.url) ?? [];
  const tls = tlsFor(address.url, surroundings);
  const settings = { ...SETTINGS, ...(origin !== undefined && settingsFor(origin, login !== null, tls)) };
  const program = new Program('git', {
    surroundings,
    secrets,
    tidied: withoutProgress,
    words: Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    env: {
      GIT_CONFIG_GLOBAL: devNull,
      GIT_SSH_COMMAND: SSH_COMMAND,
      ...programEnvironment(ALSO_HANDED_ON),
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_ATTR_NOSYSTEM: '1',
      GIT_TERMINAL_PROMPT: '0',
      GIT_ALLOW_PROTOCOL: PROTOCOLS,
      // The data directory may lie within somebody's checkout, which is none of our business.
      GIT_CEILING_DIRECTORIES: dirname(surroundings.directory),
      ...(tls.caFile !== undefined && { GIT_SSL_CAINFO: tls.caFile }),
      ...(login && loginEnvironment(login)),
    },
  });
  return { program, address };
}

/** Only for the server that was meant: one that sends us elsewhere neither learns the password nor gets others believed. */
function settingsFor(origin: string, logsIn: boolean, { isChecked }: TlsOptions): Record<string, string> {
  return {
    ...(logsIn && { [`credential.${origin}.helper`]: HELPER }),
    ...(!isChecked && { [`http.${origin}/.sslVerify`]: 'false' }),
  };
}

function loginEnvironment({ username, password }: Login): Record<string, string> {
  return { [USERNAME]: username, [PASSWORD]: password ?? '' };
}
