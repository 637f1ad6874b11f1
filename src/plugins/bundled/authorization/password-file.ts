// Knows users from a file of `username:hash` lines, as htpasswd writes it.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { AuthorizationHost, KnownUser, PasswordPlugin, SourceWarning } from '../../../contracts/plugins/authorization.ts';
import type { SettingValues } from '../../../contracts/plugins/plugin.ts';
import { loginKey, loginProblem, normalLogin } from '../../../shape/login-name.ts';
import { mustBePath } from '../../setting-values.ts';
import { GOOD_BCRYPT_COST, isWeak, readHash } from './password-form.ts';
import { simulateWork, verifyPassword } from './password-hash.ts';
import { fullWork, remainingWork, workOf } from './password-work.ts';

export interface PasswordEntry {
  readonly login: string;
  readonly hash: string;
}

const PATH_KEY = 'PasswordFilePath';
const PATH_ABOUT = 'A file on the server as `htpasswd` writes it; a relative path begins at the data directory.';
const MAX_FILE_BYTES = 5 * 1024 * 1024;
const MAX_NAMED = 20;

export const passwordFile: PasswordPlugin = {
  id: 'cd.go.authentication.passwordfile',
  kind: 'authorization',
  name: 'Password File Authentication',
  version: '1.0.0',
  description: 'Users and password hashes in a file on the server.',
  vendor: 'Slipway',
  blocks: {
    auth_config: {
      fields: [{ key: PATH_KEY, required: true, title: 'Password file', description: PATH_ABOUT }],
      unknownKey: 'Is an unknown property',
      check: (values) => mustBePath(values, PATH_KEY),
    },
  },
  capabilities: { supported_auth_type: 'Password', can_search: true, can_authorize: false },

  async authenticate(login, password, settings, host) {
    const { entries } = await loadFile(settings, host);
    const entry = entries.get(loginKey(login));
    if (entry && (await verifyPassword(password, entry.hash))) return toUser(entry);
    // An attacker must not learn from the time whether there is such a user, or how weak the hash is.
    const full = fullWork(Array.from(entries.values(), ({ hash }) => readHash(hash)));
    await simulateWork(password, remainingWork(full, workOf(readHash(entry?.hash ?? ''))));
    return undefined;
  },

  async isUser(login, settings, host) {
    return (await loadFile(settings, host)).entries.has(loginKey(login));
  },

  async passwordVersion(login, settings, host) {
    return (await loadFile(settings, host)).entries.get(loginKey(login))?.hash;
  },

  async search(term, settings, host) {
    const wanted = loginKey(term);
    const { entries } = await loadFile(settings, host);
    return [...entries].filter(([login]) => login.includes(wanted)).map(([, entry]) => toUser(entry));
  },

  async verifyConnection(settings, host) {
    try {
      await loadFile(settings, host);
      return { ok: true };
    } catch (error) {
      return { ok: false, reason: (error as Error).message };
    }
  },

  missingPrerequisite(settings, host) {
    const path = pathIn(settings);
    return existsSync(resolve(host.directory, path)) ? undefined : { key: PATH_KEY, message: `The file \`${path}\` does not exist.` };
  },

  hasAny(logins, settings, host) {
    const path = resolve(host.directory, pathIn(settings));
    const facts = statSync(path, { throwIfNoEntry: false });
    if (!facts?.isFile() || facts.size > MAX_FILE_BYTES) return false;
    const { entries } = linesOf(readFileSync(path, 'utf8'));
    return logins.some((login) => entries.has(loginKey(login)));
  },

  async warnings(settings, host) {
    const { entries, ignoredLines } = await loadFile(settings, host);
    const weak = [...entries.values()].filter(({ hash }) => isWeakHash(hash)).map(({ login }) => login);
    const path = pathIn(settings);
    return [
      ...(weak.length === 0 ? [] : [weakWarning(path, weak)]),
      ...(ignoredLines.length === 0 ? [] : [ignoredWarning(path, ignoredLines)]),
    ];
  },

  freshness(settings, host) {
    return stampOf(resolve(host.directory, pathIn(settings)));
  },
};

/** The user of a line, or undefined for a line that names none. */
export function readPasswordLine(line: string): PasswordEntry | undefined {
  const colon = line.indexOf(':');
  if (colon < 1 || line.trimStart().startsWith('#')) return undefined;
  const login = normalLogin(line.slice(0, colon).trim());
  return login === '' ? undefined : { login, hash: line.slice(colon + 1).trim() };
}

interface LoadedFile {
  /** The entries by `loginKey`. */
  readonly entries: ReadonlyMap<string, PasswordEntry>;
  /** The numbers of lines whose login names are not allowed. */
  readonly ignoredLines: readonly number[];
}

async function loadFile(settings: SettingValues, host: AuthorizationHost): Promise<LoadedFile> {
  return linesOf(await readBounded(pathIn(settings), host));
}

function linesOf(text: string): LoadedFile {
  const entries = new Map<string, PasswordEntry>();
  const ignoredLines: number[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    const entry = readPasswordLine(line);
    if (!entry) continue;
    if (loginProblem(entry.login) === undefined) entries.set(loginKey(entry.login), entry);
    else ignoredLines.push(index + 1);
  }
  return { entries, ignoredLines };
}

async function readBounded(path: string, host: AuthorizationHost): Promise<string> {
  const absolutePath = resolve(host.directory, path);
  try {
    const facts = await stat(absolutePath);
    if (!facts.isFile()) throw new Error(`Password file path \`${path}\` is not a normal file.`);
    if (facts.size > MAX_FILE_BYTES) throw new Error(`Password file \`${path}\` is larger than ${MAX_FILE_BYTES} bytes.`);
    return await readFile(absolutePath, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') throw new Error(`No password file at path \`${path}\`.`);
    throw new Error(code ? `Password file \`${path}\` cannot be read (${code}).` : message);
  }
}

function isWeakHash(hash: string): boolean {
  const form = readHash(hash);
  return form !== undefined && isWeak(form);
}

function weakWarning(path: string, logins: readonly string[]): SourceWarning {
  return {
    message: `Password file \`${path}\` has weak hashes`,
    detail: `An attacker who gets hold of the file can guess the passwords of: ${someOf(logins)}. Set each of them again with: htpasswd -B -C ${GOOD_BCRYPT_COST} ${path} LOGIN`,
  };
}

function ignoredWarning(path: string, lines: readonly number[]): SourceWarning {
  return {
    message: `Password file \`${path}\` has lines that are ignored`,
    detail: `Their login names are too long, or hold control characters or invisible ones. Correct the lines: ${someOf(lines)}.`,
  };
}

function someOf(all: readonly (string | number)[]): string {
  const more = all.length > MAX_NAMED ? ` and ${all.length - MAX_NAMED} more` : '';
  return `${all.slice(0, MAX_NAMED).join(', ')}${more}`;
}

const toUser = ({ login }: PasswordEntry): KnownUser => ({ loginName: login, displayName: login, email: undefined });

const pathIn = (settings: SettingValues): string => settings.get(PATH_KEY)?.trim() ?? '';

/** A stamp that changes with every state of the file. */
function stampOf(path: string): string {
  try {
    const { mtimeNs, ctimeNs, size, ino } = statSync(path, { bigint: true });
    return `${mtimeNs} ${ctimeNs} ${size} ${ino}`;
  } catch (error) {
    return `${(error as NodeJS.ErrnoException).code}`;
  }
}
