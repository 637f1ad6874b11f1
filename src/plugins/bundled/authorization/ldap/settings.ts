// The settings that lead to an LDAP directory and say how its users are found.
import type { SettingField, SettingProblem, SettingValues } from '../../../../contracts/plugins/plugin.ts';
import { isTrue, readText } from '../../../setting-values.ts';
import { authorityIn, authorityProblem } from './authority.ts';
import { type Directory, isFilter } from './directory.ts';
import { comparedAttributes, filterFor, isAttributeName, normalFilter } from './filters.ts';

const MAX_TIMEOUT_SECONDS = 300;
const DEFAULT_SEARCH_FILTER = '(|(sAMAccountName=*{0}*)(uid=*{0}*)(cn=*{0}*)(mail=*{0}*)(otherMailbox=*{0}*))';
const DEFAULT_NAME_ATTRIBUTE = 'cn';
const DEFAULT_EMAIL_ATTRIBUTE = 'mail';
const DEFAULT_TIMEOUT_SECONDS = '5';

export const CONNECTION_FIELDS: readonly SettingField[] = [
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
];

/** The fields of the plugin that reads groups only. */
export const SECURITY_FIELDS: readonly SettingField[] = [
  {
    key: 'StartTLS',
    title: 'StartTLS',
    kind: 'boolean',
    defaultValue: 'false',
    description: 'Whether connections to `ldap://` are encrypted before anything is said on them.',
  },
  {
    key: 'Certificate',
    kind: 'multiline',
    description:
      'The certificate of the authority that has signed the one of the directory, as PEM; left out: an authority that the system trusts.',
  },
];

export const USER_NAME_FIELD: SettingField = {
  key: 'UserNameAttribute',
  required: true,
  description: 'The attribute that is the login name here, such as `uid` or `sAMAccountName`, even if users type something else to log in.',
};

export const SEARCH_FILTER_FIELD: SettingField = {
  key: 'UserSearchFilter',
  defaultValue: DEFAULT_SEARCH_FILTER,
  description: 'Finds users to add; `{0}` stands for what is looked for.',
};

export const LOGIN_FILTER_FIELD: SettingField = {
  key: 'UserLoginFilter',
  required: true,
  description: 'Finds who logs in; `{0}` stands for the login name: `(uid={0})`, in Active Directory `(sAMAccountName={0})`.',
};

export const PERSON_FIELDS: readonly SettingField[] = [
  { key: 'DisplayNameAttribute', defaultValue: DEFAULT_NAME_ATTRIBUTE },
  { key: 'EmailAttribute', defaultValue: DEFAULT_EMAIL_ATTRIBUTE },
  { key: 'SearchTimeout', kind: 'number', defaultValue: DEFAULT_TIMEOUT_SECONDS, description: 'Seconds.' },
];

export function checkSettings(settings: SettingValues): readonly SettingProblem[] {
  const problems: SettingProblem[] = [];
  const url = textOf(settings, 'Url');
  if (url !== '' && !parseAddress(url)) {
    problems.push({ key: 'Url', message: 'Url must start with ldap:// or ldaps:// and name a host.' });
  }
  if (textOf(settings, 'ManagerDN') !== '' && textOf(settings, 'Password') === '') {
    problems.push({ key: 'Password', message: 'Password cannot be blank when ManagerDN is provided.' });
  }
  for (const key of ['UserSearchFilter', 'UserLoginFilter']) {
    const template = normalFilter(textOf(settings, key));
    if (template !== '' && !(template.includes('{0}') && isFilter(filterFor(template, 'x')))) {
      problems.push({ key, message: `${key} must be an LDAP filter with {0} in the place of the name to look for.` });
    }
  }
  const userName = textOf(settings, 'UserNameAttribute');
  if (userName !== '' && !isAttributeName(userName)) {
    problems.push({ key: 'UserNameAttribute', message: 'UserNameAttribute must be the name of an attribute, such as uid.' });
  }
  const timeout = textOf(settings, 'SearchTimeout');
  if (timeout !== '' && !(/^\d{1,9}$/.test(timeout) && Number(timeout) >= 1 && Number(timeout) <= MAX_TIMEOUT_SECONDS)) {
    problems.push({ key: 'SearchTimeout', message: `SearchTimeout must be a number of seconds from 1 to ${MAX_TIMEOUT_SECONDS}.` });
  }
  if (isTrue(settings, 'StartTLS') && /^ldaps:/i.test(url)) {
    problems.push({ key: 'StartTLS', message: 'Cannot startTLS if using `ldaps://` URL.' });
  }
  const certificate = authorityProblem(readText(settings, 'Certificate'));
  return certificate === undefined ? problems : [...problems, { key: 'Certificate', message: certificate }];
}

export function readDirectory(settings: SettingValues): Directory {
  const [problem] = checkSettings(settings); // a configuration edited as a whole file has not passed this check
  if (problem) throw new Error(problem.message);
  const url = parseAddress(textOf(settings, 'Url'));
  if (!url) throw new Error('Url must not be blank.');
  const loginFilter = normalFilter(textOf(settings, 'UserLoginFilter'));
  return {
    url,
    searchBases: linesOf(settings, 'SearchBases'),
    managerDn: textOf(settings, 'ManagerDN'),
    managerPassword: readText(settings, 'Password'),
    loginFilter,
    searchFilter: normalFilter(textOf(settings, 'UserSearchFilter') || DEFAULT_SEARCH_FILTER),
    userNameAttribute: textOf(settings, 'UserNameAttribute') || firstOfSeveral(loginFilter),
    displayNameAttribute: textOf(settings, 'DisplayNameAttribute') || DEFAULT_NAME_ATTRIBUTE,
    emailAttribute: textOf(settings, 'EmailAttribute') || DEFAULT_EMAIL_ATTRIBUTE,
    timeoutSeconds: Number(textOf(settings, 'SearchTimeout') || DEFAULT_TIMEOUT_SECONDS),
    security: { startsTls: isTrue(settings, 'StartTLS'), authority: authorityIn(readText(settings, 'Certificate')) },
  };
}

/**
 * Of several attributes that may be typed, the first is the login name. People may write into some of the others, such as their mail
 * address, and would choose whom they log in as.
 */
function firstOfSeveral(loginFilter: string): string | undefined {
  const [first, ...others] = comparedAttributes(loginFilter);
  return others.some((other) => other.toLowerCase() !== first?.toLowerCase()) ? first : undefined;
}

export function textOf(settings: SettingValues, key: string): string {
  return readText(settings, key).trim();
}

export function linesOf(settings: SettingValues, key: string): readonly string[] {
  return readText(settings, key)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

function parseAddress(text: string): URL | undefined {
  const url = URL.parse(text);
  return url && /^ldaps?:\/\//i.test(text) && url.hostname !== '' ? url : undefined;
}
