// Secret configs: where values in the configuration that stand for a secret get it from, through a plugin.
import type { KindName } from '../shape/configuration.ts';
import { describedBy } from '../shape/described.ts';
import { type Field, plainField } from '../shape/field.ts';
import { identifier } from '../shape/fields.ts';
import { isOfKind } from '../shape/is-of-kind.ts';
import { readText } from '../shape/json/reading.ts';
import { type Dependent, messagesOf, STALE_ENTITY } from '../shape/problems/messages.ts';
import { properties } from '../shape/properties.ts';
import { collection } from '../shape/resource.ts';
import { pluginId, pluginIdRule } from './parts/plugin-id.ts';
import { ruleProblems, rulesOn } from './parts/rules.ts';

const TYPES = {
  pipeline_group: 'Pipeline groups',
  environment: 'Environments',
  pluggable_scm: 'SCMs',
  package_repository: 'Package repositories',
  cluster_profile: 'Cluster profiles',
};

/** Left out of answers when there is none. */
const description: Field<string | null> = plainField<string | null>(
  { type: 'string', ...describedBy({ format: 'multiline', description: 'For the reader.' }) },
  (cursor, name) => readText(cursor, name) || null,
  (value) => value ?? undefined,
);

export const secretConfigs = collection({
  title: 'Secret config',
  about: 'Where `{{SECRET:[id][key]}}` in the value of a setting or a variable gets its secret from, through a secrets plugin.',
  path: '/api/admin/secret_configs',
  version: 3,
  alsoVersions: [2, 1],
  permission: 'admin',
  doc: 'secret-configs',
  links: ['self', 'doc', 'find'],
  listLinks: ['self', 'doc', 'find'],
  listKey: 'secret_configs',
  id: 'id',
  idParameter: 'config_id',
  needsIfMatch: true,
  fields: {
    id: identifier(),
    pluginId: pluginId(),
    description,
    properties: properties({
      owner: 'Secret configuration',
      plugin: { kind: 'secrets', block: 'secret_config', namedIn: ['plugin_id'] },
      sentTo: (member) => member('pluginId'),
      takesSecrets: true,
    }),
    rules: rulesOn(TYPES, {
      description: 'What may refer to its secrets; the first rule that matches decides. Without one, nothing is allowed.',
    }),
  },
  plugin: { kind: 'secrets', block: 'secret_config', settings: 'properties', of: (config) => config.pluginId },
  isNamedInTexts: true,
  rules: [pluginIdRule('Secret configuration'), ({ rules }) => ruleProblems(rules, TYPES)],
  messages: {
    ...messagesOf({ entity: 'secret config', by: 'id', short: 'secretConfig', tag: 'secretConfig' }),
    duplicateId: (id) => `Secret Configuration ids should be unique. Secret Configuration with id '${id}' already exists.`,
    duplicateInFile: (id) => `Secret configuration id '${id}' is not unique`,
    blankId: {
      message: "The secret config config is invalid. Attribute 'id' cannot be null.",
      beside: 'Secret configuration cannot have a blank id.',
    },
    inUse: (id, users) =>
      `Validations failed for secretConfig '${id}'. Error(s): [The secret config '${id}' is being referenced by ${namedByKind(users)}.]. Please correct and resubmit.`,
    renamed: 'Renaming of secret config is not supported by this API.',
    stale: () => STALE_ENTITY,
  },
  example: {
    id: 'team-a',
    plugin_id: 'cd.go.secrets.file-based-plugin',
    description: 'The secrets of team A.',
    properties: [{ key: 'SecretsFilePath', value: '/var/lib/secrets/team-a.json' }],
    rules: [{ directive: 'allow', action: 'refer', type: 'pipeline_group', resource: 'team-a*' }],
  },
});

const NOUNS: Readonly<Partial<Record<KindName, string>>> = {
  artifactStores: 'artifact store(s)',
  authConfigs: 'authorization configuration(s)',
  clusterProfiles: 'cluster profile(s)',
  configRepos: 'config repo(s)',
  elasticProfiles: 'elastic agent profile(s)',
  environmentParts: 'environment(s)',
  environments: 'environment(s)',
  packageRepositories: 'package repositories',
  packages: 'package(s)',
  pipelines: 'pipeline(s)',
  roles: 'role(s)',
  scms: 'SCM(s)',
  templates: 'template(s)',
};

/** GoCD looks at pipelines alone, and names them like this. */
function namedByKind(users: readonly Dependent[]): string {
  const byNoun = Map.groupBy(users, ({ kind }) => NOUNS[kind] ?? 'settings of the server');
  return [...byNoun].map(([noun, those]) => `${noun}: ${[...new Set(those.map(nameOf))].join(', ')}`).join('; ');
}

/** Where it is not its id. */
function nameOf({ kind, id, entity }: Dependent): string {
  if (isOfKind('environmentParts', kind, entity)) return entity.environment;
  const isNamed = isOfKind('packages', kind, entity) || isOfKind('packageRepositories', kind, entity) || isOfKind('scms', kind, entity);
  return isNamed ? entity.name : id;
}
