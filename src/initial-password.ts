// The note of the administrator's first password, kept until that password has been changed.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeFileDurably } from './kit/durable-file.ts';
import { passwordFile } from './plugins/bundled/password-file.ts';

const NOTE = 'initial-admin-password';

export function keepInitialPassword(dataDir: string, password: string): void {
  writeFileDurably(join(dataDir, NOTE), `${password}\n`, 0o600);
}

export async function forgetChangedPassword(dataDir: string, login: string, file: string): Promise<void> {
  const note = join(dataDir, NOTE);
  if (!existsSync(note)) return;
  const password = readFileSync(note, 'utf8').trim();
  const isStillRight = await passwordFile.authenticate(login, password, new Map([['PasswordFilePath', file]]), { directory: dataDir });
  if (!isStillRight) rmSync(note);
}
