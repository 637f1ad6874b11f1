// The administrator of the first start: a password in the password file, and a note of it until it has been changed.
import { join } from 'node:path';
import { PASSWORD_FILE } from '../../access/first-password-file.ts';
import { ADMIN, type FirstStartParts, firstStart } from '../../access/first-start.ts';
import type { PeriodicRunner } from '../../kit/concurrency/periodic/periodic.ts';
import { setPassword } from '../../plugins/bundled/authorization/password-file-edit.ts';
import { forgetChangedPassword, storeInitialPassword } from './initial-password.ts';
import type { InitialAdmin, InitialPassword } from './prepare-initial-password.ts';

const PERIOD_MS = 10_000;

/** Undefined: an administrator can log in already. */
export async function createFirstAdministrator(
  parts: Omit<FirstStartParts, 'addPassword'>,
  dataDir: string,
  { password, isGenerated, hash }: InitialPassword,
): Promise<InitialAdmin | undefined> {
  const addPassword = async (file: string, login: string) => {
    setPassword(join(dataDir, file), login, await hash());
    if (isGenerated) storeInitialPassword(dataDir, password);
  };
  return (await firstStart({ ...parts, addPassword })) ? { password, isGenerated } : undefined;
}

export function watchFirstPassword(dataDir: string, runner: PeriodicRunner): void {
  runner.add({
    name: 'the note of the first password',
    when: { every: PERIOD_MS, firstAfter: 0 },
    where: 'everywhere',
    runsWhilePaused: true,
    run: forgetChangedPassword(dataDir, ADMIN, PASSWORD_FILE),
  });
}
