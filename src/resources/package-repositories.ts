// Package repositories: where packages come from, through a plugin.
import { required } from '../shape/field.ts';
import { checkedText, optionalIdentifier } from '../shape/fields.ts';
import { described, embedded, LINKS, objectSchema, TEXT } from '../shape/json/schemas.ts';
import { idsOf, messagesOf } from '../shape/problems/messages.ts';
import { properties, settingsIdentity, UNSECURED } from '../shape/properties.ts';
import { collection, type Lookup, type ReferrersView } from '../shape/resource.ts';
import { linksTo } from './parts/link-to.ts';
import { nameRule } from './parts/name-rule.ts';
import { BY_PLUGIN_METADATA, pluginMetadata, pluginMetadataRule } from './parts/plugin-metadata.ts';

interface View extends ReferrersView {
  readonly packages: Lookup<{ readonly id: string; readonly name: string }>;
}

/** How the packages in it begin to say that they are in another repository already. */
const DUPLICATE_PACKAGES = 'Cannot save package or repo';
const MESSAGES = messagesOf({ entity: 'package repository', by: 'id', short: 'package repository', tag: 'repository' });

export const packageRepositories = collection({
  title: 'Package repository',
  about: 'Where packages come from, through a package plugin.',
  path: '/api/admin/repositories',
  version: 1,
  permission: 'groupAdmin',
  doc: 'package-repositories',
  links: ['self', 'doc', 'find'],
  listLinks: ['self', 'doc'],
  listKey: 'package_repositories',
  id: 'repoId',
  idParameter: 'repo_id',
  generatesId: true,
  needsIfMatch: true,
  isParsedFirst: true,
  fields: {
    repoId: optionalIdentifier('ID'),
    name: required(checkedText({ description: 'Unique among repositories, case-insensitive.' })),
    pluginMetadata: pluginMetadata(),
    configuration: properties({
      owner: 'Repository',
      plugin: { kind: 'package-repository', block: 'repository', namedIn: ['plugin_metadata', 'id'] },
      sentTo: (member) => member('pluginMetadata'),
      ownerId: 'name',
      unsecured: UNSECURED,
    }),
  },
  plugin: { kind: 'package-repository', block: 'repository', ...BY_PLUGIN_METADATA },
  rules: [nameRule('PackageRepository'), pluginMetadataRule('Please select package repository plugin')],
  // The parts that distinguish its packages from those of other repositories.
  visibleParts: ({ pluginMetadata: { id }, configuration }) => [id, settingsIdentity(configuration)],
  claims: ({ name }) => [
    {
      to: name.toLowerCase(),
      at: ['name'],
      taken: `You have defined multiple repositories called '${name}'. Repository names are case-insensitive and must be unique.`,
    },
  ],
  shows: {
    kinds: ['packages'],
    members: { kind: 'packages', field: 'packageRepo' },
    isPartOfEtag: true,
    response: {
      _embedded: embedded({
        packages: {
          type: 'array',
          description: 'The packages of the repository.',
          items: objectSchema({
            _links: LINKS,
            name: described(TEXT, 'The name of the package.'),
            id: described(TEXT, 'Its id.'),
          }),
        },
      }),
    },
    add: ({ repoId }, { referrers, packages }: View, { base }) => ({
      _embedded: {
        packages: [...referrers('packageRepositories', repoId)].flatMap(({ id }) => {
          const found = packages.get(id);
          return found ? [{ ...linksTo(base, '/api/admin/packages', id, 'packages', 'package_id'), name: found.name, id }] : [];
        }),
      },
    }),
  },
  messages: {
    ...MESSAGES,
    invalid: (id, problems, operation) =>
      problems.find(({ message }) => message.startsWith(DUPLICATE_PACKAGES))?.message ?? MESSAGES.invalid(id, problems, operation),
    duplicateId: (id) => `Package repository with id '${id}' already exists.`,
    renamed: 'Changing the repository id is not supported by this API.',
    inUse: (id, users) => `Cannot delete the package repository '${id}' as it is used by pipeline(s): '${idsOf(users).toLowerCase()}'`,
  },
  example: {
    repo_id: 'npm-internal',
    name: 'npm-internal',
    plugin_metadata: { id: 'slipway.package.npm', version: '1.0.0' },
    configuration: [{ key: 'REPO_URL', value: 'https://npm.example.org' }],
  },
});
