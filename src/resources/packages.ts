// Packages: materials of pipelines in a package repository.
import { type Field, required } from '../shape/field.ts';
import { checkedText, flag, optionalIdentifier, text } from '../shape/fields.ts';
import { missing, readObject } from '../shape/json/reading.ts';
import { described, LINKS, objectSchema, TEXT } from '../shape/json/schemas.ts';
import { idsOf, messagesOf } from '../shape/problems/messages.ts';
import type { Problem } from '../shape/problems/problem.ts';
import { type Property, properties, UNSECURED } from '../shape/properties.ts';
import { collection, type Lookup, type PluginsView, type TagsView } from '../shape/resource.ts';
import { linksTo } from './parts/link-to.ts';
import { nameRule } from './parts/name-rule.ts';
import { duplicateCandidates, type PolledSettings, polledIdentity, settingTags } from './parts/polled-identity.ts';

interface Package {
  readonly id: string;
  readonly name: string;
  readonly packageRepo: string;
  readonly configuration: readonly Property[];
}

interface View extends TagsView, PluginsView {
  readonly packages: Lookup<Package>;
  readonly packageRepositories: Lookup<Repository>;
}

interface Repository {
  readonly name: string;
  readonly pluginMetadata: { readonly id: string };
  readonly configuration: readonly Property[];
}

const TAG_PREFIX = 'setting of package';
const NO_REPOSITORY = 'Package repository with id';
const repositoryId = text({ description: 'The repository.' });

/** In requests only the id counts; answers show the name of the repository, too. */
const repository: Field<string> = {
  read: (cursor, name) => {
    const before = cursor.reading.problems.length;
    const holder = readObject(cursor, name);
    if (!holder) return (cursor.reading.problems.length === before && missing(cursor, name)) || '';
    return repositoryId.read({ ...cursor, holder, path: [...cursor.path, name] }, 'id');
  },
  write: (id, name, out) => {
    out[name] = { id };
  },
  describe: (name) => {
    const schema = {
      type: 'object',
      'x-label': 'Package repository',
      description: 'The repository it is in.',
      required: ['id'],
      properties: {
        id: { type: 'string', 'x-label': 'Repository', description: 'The id of the repository.' },
        name: { type: 'string', readOnly: true, description: 'Its name.' },
      },
    };
    return { request: { [name]: schema }, response: { [name]: schema }, required: [name] };
  },
};

export const packages = collection({
  title: 'Package',
  about: 'What pipelines wait for in a package repository.',
  path: '/api/admin/packages',
  version: 2,
  permission: 'groupAdmin',
  doc: 'packages',
  links: ['self', 'doc', 'find'],
  listLinks: ['self', 'doc'],
  listKey: 'packages',
  id: 'id',
  idParameter: 'package_id',
  generatesId: true,
  needsIfMatch: true,
  isParsedFirst: true,
  fields: {
    name: required(checkedText({ description: 'Unique in its repository, case-insensitive.' })),
    id: optionalIdentifier(),
    autoUpdate: flag(true, { label: 'Poll for new versions', description: 'Whether to poll for new versions.' }),
    packageRepo: repository,
    configuration: properties({
      owner: 'Package',
      plugin: { kind: 'package-repository', block: 'package', namedIn: ['package_repo', 'id'], through: 'repositories' },
      sentTo: (member) => member('packageRepo'),
      ownerId: 'name',
      unsecured: UNSECURED,
    }),
  },
  plugin: {
    kind: 'package-repository',
    block: 'package',
    settings: 'configuration',
    of: ({ packageRepo }, { packageRepositories }: View) => packageRepositories.get(packageRepo ?? '')?.pluginMetadata.id,
  },
  rules: [nameRule('Package', 'Package name is mandatory'), (one, view: View) => duplicateProblems(one, view)],
  tags: ({ configuration }) => settingTags(TAG_PREFIX, configuration),
  linkRules: { packageRepositories: { problems: duplicateProblems, isTransitive: false } },
  refersTo: ({ packageRepo }) => [
    {
      kind: 'packageRepositories',
      id: packageRepo,
      at: ['package_repo', 'id'],
      unknown: `${NO_REPOSITORY} '${packageRepo}' was not found!`,
      isOwner: true,
    },
  ],
  claims: ({ name, packageRepo }) => [
    {
      to: `${packageRepo}\n${name.toLowerCase()}`,
      at: ['name'],
      taken: `You have defined multiple packages called '${name}'. Package names are case-insensitive and must be unique within a repository.`,
    },
  ],
  shows: {
    kinds: ['packageRepositories'],
    isPartOfEtag: false,
    response: {
      package_repo: described(
        objectSchema({ _links: LINKS, id: described(TEXT, 'The id of the repository.'), name: described(TEXT, 'Its name.') }),
        'The repository it is in.',
      ),
    },
    add: ({ packageRepo }, { packageRepositories }: View, { base }) => ({
      package_repo: {
        ...linksTo(base, '/api/admin/repositories', packageRepo, 'package-repositories', 'repo_id'),
        id: packageRepo,
        name: packageRepositories.get(packageRepo)?.name ?? '',
      },
    }),
  },
  messages: {
    ...messagesOf({ entity: 'package definition', by: 'id', short: 'packageDefinition', tag: 'package' }),
    duplicateId: (id) => `Package definition with id '${id}' already exists.`,
    renamed: 'Changing the package id is not supported by this API.',
    inUse: (id, users) => `Cannot delete the package definition '${id}' as it is used by pipeline(s): '${idsOf(users).toLowerCase()}'`,
    invalid: (id, problems) =>
      problems.find(({ message }) => message.startsWith(NO_REPOSITORY))?.message ??
      `Validations failed for package '${id}'. Error(s): [Validation failed.]. Please correct and resubmit.`,
  },
  example: {
    name: 'left-pad',
    id: 'left-pad',
    auto_update: true,
    package_repo: { id: 'npm-internal' },
    configuration: [{ key: 'PACKAGE_NAME', value: 'left-pad' }],
  },
});

/** A package without settings has no identity, so it equals no other. */
function duplicateProblems(one: Package, view: View): Problem[] {
  const { packages: all, packageRepositories } = view;
  const isInSame = sameRepositoryAs(one.packageRepo, view);
  const identity = polledIdentity(polledSettingsOf(one, view), view);
  const other = duplicateCandidates(TAG_PREFIX, polledSettingsOf(one, view), view)
    .map((id) => all.get(id))
    .find(
      (found) =>
        found && found.id !== one.id && isInSame(found.packageRepo) && polledIdentity(polledSettingsOf(found, view), view) === identity,
    );
  if (!other) return [];
  const named = [other, one].map(({ name, packageRepo }) => {
    const repositoryName = packageRepositories.get(packageRepo)?.name ?? packageRepo;
    return `[Repo Name: '${repositoryName}', Package Name: '${name}']`;
  });
  return [{ at: ['id'], message: `Cannot save package or repo, found duplicate packages. ${named.join(', ')}` }];
}

function polledSettingsOf({ packageRepo, configuration }: Package, { packageRepositories }: View): PolledSettings {
  return { pluginId: packageRepositories.get(packageRepo)?.pluginMetadata.id ?? '', block: 'package', settings: configuration };
}

/** Two repositories are the same when they have the same plugin and the same identity. */
function sameRepositoryAs(id: string, view: View): (other: string) => boolean {
  const identityOf = (repository: Repository | undefined) => {
    const pluginId = repository?.pluginMetadata.id ?? '';
    const polled = repository && polledIdentity({ pluginId, block: 'repository', settings: repository.configuration }, view);
    return polled && JSON.stringify([pluginId, polled]);
  };
  const identity = identityOf(view.packageRepositories.get(id));
  return (other) => other === id || (identity !== undefined && identityOf(view.packageRepositories.get(other)) === identity);
}
