// A body with secrets for every resource that can hold any, and the address that each secret is sent to.
import { registry } from '../../../src/resources/index.ts';
import { describeFields } from '../../../src/shape/field.ts';
import { type Kind, kindsOf } from '../../../src/shape/resource.ts';
import { dockerCluster, s3Store, smallPipeline } from '../requests/bodies.ts';

type Body = Record<string, unknown>;

export interface SecretBody {
  /** A body with a `TOPSECRET` in every secret field, and `HOST` where an address names the host. */
  readonly body: Body;
  /** Entities that must exist first: path → body. */
  readonly needs?: Readonly<Record<string, Body>>;
  /** The body of a POST, where it wraps the entity in another object. */
  wrap?(body: Body): Body;
  /** The place of the errors of a secret that belongs elsewhere. */
  readonly errorsAt: string;
  /** The place of the errors of a secret that is sent to another address, if that place is another one. */
  readonly movedAt?: string;
}

const HOST = 'https://HOST/path';
const plugin_metadata = { id: 'com.example.plugin', version: '1' };
const settings = [
  { key: 'url', value: HOST },
  { key: 'password', value: 'TOPSECRET' },
];
const variables = [{ name: 'KEY', secure: true, value: 'TOPSECRET' }];
const login = { url: `${HOST}.git`, username: 'me', password: 'TOPSECRET' };
const task = {
  type: 'pluggable_task',
  attributes: { plugin_configuration: { id: 'com.example.task', version: '1' }, configuration: settings },
};
const stages = [
  {
    name: 's',
    environment_variables: variables,
    jobs: [
      {
        name: 'j',
        environment_variables: [{ name: 'JOB_KEY', secure: true, value: 'TOPSECRET' }],
        tasks: [task],
        artifacts: [{ type: 'external', artifact_id: 'image', store_id: 'store', configuration: settings }],
      },
    ],
  },
];
const store = { '/api/admin/artifact_stores': { id: 'store', plugin_id: 'com.example.store' } };

export const secretBodies: Readonly<Partial<Record<keyof typeof registry, SecretBody>>> = {
  artifactStores: { body: s3Store('sample', 'bucket', 'TOPSECRET'), errorsAt: 'properties.2.encrypted_value' },
  authConfigs: { body: { id: 'sample', plugin_id: 'com.example.auth', properties: settings }, errorsAt: 'properties.1.encrypted_value' },
  backupExtensions: {
    body: { copy: { endpoint: 'https://HOST', bucket: 'backups', access_key_id: 'key', secret_access_key: 'TOPSECRET' } },
    errorsAt: 'copy.encrypted_secret_access_key',
  },
  clusterProfiles: {
    body: { id: 'sample', plugin_id: 'com.example.farm', properties: settings },
    errorsAt: 'properties.1.encrypted_value',
  },
  configRepos: {
    body: {
      id: 'sample',
      plugin_id: 'yaml.config.plugin',
      material: { type: 'git', attributes: { ...login, auto_update: false } },
      configuration: [{ key: 'token', value: 'TOPSECRET', is_secure: true }],
    },
    errorsAt: 'material.attributes.encrypted_password',
  },
  elasticProfiles: {
    needs: { '/api/admin/elastic/cluster_profiles': { ...dockerCluster('farm'), plugin_id: 'com.example.farm' } },
    body: { id: 'sample', cluster_profile_id: 'farm', properties: settings },
    errorsAt: 'properties.1.encrypted_value',
  },
  environments: {
    body: { name: 'sample', pipelines: [], environment_variables: variables },
    errorsAt: 'environment_variables.0.encrypted_value',
  },
  mailServer: {
    body: { hostname: 'HOST', port: 25, username: 'me', password: 'TOPSECRET', sender_email: 'a@b.org', admin_email: 'c@d.org' },
    errorsAt: 'encryptedPassword',
  },
  outgoingWebhooks: { body: { id: 'sample', url: HOST, secret: 'TOPSECRET', enabled: false }, errorsAt: 'encrypted_secret' },
  packageRepositories: {
    body: { repo_id: 'sample', name: 'sample', plugin_metadata, configuration: settings },
    errorsAt: 'configuration.1.encrypted_value',
  },
  packages: {
    needs: { '/api/admin/repositories': { repo_id: 'repo', name: 'repo', plugin_metadata, configuration: [] } },
    body: { id: 'sample', name: 'sample', package_repo: { id: 'repo' }, configuration: settings },
    errorsAt: 'configuration.1.encrypted_value',
  },
  pipelines: {
    needs: store,
    wrap: (body) => ({ group: body.group, pipeline: body }),
    body: {
      ...smallPipeline('sample'),
      group: 'shop',
      environment_variables: variables,
      materials: [
        { type: 'git', attributes: { ...login, destination: 'a', auto_update: false } },
        { type: 'svn', attributes: { ...login, destination: 'b', auto_update: false } },
        { type: 'p4', attributes: { port: 'HOST:1666', view: '//x', password: 'TOPSECRET', destination: 'c', auto_update: false } },
      ],
      stages,
    },
    errorsAt: 'materials.0.attributes.encrypted_password',
  },
  pluginSettings: { body: { plugin_id: 'sample', configuration: settings }, errorsAt: 'configuration.1.encrypted_value' },
  roles: {
    needs: { '/api/admin/security/auth_configs': { id: 'auth', plugin_id: 'com.example.auth', properties: [] } },
    body: { name: 'sample', type: 'plugin', policy: [], attributes: { auth_config_id: 'auth', properties: settings } },
    errorsAt: 'attributes.properties.1.encrypted_value',
  },
  scms: { body: { id: 'sample', name: 'sample', plugin_metadata, configuration: settings }, errorsAt: 'configuration.1.encrypted_value' },
  secretConfigs: {
    body: { id: 'sample', plugin_id: 'com.example.vault', properties: settings, rules: [] },
    errorsAt: 'properties.1.encrypted_value',
  },
  templates: {
    needs: store,
    body: { name: 'sample', stages },
    errorsAt: 'stages.0.environment_variables.0.encrypted_value',
    movedAt: 'stages.0.jobs.0.tasks.0.attributes.configuration.1.encrypted_value',
  },
};

/** All kinds that can show a secret have a body. */
export const secretKinds: readonly (Kind & { readonly secret: SecretBody })[] = kindsOf(registry)
  .filter((kind) => !kind.isInternal && JSON.stringify(describeFields(kind.fields).response).includes('encrypted_'))
  .map((kind) => {
    const secret = secretBodies[kind.name as keyof typeof registry];
    if (!secret) throw new Error(`There is no body with secrets of ${kind.name}: add one to test/support/configuration/secret-bodies.ts.`);
    return { ...kind, secret };
  });

/** The body with the given host and secrets. */
export function filled(body: Body, host = 'one.example.org', topSecret = 'hush-5d21'): Body {
  return JSON.parse(JSON.stringify(body).replaceAll('HOST', host).replaceAll('TOPSECRET', topSecret)) as Body;
}

/** The messages of an answer under the path of the object they stand beside. */
export function errorsIn(data: unknown, path: readonly string[] = []): Record<string, readonly string[]> {
  if (typeof data !== 'object' || data === null) return {};
  return Object.assign(
    {},
    ...Object.entries(data).map(([name, value]) =>
      name === 'errors'
        ? Object.fromEntries(Object.entries(value as object).map(([key, messages]) => [[...path, key].join('.'), messages]))
        : errorsIn(value, [...path, name]),
    ),
  );
}

/** All cipher texts in an answer. */
export function cipherTexts(json: unknown): string[] {
  if (typeof json !== 'object' || json === null) return [];
  return Object.entries(json).flatMap(([name, value]) =>
    name.startsWith('encrypted_') && typeof value === 'string' ? [value] : cipherTexts(value),
  );
}
