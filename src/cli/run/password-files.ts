// The password files that a server reads, found through its database.
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { readPasswordLine } from '../../plugins/bundled/authorization/password-file.ts';
import { setPassword } from '../../plugins/bundled/authorization/password-file-edit.ts';
import { hashPassword } from '../../plugins/bundled/authorization/password-hash.ts';
import type { EntityNamed, KindName } from '../../shape/configuration.ts';
import { loginProblem } from '../../shape/login-name.ts';
import { describeAddress } from '../../store/postgres/address.ts';
import { type DatabaseSource, readOnlyRows } from '../../store/source.ts';
import { explainingFailures } from '../terminal/database.ts';
import { CommandFailed } from '../terminal/failures.ts';
import type { Installation } from '../terminal/installation.ts';

const PLUGIN = 'cd.go.authentication.passwordfile';

export interface PasswordFile {
  readonly path: string;
  /** The server lets in only users that it knows. */
  readonly isForKnownUsers: boolean;
}

export interface FoundFiles {
  /** In the order in which the server asks them; at least one. */
  readonly files: readonly PasswordFile[];
  /** Whether the server knows the user. */
  readonly isKnown: boolean;
}

export async function passwordFilesOf({ dataDir, source }: Installation, loginName: string): Promise<FoundFiles> {
  const found = await explainingFailures(source, () =>
    readOnlyRows(source, async (rows) => ({
      sources: (await rows.entities('authConfigs' satisfies KindName)) as readonly EntityNamed<'authConfigs'>[],
      isKnown: await rows.knowsUser(loginName),
    })),
  );
  if (!found) throw new CommandFailed(nothingIn(dataDir, source));
  const files = found.sources.flatMap(({ pluginId, properties, allowOnlyKnownUsersToLogin }) => {
    const path = properties.find(({ key }) => key === 'PasswordFilePath')?.value;
    if (pluginId !== PLUGIN || typeof path !== 'string') return [];
    return [{ path: resolve(dataDir, path.trim()), isForKnownUsers: allowOnlyKnownUsersToLogin }];
  });
  if (files.length === 0) throw new CommandFailed('This server reads no password file: its users and their passwords are kept elsewhere.');
  return { files, isKnown: found.isKnown };
}

function nothingIn(dataDir: string, source: DatabaseSource): string {
  if ('sqlite' in source) return `There is no server in the data directory ${dataDir}. Start the server once, or give --data-dir.`;
  return `No server was started on the database ${describeAddress(source.postgres)} yet. Start one, or give --database-url.`;
}

export function loginsIn(path: string): readonly string[] {
  if (!existsSync(path)) return [];
  return readFileSync(path, 'utf8')
    .split(/\r?\n/)
    .flatMap((line) => readPasswordLine(line)?.login ?? []);
}

export function hasLogin(path: string, loginName: string): boolean {
  return loginsIn(path).some((login) => login.toLowerCase() === loginName.toLowerCase());
}

export function mustBeLoginName(name: string): void {
  const problem =
    loginProblem(name) ??
    (name.startsWith('#') ? 'The login name must not begin with #: that begins a comment in the password file.' : undefined);
  if (problem !== undefined) throw new CommandFailed(problem);
}

export async function writePassword(path: string, loginName: string, password: string): Promise<void> {
  try {
    setPassword(path, loginName, await hashPassword(password));
  } catch (failure) {
    throw new CommandFailed(`The password file ${path} cannot be written: ${(failure as Error).message}`, { cause: failure });
  }
}
