// The connections that can be tried out: which plugin is asked for each, and with which settings.
import type { CheckResult, PackagePlugin } from '../../../contracts/plugins/package-repository.ts';
import type { SettingValues } from '../../../contracts/plugins/plugin.ts';
import type { ScmPlugin } from '../../../contracts/plugins/scm.ts';
import type { MaterialRules } from '../../../materials/clients/client.ts';
import { checkPluginRepository } from '../../../materials/types/plugin/check-repository.ts';
import { type Referrer, SecretProblem, type SecretReferences } from '../../../plugins/secret-references.ts';
import type { EntityNamed } from '../../../shape/configuration.ts';
import type { Property } from '../../../shape/properties.ts';
import type { ResourceParts } from '../../engine/resource-parts.ts';
import type { Route } from '../../engine/route.ts';
import { type ConnectionRules, checkConnectionRoute } from './check.ts';

type ConfiguredEntity = EntityNamed<'packageRepositories' | 'packages' | 'scms'>;

export interface ConnectionPlugins {
  packageRepository(id: string): PackagePlugin | undefined;
  scm(id: string): ScmPlugin | undefined;
  clearValues(properties: readonly Property[]): SettingValues;
}

export function checkConnectionRoutes(
  plugins: ConnectionPlugins,
  secrets: SecretReferences,
  rules: MaterialRules,
  asking: Pick<ConnectionRules, 'findProblems' | 'lanes'>,
  parts: ResourceParts,
): Route[] {
  const { config } = parts;
  const configuredIn = ({ configuration }: ConfiguredEntity) => plugins.clearValues(configuration);
  const valuesOf = (entity: ConfiguredEntity, type: Referrer['type'], { name } = entity) =>
    secrets.resolveAll(configuredIn(entity), { type, name });
  return [
    checkConnectionRoute(
      {
        kind: config.collection('packageRepositories'),
        path: '/api/admin/internal/repositories/verify_connection',
        summary: 'Try out a package repository without saving it',
        member: 'package_repository',
        works: 'Connection OK.',
        fails: 'Could not connect to package repository.',
        failsWith: 400,
        exampleMessage: 'The registry answers.',
        ask: (repository, tools) =>
          unlessMissing(plugins.packageRepository(pluginOf(repository)), pluginOf(repository), async (plugin) =>
            plugin.checkRepository(await valuesOf(repository, 'package_repository'), tools),
          ),
      },
      { networkPolicy: rules.networkPolicy, ...asking },
      parts,
    ),
    checkConnectionRoute(
      {
        kind: config.collection('packages'),
        path: '/api/admin/internal/packages/verify_connection',
        summary: 'Try out a package without saving it',
        member: 'package',
        works: 'OK.',
        fails: 'Package check Failed.',
        failsWith: 400,
        exampleMessage: 'Found version 1.3.0 of left-pad.',
        ask: async (one, tools) => {
          const repositoryId = one.packageRepo;
          const repository = config.of('packageRepositories').find(repositoryId)?.value;
          if (!repository) return `Package repository with id '${repositoryId}' was not found!`;
          return unlessMissing(plugins.packageRepository(pluginOf(repository)), pluginOf(repository), async (plugin) => {
            const [ofRepository, ofPackage] = [repository, one].map((entity) => valuesOf(entity, 'package_repository', repository));
            return plugin.checkPackage({ repository: await ofRepository!, package: await ofPackage! }, tools);
          });
        },
      },
      { networkPolicy: rules.networkPolicy, ...asking },
      parts,
    ),
    checkConnectionRoute(
      {
        kind: config.collection('scms'),
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
        ask: (scm, tools) =>
          unlessMissing(plugins.scm(pluginOf(scm)), pluginOf(scm), async (plugin) =>
            checkPluginRepository(plugin, await valuesOf(scm, 'pluggable_scm'), configuredIn(scm), tools, rules),
          ),
      },
      { networkPolicy: rules.networkPolicy, ...asking },
      parts,
    ),
  ];
}

/** The result of the check by the plugin, or why it cannot be asked: it is not there, or a secret cannot be had. */
async function unlessMissing<P>(
  plugin: P | undefined,
  id: string,
  ask: (plugin: P) => Promise<CheckResult>,
): Promise<CheckResult | string> {
  if (!plugin) return `Plugin with id '${id}' is not found.`;
  try {
    return await ask(plugin);
  } catch (failure) {
    if (failure instanceof SecretProblem) return failure.message;
    throw failure;
  }
}

function pluginOf({ pluginMetadata }: EntityNamed<'packageRepositories' | 'scms'>): string {
  return pluginMetadata.id;
}
