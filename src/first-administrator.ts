// The administrator of the first start: a password in the password file, and a note of it until it has been changed.
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ADMIN, type FirstStartParts, firstStart, PASSWORD_FILE } from './access/first-start.ts';
import { forgetChangedPassword, keepInitialPassword } from './initial-password.ts';
import type { PeriodicRunner } from './kit/periodic.ts';
import { setPassword } from './plugins/bundled/password-file-edit.ts';
import { hashPassword } from './plugins/bundled/password-hash.ts';
import type { Settings } from './settings.ts';

export interface InitialAdmin {
  readonly password: string;
  readonly isGenerated: boolean;
}

interface InitialPassword extends InitialAdmin {
  hash(): Promise<string>;
}

const GENERATED_BYTES = 15;
const PERIOD_MS = 10_000;

/** Hashing takes as long as opening everything else, so on a new data directory it begins at once. */
export function prepareInitialPassword(
  { dataDir, adminPassword }: Pick<Settings, 'dataDir' | 'adminPassword'>,
  hash: (password: string) => Promise<string> = hashPassword,
): InitialPassword {
  const password = adminPassword ?? randomBytes(GENERATED_BYTES).toString('base64url');
  const early = existsSync(join(dataDir, PASSWORD_FILE)) ? undefined : hash(password);
  early?.catch(() => {}); // told where it is waited for
  return { password, isGenerated: adminPassword === undefined, hash: () => early ?? hash(password) };
}

/** Undefined: somebody can log in already. */
export async function bringFirstAdministrator(
  parts: Omit<FirstStartParts, 'bringPassword'>,
  dataDir: string,
  { password, isGenerated, hash }: InitialPassword,
): Promise<InitialAdmin | undefined> {
  const bringPassword = async (file: string, login: string) => {
    setPassword(join(dataDir, file), login, await hash());
    if (isGenerated) keepInitialPassword(dataDir, password);
  };
  return (await firstStart({ ...parts, bringPassword })) ? { password, isGenerated } : undefined;
}

export function watchFirstPassword(dataDir: string, runner: PeriodicRunner): void {
  runner.add({
    name: 'the note of the first password',
    when: { every: PERIOD_MS, firstAfter: 0 },
    runsWhilePaused: true,
    run: forgetChangedPassword(dataDir, ADMIN, PASSWORD_FILE),
  });
}
