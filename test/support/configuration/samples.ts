// A valid body of each resource, and a way to make it differ: the common suite works with these.
import { registry } from '../../../src/resources/index.ts';
import { type Kind, kindsOf } from '../../../src/shape/resource.ts';

export interface Sample {
  /** The n-th body for the same entity; each n differs from the others. */
  body(n: number): Record<string, unknown>;
  /** Secrets that body(n) sends in clear. */
  secrets(n: number): readonly string[];
  /** The body of a POST, where it wraps the entity in another object. */
  wrap?(body: Record<string, unknown>): Record<string, unknown>;
  /** Entities that must exist first: path → body. */
  readonly needs?: Readonly<Record<string, unknown>>;
}

const secret = (n: number) => `not-to-be-seen-${n}-f81d`;

/** A cluster of the Docker plugin, without its id. */
export const dockerCluster = {
  plugin_id: 'cd.go.contrib.elastic-agent.docker',
  properties: [
    { key: 'go_server_url', value: 'https://cd.example.com' },
    { key: 'docker_uri', value: 'tcp://docker.example.org:2376' },
    { key: 'max_docker_containers', value: '20' },
    { key: 'auto_register_timeout', value: '5' },
  ],
};

export const samples: Readonly<Partial<Record<keyof typeof registry, Sample>>> = {
  artifactRetention: {
    body: (n) => ({ rules: [{ pipelines: `build-${n}*`, keep_runs: n + 1, keep_days: null }] }),
    secrets: () => [],
  },
  artifactStores: {
    body: (n) => ({
      id: 'sample',
      plugin_id: 'cd.go.artifact.s3',
      properties: [
        { key: 'S3Bucket', value: `bucket-${n}` },
        { key: 'AWSAccessKey', value: 'key' },
        { key: 'AWSSecretAccessKey', value: secret(n) },
      ],
    }),
    secrets: (n) => [secret(n)],
  },
  artifactsConfig: {
    body: (n) => ({ artifacts_dir: `artifacts-${n}`, purge_settings: { purge_start_disk_space: 1.5, purge_upto_disk_space: n + 2 } }),
    secrets: () => [],
  },
  backupConfig: {
    body: (n) => ({
      schedule: `0 ${n % 60} 2 ? * MON-FRI`,
      post_backup_script: `/opt/after-${n}`,
      email_on_failure: true,
      email_on_success: false,
    }),
    secrets: () => [],
  },
  backupExtensions: {
    body: (n) => ({
      retention: { keep_last: n + 1, keep_days: null },
      copy: {
        endpoint: 'https://s3.example.org',
        bucket: `backups-${n}`,
        prefix: 'slipway',
        region: 'eu-central-1',
        access_key_id: 'key',
        secret_access_key: secret(n),
      },
      script_timeout: 30,
    }),
    secrets: (n) => [secret(n)],
  },
  clusterProfiles: {
    body: (n) => ({
      ...dockerCluster,
      id: 'sample',
      properties: [
        ...dockerCluster.properties,
        { key: 'docker_ca_cert', value: `ca-${n}` },
        { key: 'docker_client_key', value: secret(n) },
      ],
    }),
    secrets: (n) => [secret(n)],
  },
  configRepos: {
    body: (n) => ({
      id: 'sample',
      plugin_id: 'yaml.config.plugin',
      material: { type: 'git', attributes: { url: `https://me:${secret(n)}@scm.example.org/a.git`, branch: 'main', auto_update: false } },
      configuration: [{ key: 'file_pattern', value: `*.${n}.yaml` }],
      rules: [{ directive: 'allow', action: 'refer', type: '*', resource: `team-${n}*` }],
    }),
    secrets: (n) => [secret(n)],
  },
  elasticProfiles: {
    needs: { '/api/admin/elastic/cluster_profiles': { id: 'farm', ...dockerCluster } },
    body: (n) => ({ id: 'sample', cluster_profile_id: 'farm', properties: [{ key: 'Image', value: `image:${n}` }] }),
    secrets: () => [],
  },
  jobTimeout: { body: (n) => ({ default_job_timeout: String(n) }), secrets: () => [] },
  packageRepositories: {
    body: (n) => ({
      repo_id: 'sample',
      name: 'sample',
      plugin_metadata: { id: 'slipway.package.npm', version: '1.0.0' },
      configuration: [
        { key: 'REPO_URL', value: `https://npm-${n}.example.org` },
        { key: 'USERNAME', value: 'me' },
        { key: 'PASSWORD', value: secret(n) },
      ],
    }),
    secrets: (n) => [secret(n)],
  },
  packages: {
    needs: {
      '/api/admin/repositories': {
        repo_id: 'npm',
        name: 'npm',
        plugin_metadata: { id: 'slipway.package.npm', version: '1' },
        configuration: [{ key: 'REPO_URL', value: 'https://npm.example.org' }],
      },
    },
    body: (n) => ({
      id: 'sample',
      name: 'sample',
      auto_update: false,
      package_repo: { id: 'npm' },
      configuration: [{ key: 'PACKAGE_NAME', value: `left-pad-${n}` }],
    }),
    secrets: () => [],
  },
  pluginSettings: {
    body: (n) => ({
      plugin_id: 'sample',
      configuration: [
        { key: 'Pattern', value: `*.${n}` },
        { key: 'ApiToken', value: secret(n) },
      ],
    }),
    secrets: (n) => [secret(n)],
  },
  scms: {
    body: (n) => ({
      id: 'sample',
      name: 'sample',
      plugin_metadata: { id: 'github.pr', version: '1' },
      configuration: [
        { key: 'url', value: `https://scm.example.org/${n}` },
        { key: 'password', value: secret(n) },
      ],
    }),
    secrets: (n) => [secret(n)],
  },
  secretConfigs: {
    body: (n) => ({
      id: 'sample',
      plugin_id: 'cd.go.secrets.file-based-plugin',
      description: `the ${n}th`,
      properties: [
        { key: 'SecretsFilePath', value: `/var/lib/secrets-${n}.json` },
        { key: 'Passphrase', value: secret(n), is_secure: true },
      ],
      rules: [{ directive: 'deny', action: 'refer', type: '*', resource: `team-${n}*` }],
    }),
    secrets: (n) => [secret(n)],
  },
  siteUrls: { body: (n) => ({ site_url: `http://cd-${n}.example.org`, secure_site_url: 'https://cd.example.org' }), secrets: () => [] },
  authConfigs: {
    body: (n) => ({
      id: 'sample',
      plugin_id: 'some.other.plugin',
      allow_only_known_users_to_login: n % 2 === 0,
      properties: [
        { key: 'Url', value: `ldap://host-${n}` },
        { key: 'BindPassword', value: secret(n) },
      ],
    }),
    secrets: (n) => [secret(n)],
  },
  environments: {
    body: (n) => ({
      name: 'sample',
      pipelines: [],
      environment_variables: [
        { name: 'COUNT', value: String(n) },
        { name: 'KEY', secure: true, value: secret(n) },
      ],
    }),
    secrets: (n) => [secret(n)],
  },
  mailServer: {
    body: (n) => ({
      hostname: `smtp-${n}.example.org`,
      port: 25,
      username: 'me',
      password: secret(n),
      sender_email: 'cd@example.org',
      admin_email: 'ops@example.org',
    }),
    secrets: (n) => [secret(n)],
  },
  pipelineGroups: {
    body: (n) => ({ name: 'sample', authorization: { view: { users: [`user-${n}`], roles: [] } } }),
    secrets: () => [],
  },
  pipelines: {
    needs: { '/api/admin/pipeline_groups': { name: 'shop' } },
    wrap: (body) => ({ group: body.group, pipeline: body }),
    body: (n) => ({
      group: 'shop',
      name: 'sample',
      environment_variables: [{ name: 'KEY', secure: true, value: secret(n) }],
      materials: [{ type: 'git', attributes: { url: `https://me:${secret(n)}@scm.example.org/web.git`, branch: `b-${n}` } }],
      stages: [
        { name: 'build', jobs: [{ name: 'compile', tasks: [{ type: 'exec', attributes: { command: 'make', arguments: [`t-${n}`] } }] }] },
      ],
    }),
    secrets: (n) => [secret(n)],
  },
  templates: {
    body: (n) => ({
      name: 'sample',
      stages: [{ name: 'build', jobs: [{ name: 'compile', tasks: [{ type: 'exec', attributes: { command: `make-${n}` } }] }] }],
    }),
    secrets: () => [],
  },
  roles: {
    body: (n) => ({
      name: 'sample',
      type: 'svc',
      policy: [{ permission: 'allow', action: 'view', type: 'environment', resource: `e-${n}` }],
      attributes: { users: ['jez'] },
    }),
    secrets: () => [],
  },
  outgoingWebhooks: {
    body: (n) => ({
      id: 'sample',
      url: `https://hooks.example.org/${n}`,
      secret: secret(n),
      filter: { types: ['backup.*'], actors: [], resources: [], ids: [] },
      enabled: false,
    }),
    secrets: (n) => [secret(n)],
  },
  systemAdmins: { body: (n) => ({ roles: [], users: ['admin', `user-${n}`] }), secrets: () => [] },
};

export const kinds: readonly (Kind & { readonly sample: Sample })[] = kindsOf(registry)
  .filter((kind) => !kind.isInternal)
  .map((kind) => {
    const sample = samples[kind.name as keyof typeof registry];
    if (!sample) throw new Error(`There is no sample of ${kind.name}: add one to test/support/configuration/samples.ts.`);
    return { ...kind, sample };
  });
