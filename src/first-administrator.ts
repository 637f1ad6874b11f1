// The administrator of the first start: a password in the password file, and a note of it until it has been changed.
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

interface Parts extends Omit<FirstStartParts, 'setPassword' | 'keepInitialPassword'> {
  readonly settings: Pick<Settings, 'dataDir' | 'adminPassword'>;
  readonly hashPassword: ((password: string) => Promise<string>) | undefined;
}

const PERIOD_MS = 10_000;

/** Undefined: somebody can log in already. */
export function bringFirstAdministrator({
  settings,
  hashPassword: hash = hashPassword,
  ...parts
}: Parts): Promise<InitialAdmin | undefined> {
  const { dataDir, adminPassword } = settings;
  return firstStart(
    {
      ...parts,
      setPassword: async (file, login, password) => setPassword(join(dataDir, file), login, await hash(password)),
      keepInitialPassword: (password) => keepInitialPassword(dataDir, password),
    },
    adminPassword,
  );
}

export function watchFirstPassword(dataDir: string, runner: PeriodicRunner): void {
  runner.add({
    name: 'the note of the first password',
    when: { every: PERIOD_MS, firstAfter: 0 },
    runsWhilePaused: true,
    run: forgetChangedPassword(dataDir, ADMIN, PASSWORD_FILE),
  });
}
