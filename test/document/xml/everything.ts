// A configuration that uses every element and attribute of the format.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: labels and links of GoCD are written with ${…}
import type { Json, JsonObject } from '../../../src/shape/json/json.ts';
import type { Bodies } from './entities.ts';

const settings: Json = [{ key: 'Url', value: 'https://example.org/?a=1&b=<2>' }, { key: 'ApiToken', value: 'hush' }, { key: 'Empty' }];
const variables: Json = [
  { name: 'PLAIN', value: ' "quoted" & <tagged>\r\n\ttext ' },
  { name: 'EMPTY', value: '' },
  { name: 'SECURE', value: 'hush', secure: true },
];
const members: Json = { users: ['ann', 'Bob & Co'], roles: ['devs'] };
const rules: Json = [
  { directive: 'deny', action: 'refer', type: 'environment', resource: 'prod-*' },
  { directive: 'allow', action: 'refer', type: '*', resource: '*' },
];
const plugin: Json = { id: 'com.example.plugin', version: '1' };

const login: JsonObject = { username: 'me', password: 'hush' };
const checkout = (destination: string): JsonObject => ({
  destination,
  filter: { ignore: ['docs/**/*', '*.md'] },
  invert_filter: true,
  name: destination,
  auto_update: false,
});
const url = 'https://scm.example.org/a';

const materials: Json = [
  {
    type: 'git',
    attributes: { ...login, ...checkout('git'), url, branch: 'main', shallow_clone: true, submodule_folder: 'lib ?> <x>' },
  },
  { type: 'git', attributes: { url: 'https://me:hush@scm.example.org/sealed.git', destination: 'least' } },
  { type: 'hg', attributes: { ...login, ...checkout('hg'), url, branch: 'feature' } },
  { type: 'svn', attributes: { ...login, ...checkout('svn'), url, check_externals: true } },
  {
    type: 'p4',
    attributes: { ...login, ...checkout('p4'), port: 'p4:1666', use_tickets: true, view: '//depot/... //ws/...\r\n //a]]>b //ws/<&>' },
  },
  { type: 'tfs', attributes: { ...login, ...checkout('tfs'), url, domain: 'corp', project_path: '$/project' } },
  { type: 'dependency', attributes: { pipeline: 'up', stage: 's', name: 'upstream', ignore_for_scheduling: true } },
  { type: 'package', attributes: { ref: 'pkg' } },
  { type: 'plugin', attributes: { ref: 'scm', filter: { ignore: ['*.md'] }, destination: 'scm', invert_filter: true } },
];

const cancelTasks: readonly JsonObject[] = [
  { type: 'exec', attributes: { command: 'clean', arguments: ['-f', ''], working_directory: 'dir' } },
  { type: 'exec', attributes: { command: 'clean', args: '-f -r', timeout: 30 } },
  { type: 'ant', attributes: { build_file: 'build.xml', target: 'clean', working_directory: 'dir' } },
  { type: 'rake', attributes: { build_file: 'Rakefile', target: 'clean', working_directory: 'dir' } },
  { type: 'nant', attributes: { build_file: 'a.build', target: 'clean', working_directory: 'dir', nant_path: '/opt/nant' } },
  {
    type: 'fetch',
    attributes: { pipeline: 'up', stage: 's', job: 'j', is_source_a_file: true, source: 'out/a.jar', destination: 'lib' },
  },
  { type: 'fetch', attributes: { stage: 's', job: 'j', source: 'out' } },
  {
    type: 'fetch',
    attributes: { artifact_origin: 'external', pipeline: 'up', stage: 's', job: 'j', artifact_id: 'image', configuration: settings },
  },
  { type: 'pluggable_task', attributes: { plugin_configuration: plugin, configuration: settings } },
  { type: 'pluggable_task', attributes: { plugin_configuration: { id: 'slipway.script', version: '1' }, configuration: [] } },
  { type: 'pluggable_task', attributes: { plugin_configuration: { id: 'slipway.script..', version: null }, configuration: [] } },
  { type: 'script', attributes: { script: 'set -e\r\nmake <all>\n\n', shell: 'bash', working_directory: 'dir' } },
  { type: 'script', attributes: { script: ' :', shell: '' } },
];

const tasks: Json = cancelTasks.map(({ type, attributes }, index) => ({
  type: type!,
  attributes: {
    ...(attributes as JsonObject),
    run_if: ['passed', 'failed', 'any'].slice(0, (index + 1) % 4),
    on_cancel: index === 0 ? null : cancelTasks[(index + 1) % cancelTasks.length]!,
    nothing_on_cancel: index === 0,
  },
}));

const artifacts: Json = [
  { type: 'build', source: 'out/*.jar', destination: 'jars' },
  { type: 'build', source: 'all', destination: null },
  { type: 'build', source: 'root', destination: '' },
  { type: 'test', source: 'reports', destination: 'tests' },
  { type: 'external', artifact_id: 'image', store_id: 'store', configuration: settings },
  { type: 'external', artifact_id: 'bare', store_id: 'store' },
];

const stages: Json = [
  {
    name: 'build',
    fetch_materials: false,
    clean_working_directory: true,
    never_cleanup_artifacts: true,
    approval: { type: 'manual', allow_only_on_success: true, authorization: members },
    environment_variables: variables,
    jobs: [
      {
        name: '.compile',
        run_instance_count: 3,
        timeout: 7.5,
        environment_variables: variables,
        tasks,
        tabs: [{ name: 'report', path: 'report/index.html' }],
        resources: ['linux', 'java 21'],
        artifacts,
      },
      { name: 'on-all', run_instance_count: 'all', timeout: 'never', tasks: [cancelTasks[0]!] },
      { name: 'elastic', timeout: 2, elastic_profile_id: 'small', tasks: [cancelTasks[0]!] },
    ],
  },
  { name: 'automatic', approval: { type: 'success' }, jobs: [{ name: 'j', timeout: 10, tasks: [cancelTasks[0]!] }] },
  { name: 'half', approval: { type: 'success', allow_only_on_success: true }, jobs: [{ name: 'j', tasks: [cancelTasks[0]!] }] },
];

const configRepo = (type: string, attributes: JsonObject): JsonObject => ({
  id: `code-${type}`,
  plugin_id: 'yaml.config.plugin',
  material: { type, attributes: { ...login, auto_update: false, ...attributes } },
  configuration: [{ key: 'pattern', value: '*.yaml' }],
  rules,
});

export const everything: Bodies = {
  jobTimeout: [{ default_job_timeout: '60' }],
  serverIdentity: [
    {
      server_id: 'd2f9b1c4',
      job_starvation_timeout: 5,
      agent_auto_register_key: 'hush',
      webhook_secret: 'hush',
      token_generation_key: 'hush',
    },
  ],
  siteUrls: [{ site_url: 'http://cd.example.org', secure_site_url: 'https://cd.example.org' }],
  authConfigs: [
    { id: 'file', plugin_id: 'auth.plugin', allow_only_known_users_to_login: true, properties: settings },
    { id: 'bare', plugin_id: 'auth.plugin', properties: [] },
  ],
  roles: [
    {
      name: 'devs',
      type: 'gocd',
      policy: [
        { permission: 'allow', action: 'view', type: 'environment', resource: 'prod*' },
        { permission: 'deny', action: 'administer', type: '*', resource: '*' },
      ],
      attributes: { users: ['ann', 'bob'] },
    },
    { name: 'nobody', type: 'svc', attributes: { users: [] } },
    {
      name: 'ops',
      type: 'plugin',
      policy: [{ permission: 'allow', action: 'view', type: '*', resource: '*' }],
      attributes: { auth_config_id: 'file', properties: settings },
    },
  ],
  systemAdmins: [members as JsonObject],
  mailServer: [
    {
      hostname: 'smtp.example.org',
      port: 587,
      username: 'me',
      password: 'hush',
      tls: true,
      sender_email: 'a@example.org',
      admin_email: 'b@example.org',
    },
  ],
  backupConfig: [{ schedule: '0 0 2 * * ?', post_backup_script: '/opt/after', email_on_success: true, email_on_failure: true }],
  artifactsConfig: [{ artifacts_dir: 'artifacts', purge_settings: { purge_start_disk_space: 10, purge_upto_disk_space: 20.25 } }],
  elasticProfiles: [{ id: 'small', cluster_profile_id: 'cluster', properties: settings }],
  clusterProfiles: [{ id: 'cluster', plugin_id: 'elastic.plugin', properties: settings }],
  packageRepositories: [{ repo_id: 'repo', name: 'repo', plugin_metadata: plugin, configuration: settings }],
  packages: [
    { id: 'pkg', name: 'pkg', auto_update: false, package_repo: { id: 'repo' }, configuration: settings },
    { id: 'pkg2', name: 'pkg2', package_repo: { id: 'repo' }, configuration: [{ key: 'a', value: 'b' }] },
  ],
  scms: [{ id: 'scm', name: 'scm', auto_update: false, plugin_metadata: { id: 'scm.plugin', version: null }, configuration: settings }],
  configRepos: [
    configRepo('git', { url, branch: 'main' }),
    configRepo('hg', { url, branch: 'feature' }),
    configRepo('svn', { url, check_externals: true }),
    configRepo('p4', { port: 'p4:1666', use_tickets: true, view: '//depot/... //ws/...' }),
    configRepo('tfs', { url, domain: 'corp', project_path: '$/project' }),
  ],
  artifactStores: [{ id: 'store', plugin_id: 'store.plugin', properties: settings }],
  secretConfigs: [{ id: 'secrets', plugin_id: 'secrets.plugin', description: 'Of team <A>', properties: settings, rules }],
  pipelineGroups: [
    { name: 'defaultGroup', authorization: { view: members, operate: members, admins: members } },
    { name: 'second' },
    { name: 'empty' },
  ],
  pipelines: [
    {
      group: 'defaultGroup',
      name: 'everything',
      label_template: '1.${COUNT}-${git[:7]}',
      lock_behavior: 'lockOnFailure',
      parameters: [
        { name: 'GOAL', value: ' test ' },
        { name: 'EMPTY', value: '' },
      ],
      tracking_tool: { type: 'generic', attributes: { url_pattern: 'https://tracker.example.org/${ID}', regex: 'BUG-(\\d+)' } },
      timer: { spec: '0 0 22 ? * MON-FRI', only_on_changes: true },
      environment_variables: variables,
      materials,
      stages,
    },
    {
      group: 'second',
      name: 'from-template',
      template: 'shared',
      materials: [{ type: 'dependency', attributes: { pipeline: 'everything', stage: 'build' } }],
      timer: { spec: '0 0 1 * * ?' },
    },
  ],
  templates: [
    { name: 'shared', stages },
    { name: 'open', stages: [{ name: 's', jobs: [{ name: 'j', tasks: [cancelTasks[0]!] }] }] },
  ],
  templateAuthorizations: [
    { template: 'shared', all_group_admins_are_view_users: false, admin: members, view: members },
    { template: 'open' },
  ],
  environments: [
    { name: 'prod', pipelines: [{ name: 'everything' }], environment_variables: variables },
    { name: 'bare', pipelines: [], environment_variables: [] },
  ],
};
