// Describes the plugin that watches a version number inside any JSON document served over HTTP.
import type { Plugin, SettingProblem, SettingValues } from '../../contracts/plugins/plugin.ts';
import { isBlank, readText } from '../setting-values.ts';
import { checkRepository, repositoryFields, tokenField } from './package-repository-settings.ts';

export const httpJsonPackagePlugin = {
  id: 'slipway.package.http-json',
  kind: 'package-repository',
  name: 'Versions in JSON documents',
  version: '1.0.0',
  description: 'Notices when a version named in a JSON document on a web server changes.',
  vendor: 'Slipway',
  blocks: {
    repository: { fields: [...repositoryFields, tokenField], check: checkRepository },
    package: {
      fields: [
        { key: 'PACKAGE_PATH', required: true },
        { key: 'REVISION_POINTER', required: true },
      ],
      check: checkPointer,
    },
  },
} satisfies Plugin;

function checkPointer(values: SettingValues): readonly SettingProblem[] {
  const key = 'REVISION_POINTER';
  if (isBlank(values, key) || isJsonPointer(readText(values, key))) return [];
  return [{ key, message: `${key} must be a JSON pointer, for example /latest/version.` }];
}

function isJsonPointer(text: string): boolean {
  return /^\/([^~]|~[01])*$/.test(text);
}
