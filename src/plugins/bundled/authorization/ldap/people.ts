// Users of an LDAP directory: finds the entry of a login name, then binds as that entry.
import type { ConnectionVerdict, KnownUser } from '../../../../contracts/plugins/authorization.ts';
import type { SettingValues } from '../../../../contracts/plugins/plugin.ts';
import { type BoundDirectory, type Directory, type Entry, valuesOf, withDirectory } from './directory.ts';
import { comparedAttributes, filterFor } from './filters.ts';
import { readDirectory } from './settings.ts';

const MAX_FOUND_USERS = 100;
const USUAL_LOGIN_ATTRIBUTES = ['sAMAccountName', 'uid'];
const LOGIN_OF_NOBODY = 'slipway-connection-check';

export async function authenticate(login: string, password: string, settings: SettingValues): Promise<KnownUser | undefined> {
  // A bind with an empty password is an anonymous one, which servers answer with success (RFC 4513, 5.1.2).
  if (password === '' || login.trim() === '') return undefined;
  return withDirectory(readDirectory(settings), async (directory) => {
    const entry = await findEntry(directory, login);
    if (!entry || !(await directory.binds(entry.dn, password))) return undefined;
    return toUser(entry, directory, loginNameOf(entry, comparedAttributes(directory.loginFilter), login) ?? login);
  });
}

export async function isUser(login: string, settings: SettingValues): Promise<boolean> {
  if (login.trim() === '') return false;
  return withDirectory(readDirectory(settings), async (directory) => (await findEntry(directory, login)) !== undefined);
}

export async function search(term: string, settings: SettingValues): Promise<readonly KnownUser[]> {
  if (term.trim() === '') return [];
  return withDirectory(readDirectory(settings), (directory) => findUsers(directory, term));
}

export async function verifyConnection(settings: SettingValues): Promise<ConnectionVerdict> {
  try {
    // A search that finds nobody goes through everything a login needs: the manager, the filter and every search base.
    await withDirectory(readDirectory(settings), (directory) => findEntry(directory, LOGIN_OF_NOBODY));
    return { ok: true };
  } catch (error) {
    return { ok: false, reason: (error as Error).message };
  }
}

/** The one entry of a login name in the first search base that has any; undefined when several have the same name. */
async function findEntry(directory: BoundDirectory, login: string): Promise<Entry | undefined> {
  const filter = filterFor(directory.loginFilter, login);
  for (const base of directory.searchBases) {
    const entries = await directory.find({ base, filter, attributes: attributesOf(directory), most: 2 });
    if (entries.length > 0) return entries.length === 1 ? entries[0] : undefined;
  }
  return undefined;
}

async function findUsers(directory: BoundDirectory, term: string): Promise<readonly KnownUser[]> {
  const users = new Map<string, KnownUser>();
  const filter = filterFor(directory.searchFilter, term);
  for (const base of directory.searchBases) {
    for (const entry of await directory.find({ base, filter, attributes: attributesOf(directory), most: MAX_FOUND_USERS })) {
      const loginName = loginNameOf(entry, [...comparedAttributes(directory.loginFilter), ...USUAL_LOGIN_ATTRIBUTES]);
      if (loginName === undefined || users.has(loginName.toLowerCase())) continue;
      users.set(loginName.toLowerCase(), toUser(entry, directory, loginName));
    }
  }
  return [...users.values()].slice(0, MAX_FOUND_USERS);
}

/** What is read of a user. */
function attributesOf({ displayNameAttribute, emailAttribute, loginFilter }: Directory): readonly string[] {
  return [...new Set([displayNameAttribute, emailAttribute, ...comparedAttributes(loginFilter), ...USUAL_LOGIN_ATTRIBUTES])];
}

/**
 * The login name as the directory writes it, because servers find entries regardless of case and of blanks at the ends,
 * and one person must not become several users.
 */
function loginNameOf(entry: Entry, attributes: readonly string[], typed?: string): string | undefined {
  const names = attributes.flatMap((attribute) => valuesOf(entry, attribute));
  return names.find((name) => name.toLowerCase() === typed?.toLowerCase()) ?? names[0];
}

function toUser(entry: Entry, directory: Directory, loginName: string): KnownUser {
  const [displayName = loginName] = valuesOf(entry, directory.displayNameAttribute);
  const [email] = valuesOf(entry, directory.emailAttribute);
  return { loginName, displayName, email };
}
