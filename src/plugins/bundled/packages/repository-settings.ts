// The settings every bundled package plugin needs to reach its repository over HTTP, and their rules.
import type { SettingField, SettingProblem, SettingValues } from '../../../contracts/plugins/plugin.ts';
import { isBlank, readText } from '../../setting-values.ts';
import { RepositoryFailure } from './check-result.ts';

export const repositoryFields: readonly SettingField[] = [
  { key: 'REPO_URL', required: true, title: 'URL', description: 'The address of the repository, without a login.' },
  { key: 'USERNAME', isPartOfIdentity: false, title: 'User name' },
  { key: 'PASSWORD', secure: true, isPartOfIdentity: false },
];

export const tokenField: SettingField = {
  key: 'TOKEN',
  secure: true,
  isPartOfIdentity: false,
  description: 'Instead of a user name and a password.',
};

/** Where the repository is: addresses in it are made with `below`. */
export function repositoryUrl(repository: SettingValues): URL {
  return new URL(readText(repository, 'REPO_URL').trim());
}

/** An address below another one. Credentials are for the repository, so one that leaves it is refused. */
export function addressBelow(url: URL, path: string, what = 'What is asked for'): URL {
  const folder = new URL(url);
  if (!folder.pathname.endsWith('/')) folder.pathname += '/';
  const found = URL.parse(path, folder.href);
  if (found?.origin === folder.origin && found.pathname.startsWith(folder.pathname)) return found;
  throw new RepositoryFailure(`${what} must lead to a place below REPO_URL.`);
}

/** The credentials as an `Authorization` header; undefined: the repository is open to all. */
export function authorizationOf(repository: SettingValues): string | undefined {
  if (!isBlank(repository, 'TOKEN')) return `Bearer ${readText(repository, 'TOKEN').trim()}`;
  if (isBlank(repository, 'USERNAME')) return undefined;
  const credentials = `${readText(repository, 'USERNAME')}:${readText(repository, 'PASSWORD')}`;
  return `Basic ${Buffer.from(credentials).toString('base64')}`;
}

export function checkRepository(values: SettingValues): readonly SettingProblem[] {
  return [...checkRepositoryUrl(values), ...checkCredentials(values)];
}

function checkRepositoryUrl(values: SettingValues): readonly SettingProblem[] {
  const key = 'REPO_URL';
  if (isBlank(values, key)) return [];
  const url = URL.parse(readText(values, key));
  if (url === null || !['http:', 'https:'].includes(url.protocol)) return [{ key, message: `${key} must be a valid http or https URL.` }];
  // A URL is stored and shown in clear text, so a password inside it would not stay secret.
  if (url.username !== '' || url.password !== '') {
    return [{ key, message: `${key} must not contain credentials. Please use USERNAME and PASSWORD.` }];
  }
  return [];
}

function checkCredentials(values: SettingValues): readonly SettingProblem[] {
  const isNameless = isBlank(values, 'USERNAME') && !isBlank(values, 'PASSWORD');
  return isNameless ? [{ key: 'USERNAME', message: 'USERNAME cannot be blank when PASSWORD is provided.' }] : [];
}
