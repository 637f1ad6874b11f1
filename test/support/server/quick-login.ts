// Logins that are checked quickly: the hashes of the server are slow by design, and tests log in thousands of times.
import { join } from 'node:path';
import { hashSync } from 'bcryptjs';
import { setPassword } from '../../../src/plugins/bundled/authorization/password-file-edit.ts';

const MIN_COST = 4;

export function quickHash(password: string): string {
  return hashSync(password, MIN_COST);
}

/** Writes a user into a password file of a data directory. */
export function setQuickPassword(dataDir: string, login: string, password: string, file = 'password.properties'): void {
  setPassword(join(dataDir, file), login, quickHash(password));
}
