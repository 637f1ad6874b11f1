// Checks the key of a restored data directory: without it the server does not start, and no secret can be read.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cipherOf } from '../../kit/bytes/cipher.ts';
import type { KindName } from '../../shape/configuration.ts';
import { isSecret } from '../../shape/secrets/secret.ts';
import { openCopy, valuesOfKind } from '../../store/sqlite/database-facts.ts';
import { DATABASE_FILE, KEY_FILE } from '../data-files.ts';

/** The problems, in words. */
export function checkKey(dataDir: string): string[] {
  let content: string;
  try {
    content = readFileSync(join(dataDir, KEY_FILE), 'latin1');
  } catch (failure) {
    if ((failure as NodeJS.ErrnoException).code !== 'ENOENT') throw failure;
    return [`the key of the secrets (${KEY_FILE}) is missing`];
  }
  const cipher = cipherOf(content);
  if (!cipher) return [`${KEY_FILE} is not a key of 64 hexadecimal characters`];
  const isOfOther = ownSecrets(join(dataDir, DATABASE_FILE)).some((cipherText) => cipher.isOfOtherKey(cipherText));
  return isOfOther ? [`${KEY_FILE} is not the key with which the secrets were encrypted`] : [];
}

/** The secrets that the server has made for itself: their key is that of all others. */
function ownSecrets(path: string): string[] {
  const database = openCopy(path);
  try {
    const identities = valuesOfKind(database, 'serverIdentity' satisfies KindName);
    return identities.flatMap((value) => Object.values(JSON.parse(value)).filter(isSecret)).map(({ cipherText }) => cipherText);
  } finally {
    database.close();
  }
}
