// Knows users from an LDAP directory: finds the entry of a login name, then binds as that entry.
import { Client, type Entry, type Filter, FilterParser, ResultCodeError } from 'ldapts';
import type { KnownUser, PasswordPlugin } from '../../../contracts/plugins/authorization.ts';
import type { SettingProblem, SettingValues } from '../../../contracts/plugins/plugin.ts';
import { ldapConnection } from './ldap-connection.ts';

interface Directory {
  readonly url: URL;
  readonly searchBases: readonly string[];
  readonly managerDn: string;
  readonly managerPassword: string;
  readonly loginFilter: string;
  readonly searchFilter: string;
  readonly displayNameAttribute: string;
  readonly emailAttribute: string;
  readonly timeoutSeconds: number;
}

const CONNECT_TIMEOUT_MS = 5_000;
const MAX_TIMEOUT_SECONDS = 300;
const MAX_FOUND_USERS = 100;
const DEFAULT_SEARCH_FILTER = '(|(sAMAccountName=*{0}*)(uid=*{0}*)(cn=*{0}*)(mail=*{0}*)(otherMailbox=*{0}*))';
const DEFAULT_NAME_ATTRIBUTE = 'cn';
const DEFAULT_EMAIL_ATTRIBUTE = 'mail';
const DEFAULT_TIMEOUT_SECONDS = '5';
const USUAL_LOGIN_ATTRIBUTES = ['sAMAccountName', 'uid'];
const LOGIN_OF_NOBODY = 'slipway-connection-check';

/**
 * The answers to a bind that are about the user, not about the server: constraint violation (a locked account), no such object,
 * inappropriate authentication (an entry without a password), invalid credentials, insufficient access, unwilling to perform.
 */
const REFUSED_BIND_CODES: ReadonlySet<number> = new Set([19, 32, 48, 49, 50, 53]);

export const ldap: PasswordPlugin = {
  id: 'cd.go.authentication.ldap',
  kind: 'authorization',
  name: 'LDAP Authentication',
  version: '1.0.0',
  description: 'Users of an LDAP directory, such as OpenLDAP or Active Directory.',
  vendor: 'Slipway',
  blocks: {
    auth_config: {
      fields: [
        { key: 'Url', required: true, description: 'Where the directory answers, such as `ldaps://ldap.example.com`.' },
        {
          key: 'SearchBases',
          required: true,
          kind: 'multiline',
          description: 'Where users are looked for, such as `ou=people,dc=example,dc=com`; one to a line.',
        },
        {
          key: 'ManagerDN',
          description: 'The account that looks for users, such as `cn=reader,dc=example,dc=com`; left out: an anonymous one.',
        },
        { key: 'Password', secure: true, title: 'Manager password' },
        {
          key: 'UserSearchFilter',
          usual: DEFAULT_SEARCH_FILTER,
          description: 'Finds users to add; `{0}` stands for what is looked for.',
        },
        {
          key: 'UserLoginFilter',
          required: true,
          description: 'Finds who logs in; `{0}` stands for the login name: `(uid={0})`, in Active Directory `(sAMAccountName={0})`.',
        },
        { key: 'DisplayNameAttribute', usual: DEFAULT_NAME_ATTRIBUTE },
        { key: 'EmailAttribute', usual: DEFAULT_EMAIL_ATTRIBUTE },
        { key: 'SearchTimeout', kind: 'number', usual: DEFAULT_TIMEOUT_SECONDS, description: 'Seconds.' },
      ],
      unknownKey: 'Is an unknown property',
      check: checkSettings,
    },
  },
  capabilities: { supported_auth_type: 'Password', can_search: true, can_authorize: false },

  async authenticate(login, password, settings) {
    // A bind with an empty password is an anonymous one, which servers answer with success (RFC 4513, 5.1.2).
    if (password === '' || login.trim() === '') return undefined;
    return withDirectory(settings, async (client, directory) => {
      const entry = await findEntry(client, directory, login);
      if (!entry || !(await bindSucceeds(client, entry.dn, password))) return undefined;
      return toUser(entry, directory, loginNameOf(entry, comparedAttributesOf(directory), login) ?? login);
    });
  },

  async isUser(login, settings) {
    if (login.trim() === '') return false;
    return withDirectory(settings, async (client, directory) => (await findEntry(client, directory, login)) !== undefined);
  },

  async search(term, settings) {
    if (term.trim() === '') return [];
    return withDirectory(settings, (client, directory) => findUsers(client, directory, term));
  },

  async verifyConnection(settings) {
    try {
      // A search that finds nobody goes through everything a login needs: the manager, the filter and every search base.
      await withDirectory(settings, (client, directory) => findEntry(client, directory, LOGIN_OF_NOBODY));
      return { ok: true };
    } catch (error) {
      return { ok: false, reason: (error as Error).message };
    }
  },
};

function checkSettings(settings: SettingValues): readonly SettingProblem[] {
  const problems: SettingProblem[] = [];
  const url = textOf(settings, 'Url');
  if (url !== '' && !parseAddress(url)) {
    problems.push({ key: 'Url', message: 'Url must start with ldap:// or ldaps:// and name a host.' });
  }
  if (textOf(settings, 'ManagerDN') !== '' && textOf(settings, 'Password') === '') {
    problems.push({ key: 'Password', message: 'Password cannot be blank when ManagerDN is provided.' });
  }
  for (const key of ['UserSearchFilter', 'UserLoginFilter']) {
    const template = textOf(settings, key);
    if (template !== '' && !(template.includes('{0}') && composeFilter(template, 'x'))) {
      problems.push({ key, message: `${key} must be an LDAP filter with {0} in the place of the name to look for.` });
    }
  }
  const timeout = textOf(settings, 'SearchTimeout');
  if (timeout !== '' && !(/^\d{1,9}$/.test(timeout) && Number(timeout) >= 1 && Number(timeout) <= MAX_TIMEOUT_SECONDS)) {
    problems.push({ key: 'SearchTimeout', message: `SearchTimeout must be a number of seconds from 1 to ${MAX_TIMEOUT_SECONDS}.` });
  }
  return problems;
}

function readDirectory(settings: SettingValues): Directory {
  const [problem] = checkSettings(settings); // a configuration edited as a whole file has not passed this check
  if (problem) throw new Error(problem.message);
  const url = parseAddress(textOf(settings, 'Url'));
  if (!url) throw new Error('Url must not be blank.');
  return {
    url,
    searchBases: textOf(settings, 'SearchBases')
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== ''),
    managerDn: textOf(settings, 'ManagerDN'),
    managerPassword: settings.get('Password') ?? '',
    loginFilter: withParentheses(textOf(settings, 'UserLoginFilter')),
    searchFilter: withParentheses(textOf(settings, 'UserSearchFilter') || DEFAULT_SEARCH_FILTER),
    displayNameAttribute: textOf(settings, 'DisplayNameAttribute') || DEFAULT_NAME_ATTRIBUTE,
    emailAttribute: textOf(settings, 'EmailAttribute') || DEFAULT_EMAIL_ATTRIBUTE,
    timeoutSeconds: Number(textOf(settings, 'SearchTimeout') || DEFAULT_TIMEOUT_SECONDS),
  };
}

/** Runs a task on a connection that is bound as the manager, or anonymous without one. */
async function withDirectory<T>(settings: SettingValues, task: (client: Client, directory: Directory) => Promise<T>): Promise<T> {
  const directory = readDirectory(settings);
  const { url, managerDn, managerPassword, timeoutSeconds } = directory;
  const client = new Client({
    url: `${url.protocol}//${url.host}`,
    connectTimeout: CONNECT_TIMEOUT_MS,
    timeout: timeoutSeconds * 1000,
    ...ldapConnection(url),
  });
  try {
    if (managerDn !== '' && !(await bindSucceeds(client, managerDn, managerPassword))) {
      throw new Error('it refused ManagerDN with its Password.');
    }
    return await task(client, directory);
  } catch (error) {
    throw new Error(`LDAP server ${url.host}: ${reasonOf(error)}`);
  } finally {
    await Promise.allSettled([client.unbind()]); // what was asked is answered; a connection that breaks while it closes changes nothing
  }
}

async function bindSucceeds(client: Client, dn: string, password: string): Promise<boolean> {
  if (dn === '') return false; // an empty name binds anonymously, whatever the password
  try {
    await client.bind(dn, password);
    return true;
  } catch (error) {
    if (error instanceof ResultCodeError && REFUSED_BIND_CODES.has(error.code)) return false;
    throw error;
  }
}

/** The one entry of a login name in the first search base that has any; undefined when several have the same name. */
async function findEntry(client: Client, directory: Directory, login: string): Promise<Entry | undefined> {
  for (const base of directory.searchBases) {
    const entries = await findEntries(client, directory, base, directory.loginFilter, login, 2);
    if (entries.length > 0) return entries.length === 1 ? entries[0] : undefined;
  }
  return undefined;
}

async function findUsers(client: Client, directory: Directory, term: string): Promise<readonly KnownUser[]> {
  const users = new Map<string, KnownUser>();
  for (const base of directory.searchBases) {
    for (const entry of await findEntries(client, directory, base, directory.searchFilter, term, MAX_FOUND_USERS)) {
      const loginName = loginNameOf(entry, [...comparedAttributesOf(directory), ...USUAL_LOGIN_ATTRIBUTES]);
      if (loginName === undefined || users.has(loginName.toLowerCase())) continue;
      users.set(loginName.toLowerCase(), toUser(entry, directory, loginName));
    }
  }
  return [...users.values()].slice(0, MAX_FOUND_USERS);
}

async function findEntries(
  client: Client,
  directory: Directory,
  base: string,
  template: string,
  name: string,
  sizeLimit: number,
): Promise<readonly Entry[]> {
  const { displayNameAttribute, emailAttribute, timeoutSeconds } = directory;
  const filter = composeFilter(template, name);
  if (!filter) throw new Error('the search filter cannot be read.');
  const attributes = [...new Set([displayNameAttribute, emailAttribute, ...comparedAttributesOf(directory), ...USUAL_LOGIN_ATTRIBUTES])];
  return (await client.search(base, { filter, attributes, sizeLimit, timeLimit: timeoutSeconds })).searchEntries;
}

function composeFilter(template: string, name: string): Filter | undefined {
  try {
    return FilterParser.parseString(withParentheses(template).replaceAll('{0}', () => escapeForFilter(name)));
  } catch {
    return undefined; // the parser's message repeats the whole filter, with the name in it
  }
}

/** RFC 4515, section 3. */
const escapeForFilter = (text: string): string =>
  [...text].map((char) => ('\\*()\0'.includes(char) ? `\\${char.charCodeAt(0).toString(16).padStart(2, '0')}` : char)).join('');

const withParentheses = (filter: string): string => (filter.startsWith('(') ? filter : `(${filter})`);

/** The attributes that the login filter compares with the login name. */
function comparedAttributesOf({ loginFilter }: Directory): readonly string[] {
  return [...loginFilter.matchAll(/\(([\w-]+)=\{0\}\)/g)].map((match) => match[1] as string);
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

function valuesOf(entry: Entry, attribute: string): readonly string[] {
  const values = Object.entries(entry).find(([name]) => name.toLowerCase() === attribute.toLowerCase())?.[1];
  return [values].flat().filter((value) => typeof value === 'string' && value !== '') as string[];
}

function parseAddress(text: string): URL | undefined {
  const url = URL.parse(text);
  return url && /^ldaps?:\/\//i.test(text) && url.hostname !== '' ? url : undefined;
}

const textOf = (settings: SettingValues, key: string): string => settings.get(key)?.trim() ?? '';

function reasonOf(error: unknown): string {
  // The server's own words are left out: nothing says that they repeat no part of what it was sent.
  if (error instanceof ResultCodeError) return `it answered with result code ${error.code} (${error.name.replace(/Error$/, '')}).`;
  if (!(error instanceof Error)) return String(error);
  return error.message || ((error as NodeJS.ErrnoException).code ?? error.name); // a failed connection to several addresses has no message
}
