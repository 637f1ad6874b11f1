// Describes the plugin that watches packages of a Debian archive.
import type { Plugin } from '../../contracts/plugins/plugin.ts';
import { plainFields } from '../setting-values.ts';
import { checkRepository, repositoryFields } from './package-repository-settings.ts';

export const debianPackagePlugin = {
  id: 'slipway.package.debian',
  kind: 'package-repository',
  name: 'Debian packages',
  version: '1.0.0',
  description: 'Notices new versions of packages in a Debian archive.',
  vendor: 'Slipway',
  blocks: {
    repository: {
      fields: [...repositoryFields, { key: 'SUITE', required: true }, ...plainFields('COMPONENT', 'ARCHITECTURE')],
      check: checkRepository,
    },
    package: { fields: [{ key: 'PACKAGE_NAME', required: true }] },
  },
} satisfies Plugin;
