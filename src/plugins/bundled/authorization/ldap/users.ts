// Users of an LDAP directory: finds the entry of a login name, then binds as that entry.
import type { ConnectionResult, KnownUser } from '../../../../contracts/plugins/authorization.ts';
import type { SettingValues } from '../../../../contracts/plugins/plugin.ts';
import { loginKey } from '../../../../shape/login-name.ts';
import { type BoundDirectory, type Directory, type Entry, objectionIn, type Search, valuesOf, withDirectory } from './directory.ts';
import { comparedAttributes, comparingOnly, filterFor } from './filters.ts';
import { readDirectory } from './settings.ts';

const MAX_FOUND_USERS = 100;
const DEFAULT_LOGIN_ATTRIBUTES = ['sAMAccountName', 'uid'];
const UNKNOWN_LOGIN = 'slipway-connection-check';

export async function authenticate(login: string, password: string, settings: SettingValues): Promise<KnownUser | undefined> {
  // A bind with an empty password is an anonymous one, which servers answer with success (RFC 4513, 5.1.2).
  if (password === '' || login.trim() === '') return undefined;
  return withDirectory(readDirectory(settings), async (directory) => {
    const entry = await findTyped(directory, login);
    const loginName = entry && loginNameOf(entry, directory, login);
    if (!entry || loginName === undefined) return undefined;
    const isTheirs = await isNameOf(entry, directory, loginName); // users need not see each other, so the manager is asked
    if (!(await directory.binds(entry.dn, password))) return undefined;
    if (!isTheirs) throw new Error(`'${entry.dn}' may not log in: another entry has the same ${directory.userNameAttribute}.`);
    return toUser(entry, directory, loginName);
  });
}

export async function isUser(login: string, settings: SettingValues): Promise<boolean> {
  if (login.trim() === '') return false;
  return withDirectory(readDirectory(settings), async (directory) => (await findKnown(directory, login)) !== undefined);
}

export async function search(term: string, settings: SettingValues): Promise<readonly KnownUser[]> {
  if (term.trim() === '') return [];
  return withDirectory(readDirectory(settings), (directory) => findUsers(directory, term));
}

export async function verifyConnection(settings: SettingValues): Promise<ConnectionResult> {
  try {
    // A search without a result goes through everything a login needs: the manager, the filter and every search base.
    await withDirectory(readDirectory(settings), (directory) => findEntry(directory, directory.loginFilter, UNKNOWN_LOGIN));
    return { ok: true };
  } catch (error) {
    return { ok: false, reason: (error as Error).message };
  }
}

/**
 * The entry of the name that a user types. Where the login name is one of several attributes that may be typed, it counts first: people may
 * write the name of another user into the other attributes of their own entries.
 */
async function findTyped(directory: BoundDirectory, typed: string): Promise<Entry | undefined> {
  const { loginFilter, userNameAttribute = '' } = directory;
  const compared = new Set(comparedAttributes(loginFilter).map((attribute) => attribute.toLowerCase()));
  const known = compared.size > 1 && compared.has(userNameAttribute.toLowerCase()) ? await findKnown(directory, typed) : undefined;
  return known ?? findEntry(directory, loginFilter, typed);
}

/** The entry of a user who has logged in before, by the login name on this server. `more` are attributes to read. */
export async function findKnown(directory: BoundDirectory, loginName: string, more: readonly string[] = []): Promise<Entry | undefined> {
  const { loginFilter, userNameAttribute } = directory;
  if (userNameAttribute === undefined) return findEntry(directory, loginFilter, loginName, more);
  const entry = await findEntry(directory, comparingOnly(loginFilter, userNameAttribute), loginName, more);
  return entry && isSame(valuesOf(entry, userNameAttribute)[0], loginName) ? entry : undefined;
}

/** The one entry of a login name in the first search base that has any; undefined when several have the same name. */
async function findEntry(
  directory: BoundDirectory,
  template: string,
  login: string,
  more: readonly string[] = [],
): Promise<Entry | undefined> {
  const filter = filterFor(template, login);
  const attributes = [...new Set([...attributesOf(directory), ...more])];
  for (const base of directory.searchBases) {
    const entries = await findBelow(directory, { base, filter, attributes, sizeLimit: 2 });
    if (entries.length > 0) return entries.length === 1 ? entries[0] : undefined;
  }
  return undefined;
}

async function findUsers(directory: BoundDirectory, term: string): Promise<readonly KnownUser[]> {
  const users = new Map<string, KnownUser>();
  const filter = filterFor(directory.searchFilter, term);
  for (const base of directory.searchBases) {
    for (const entry of await findBelow(directory, { base, filter, attributes: attributesOf(directory), sizeLimit: MAX_FOUND_USERS })) {
      const [loginName] = nameAttributes(directory).flatMap((attribute) => valuesOf(entry, attribute));
      if (loginName === undefined || users.has(loginName.toLowerCase())) continue;
      users.set(loginName.toLowerCase(), toUser(entry, directory, loginName));
    }
  }
  return [...users.values()].slice(0, MAX_FOUND_USERS);
}

/** A refused search names its base: there may be several, and often one of them is mistyped. */
async function findBelow(directory: BoundDirectory, search: Search): Promise<readonly Entry[]> {
  try {
    return await directory.find(search);
  } catch (error) {
    const objection = objectionIn(error);
    throw objection === undefined ? error : new Error(`search base '${search.base}': ${objection}`);
  }
}

/** The attributes that are read of a user. */
function attributesOf(directory: Directory): readonly string[] {
  return [...new Set([directory.displayNameAttribute, directory.emailAttribute, ...nameAttributes(directory)])];
}

/** The attributes that can be the login name; the first that an entry has is it, unless the typed name is known. */
function nameAttributes({ userNameAttribute, loginFilter }: Directory): readonly string[] {
  return userNameAttribute === undefined ? [...comparedAttributes(loginFilter), ...DEFAULT_LOGIN_ATTRIBUTES] : [userNameAttribute];
}

/**
 * The login name as the directory writes it, because servers find entries regardless of case and of blanks at the ends,
 * and one person must not become several users. Undefined: the entry lacks the attribute that is the login name.
 */
function loginNameOf(entry: Entry, { userNameAttribute, loginFilter }: Directory, typed: string): string | undefined {
  if (userNameAttribute !== undefined) return valuesOf(entry, userNameAttribute)[0];
  const names = comparedAttributes(loginFilter).flatMap((attribute) => valuesOf(entry, attribute));
  return names.find((name) => isSame(name, typed)) ?? names[0] ?? typed;
}

/** An entry that was found by something else than the login name must be the only one of that name: people may write into their own. */
async function isNameOf(entry: Entry, directory: BoundDirectory, loginName: string): Promise<boolean> {
  return directory.userNameAttribute === undefined || (await findKnown(directory, loginName))?.dn === entry.dn;
}

function isSame(name: string | undefined, other: string): boolean {
  return name !== undefined && loginKey(name) === loginKey(other);
}

function toUser(entry: Entry, directory: Directory, loginName: string): KnownUser {
  const [displayName = loginName] = valuesOf(entry, directory.displayNameAttribute);
  const [email] = valuesOf(entry, directory.emailAttribute);
  return { loginName, displayName, email };
}
