// The note of the administrator's first password, kept until that password has been changed.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeFileDurably } from '../../kit/bytes/durable-file.ts';
import { passwordFile } from '../../plugins/bundled/authorization/password-file.ts';

const NOTE = 'initial-admin-password';

export function storeInitialPassword(dataDir: string, password: string): void {
  writeFileDurably(join(dataDir, NOTE), `${password}\n`, 0o600);
}

/** Removes the note once another password counts. To be called again and again: it looks only when the password file has changed since. */
export function forgetChangedPassword(dataDir: string, login: string, file: string): () => Promise<void> {
  const note = join(dataDir, NOTE);
  const settings = new Map([['PasswordFilePath', file]]);
  const host = { directory: dataDir };
  let last: string | undefined;
  return async () => {
    if (!existsSync(note)) return;
    const now = passwordFile.freshness!(settings, host);
    if (now === last) return;
    last = now;
    // A file that is gone may come back as it was, so the note stays.
    if (passwordFile.missingPrerequisite!(settings, host)) return;
    const password = readFileSync(note, 'utf8').trim();
    if (await passwordFile.authenticate(login, password, settings, host)) return;
    // A first start that was begun anew writes another note meanwhile.
    if (existsSync(note) && readFileSync(note, 'utf8').trim() === password) rmSync(note);
  };
}
