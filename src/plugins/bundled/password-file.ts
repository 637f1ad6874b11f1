// Knows users from a file of `username:hash` lines, as htpasswd writes it.
import { existsSync, statSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { AuthorizationHost, AuthorizationPlugin, KnownUser } from '../../contracts/plugins/authorization.ts';
import type { SettingValues } from '../../contracts/plugins/plugin.ts';
import { mustBePath } from '../setting-values.ts';
import { verifyPassword } from './password-hash.ts';

export interface PasswordEntry {
  readonly login: string;
  readonly hash: string;
}

const PATH_KEY = 'PasswordFilePath';
const MAX_FILE_BYTES = 5 * 1024 * 1024;

/** A bcrypt hash of a random password that nobody kept. */
const NOBODYS_HASH = '$2b$10$ELwyKIUXG4nQqm4KHQH.xehLDKKC7JrFpc6/TiAICRAqTNhHN/.m.';

export const passwordFile: AuthorizationPlugin = {
  id: 'cd.go.authentication.passwordfile',
  kind: 'authorization',
  name: 'Password File Authentication',
  version: '1.0.0',
  description: 'Users and password hashes in a file on the server.',
  vendor: 'Slipway',
  blocks: {
    auth_config: {
      fields: [{ key: PATH_KEY, required: true }],
      unknownKey: 'Is an unknown property',
      check: (values) => mustBePath(values, PATH_KEY),
    },
  },
  capabilities: { supported_auth_type: 'Password', can_search: true, can_authorize: false },

  async authenticate(login, password, settings, host) {
    const entries = await loadEntries(settings, host);
    const entry = entries.get(login.toLowerCase());
    if (!entry) {
      await verifyPassword(password, someBcryptHash(entries)); // an unknown user must take as long as a known one
      return undefined;
    }
    return (await verifyPassword(password, entry.hash)) ? toUser(entry) : undefined;
  },

  async isUser(login, settings, host) {
    return (await loadEntries(settings, host)).has(login.toLowerCase());
  },

  async search(term, settings, host) {
    const wanted = term.toLowerCase();
    const entries = await loadEntries(settings, host);
    return [...entries].filter(([login]) => login.includes(wanted)).map(([, entry]) => toUser(entry));
  },

  async verifyConnection(settings, host) {
    try {
      await loadEntries(settings, host);
      return { ok: true };
    } catch (error) {
      return { ok: false, reason: (error as Error).message };
    }
  },

  whatIsMissing(settings, host) {
    const path = pathIn(settings);
    return existsSync(resolve(host.directory, path)) ? undefined : { key: PATH_KEY, message: `The file \`${path}\` is not there.` };
  },
  freshness(settings, host) {
    return stampOf(resolve(host.directory, pathIn(settings)));
  },
};

/** The user of a line, or undefined for a line that names none. */
export function readPasswordLine(line: string): PasswordEntry | undefined {
  const colon = line.indexOf(':');
  if (colon < 1 || line.trimStart().startsWith('#')) return undefined;
  const login = line.slice(0, colon).trim();
  return login === '' ? undefined : { login, hash: line.slice(colon + 1).trim() };
}

async function loadEntries(settings: SettingValues, host: AuthorizationHost): Promise<ReadonlyMap<string, PasswordEntry>> {
  const entries = new Map<string, PasswordEntry>();
  for (const line of (await readBounded(pathIn(settings), host)).split('\n')) {
    const entry = readPasswordLine(line);
    if (entry) entries.set(entry.login.toLowerCase(), entry);
  }
  return entries;
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

function someBcryptHash(entries: ReadonlyMap<string, PasswordEntry>): string {
  for (const { hash } of entries.values()) {
    if (hash.startsWith('$2')) return hash;
  }
  return NOBODYS_HASH;
}

const toUser = ({ login }: PasswordEntry): KnownUser => ({ loginName: login, displayName: login, email: undefined });

const pathIn = (settings: SettingValues): string => settings.get(PATH_KEY)?.trim() ?? '';

/** What tells one state of the file from the next. */
function stampOf(path: string): string {
  try {
    const { mtimeNs, ctimeNs, size, ino } = statSync(path, { bigint: true });
    return `${mtimeNs} ${ctimeNs} ${size} ${ino}`;
  } catch (error) {
    return `${(error as NodeJS.ErrnoException).code}`;
  }
}
