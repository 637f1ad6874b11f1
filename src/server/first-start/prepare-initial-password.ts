// The password of the administrator of a first start. Hashing it takes as long as loading the server, so it begins before that.
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PASSWORD_FILE } from '../../access/first-password-file.ts';
import { hashPassword } from '../../plugins/bundled/authorization/password-hash.ts';
import type { Settings } from '../settings.ts';

export interface InitialAdmin {
  readonly password: string;
  readonly isGenerated: boolean;
}

export interface InitialPassword extends InitialAdmin {
  hash(): Promise<string>;
}

const GENERATED_BYTES = 15;

/** On a data directory with a password file it is most likely not needed, so it is hashed only when it is. */
export function prepareInitialPassword(
  { dataDir, adminPassword }: Pick<Settings, 'dataDir' | 'adminPassword'>,
  hash: (password: string) => Promise<string> = hashPassword,
): InitialPassword {
  const password = adminPassword ?? randomBytes(GENERATED_BYTES).toString('base64url');
  const early = existsSync(join(dataDir, PASSWORD_FILE)) ? undefined : hash(password);
  early?.catch(() => {}); // reported where it is awaited
  return { password, isGenerated: adminPassword === undefined, hash: () => early ?? hash(password) };
}
