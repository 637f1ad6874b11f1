// The settings every bundled package plugin needs to reach its repository over HTTP, and their rules.
import type { SettingField, SettingProblem, SettingValues } from '../../contracts/plugins/plugin.ts';
import { isBlank, readText } from '../setting-values.ts';

export const repositoryFields: readonly SettingField[] = [
  { key: 'REPO_URL', required: true },
  { key: 'USERNAME' },
  { key: 'PASSWORD', secure: true },
];

export const tokenField: SettingField = { key: 'TOKEN', secure: true };

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
