// The key of a data directory: made up for a fresh one, and for all others the one with which their secrets were encrypted.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../config/current.ts';
import { type Cipher, openCipher } from '../../kit/bytes/cipher.ts';
import { isSecret } from '../../shape/secrets/secret.ts';

const KEY_FILE = 'cipher.key';
const PUT_BACK = 'Put the right one back, from a backup if need be: without it no secret of this server can be read.';

export function openCipherOf(dataDir: string, keyFile: string | undefined, config: Config): Cipher {
  const path = keyFile ?? join(dataDir, KEY_FILE);
  if (config.revision > 0 && !existsSync(path)) throw new Error(`The key file ${path} is missing. ${PUT_BACK}`);
  const cipher = openCipher(path);
  const secrets = Object.values(config.of('serverIdentity').find('')?.value ?? {}).filter(isSecret);
  if (secrets.some(({ cipherText }) => cipher.isOfOtherKey(cipherText)))
    throw new Error(`The key file ${path} is not the one with which the secrets of this server were encrypted. ${PUT_BACK}`);
  return cipher;
}
