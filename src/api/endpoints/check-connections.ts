// The connections that can be tried out: which plugin is asked for each, and with which settings.
import type { PackagePlugin } from '../../contracts/plugins/package-repository.ts';
import type { SettingValues } from '../../contracts/plugins/plugin.ts';
import type { ScmPlugin } from '../../contracts/plugins/scm.ts';
import { tryOut } from '../../materials/plugin/try-out.ts';
import type { Property } from '../../shape/properties.ts';
import type { Collection, Entity, Kind } from '../../shape/resource.ts';
import type { ResourceParts } from '../resource-parts.ts';
import type { Route } from '../route.ts';
import { checkConnectionRoute } from './check-connection.ts';

export interface AskedPlugins {
  packageRepository(id: string): PackagePlugin | undefined;
  scm(id: string): ScmPlugin | undefined;
  clearValues(properties: readonly Property[]): SettingValues;
}

export function checkConnectionRoutes(plugins: AskedPlugins, parts: ResourceParts): Route[] {
  const { config } = parts;
  const kindNamed = (name: string) => config.kinds.get(name) as Kind & Collection;
  const valuesOf = (entity: Entity) => plugins.clearValues(entity.configuration as readonly Property[]);
  return [
    checkConnectionRoute(
      {
        kind: kindNamed('packageRepositories'),
        path: '/api/admin/internal/repositories/verify_connection',
        summary: 'Try out a package repository without saving it',
        member: 'package_repository',
        works: 'Connection OK.',
        fails: 'Could not connect to package repository.',
        failsWith: 400,
        exampleMessage: 'The registry answers.',
        ask: (repository, tools) =>
          plugins.packageRepository(pluginOf(repository))?.checkRepository(valuesOf(repository), tools) ?? missing(pluginOf(repository)),
      },
      parts,
    ),
    checkConnectionRoute(
      {
        kind: kindNamed('packages'),
        path: '/api/admin/internal/packages/verify_connection',
        summary: 'Try out a package without saving it',
        member: 'package',
        works: 'OK.',
        fails: 'Package check Failed.',
        failsWith: 400,
        exampleMessage: 'Found version 1.3.0 of left-pad.',
        ask: (one, tools) => {
          const repositoryId = String(one.packageRepo);
          const repository = config.of('packageRepositories').find(repositoryId)?.value;
          if (!repository) return `Package repository with id '${repositoryId}' was not found!`;
          const plugin = plugins.packageRepository(pluginOf(repository));
          return plugin?.checkPackage({ repository: valuesOf(repository), package: valuesOf(one) }, tools) ?? missing(pluginOf(repository));
        },
      },
      parts,
    ),
    checkConnectionRoute(
      {
        kind: kindNamed('scms'),
        path: '/api/admin/internal/scms/verify_connection',
        summary: 'Try out an SCM without saving it',
        member: 'scm',
        works: 'Connection OK.',
        fails: 'Check connection failed.',
        failsWith: 422,
        exampleMessage: 'The repository has the branch main.',
        exampleParts: {
          plugin_metadata: { id: 'git-path', version: '1.0.0' },
          configuration: [
            { key: 'url', value: 'https://scm.example.org/tools.git' },
            { key: 'path', value: 'compiler, linker' },
            { key: 'branch', value: 'main' },
          ],
        },
        ask: (scm, tools) => {
          const plugin = plugins.scm(pluginOf(scm));
          return plugin ? tryOut(plugin, valuesOf(scm), tools) : missing(pluginOf(scm));
        },
      },
      parts,
    ),
  ];
}

const missing = (pluginId: string) => `Plugin with id '${pluginId}' is not found.`;

function pluginOf({ pluginMetadata }: Entity): string {
  return (pluginMetadata as { readonly id: string }).id;
}
