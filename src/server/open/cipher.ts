// The key of a data directory: made up for a fresh one, and for all others the one with which their secrets were encrypted.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../config/current.ts';
import { type Cipher, openCipher } from '../../kit/bytes/cipher.ts';
import { isSecret } from '../../shape/secrets/secret.ts';

const KEY_FILE = 'cipher.key';
const PUT_BACK = 'Put the right one back, from a backup if need be: without it no secret of this server can be read.';
const USE_THAT_OF_OTHERS =
  'All servers on one database need the same key: copy that of another server, or name it with SLIPWAY_CIPHER_KEY_FILE. Without it no secret can be read.';

export interface KeyLocation {
  readonly dataDir: string;
  readonly cipherKeyFile: string | undefined;
  /** Whether other servers may use the same database. */
  readonly isShared: boolean;
}

export function openCipherOf(location: KeyLocation, config: Config): Cipher {
  const path = pathOf(location);
  if (config.revision > 0 && !existsSync(path)) throw new Error(`The key file ${path} is missing. ${remedyFor(location)}`);
  const cipher = openCipher(path);
  mustBeKeyOf(config, cipher, location);
  return cipher;
}

/** Servers that start together on a new database may each have made up a key. */
export function mustBeKeyOf(config: Config, cipher: Cipher, location: KeyLocation): void {
  const secrets = Object.values(config.of('serverIdentity').find('')?.value ?? {}).filter(isSecret);
  if (secrets.some(({ cipherText }) => cipher.isOfOtherKey(cipherText)))
    throw new Error(
      `The key file ${pathOf(location)} is not the one with which the secrets of this server were encrypted. ${remedyFor(location)}`,
    );
}

function pathOf({ dataDir, cipherKeyFile }: KeyLocation): string {
  return cipherKeyFile ?? join(dataDir, KEY_FILE);
}

function remedyFor({ isShared }: KeyLocation): string {
  return isShared ? USE_THAT_OF_OTHERS : PUT_BACK;
}
