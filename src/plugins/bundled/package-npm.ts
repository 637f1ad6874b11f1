// Describes the plugin that watches packages of an npm registry.
import type { Plugin } from '../../contracts/plugins/plugin.ts';
import { checkRepository, repositoryFields, tokenField } from './package-repository-settings.ts';

export const npmPackagePlugin = {
  id: 'slipway.package.npm',
  kind: 'package-repository',
  name: 'npm packages',
  version: '1.0.0',
  description: 'Notices new versions of packages in an npm registry.',
  vendor: 'Slipway',
  blocks: {
    repository: { fields: [...repositoryFields, tokenField], check: checkRepository },
    package: { fields: [{ key: 'PACKAGE_NAME', required: true }, { key: 'DIST_TAG' }] },
  },
} satisfies Plugin;
