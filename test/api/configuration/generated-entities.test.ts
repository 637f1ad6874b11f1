// Generated entities of every kind: an entity comes back as it was sent, and a broken member is named and changes nothing.
import assert from 'node:assert/strict';
import { posix } from 'node:path';
import { after, before, describe, test } from 'node:test';
import * as fc from 'fast-check';
import type { Field } from '../../../src/shape/field.ts';
import { snakeCase } from '../../../src/shape/json/json.ts';
import {
  type Arbitrary,
  type Body,
  CIPHER_TEXT,
  email,
  filledText,
  flag,
  foreignPlugin,
  foreignSettings,
  leftOut,
  list,
  materials,
  members,
  name,
  nobody,
  npmName,
  number,
  object,
  ofPlugin,
  optional,
  optionalText,
  type Part,
  PIPELINES,
  path,
  perhaps,
  pipelineNames,
  plain,
  purgeSettings,
  rules,
  rulesOn,
  SECRET_PREFIX,
  same,
  schedule,
  secret,
  secretText,
  settings,
  shortName,
  shownAs,
  text,
  unsuitableName,
  userNames,
  variables,
  webAddress,
} from '../../support/configuration/generated-parts.ts';
import { generatedPipeline, generatedTemplate } from '../../support/configuration/generated-pipelines.ts';
import { kinds } from '../../support/configuration/samples.ts';
import { type Reply, TestServer } from '../../support/server/server.ts';

/** Another seed looks at other entities; the one that found something is in the message of the failure. */
const SEED = Number(process.env.TEST_SEED ?? 261_115);
/** More entities: TEST_ROUNDS=10 npm test -- test/api/configuration/generated-entities.test.ts */
const ROUNDS = Number(process.env.TEST_ROUNDS ?? 1);
const VALID_RUNS = 10 * ROUNDS;
const ID_RUNS = 5 * ROUNDS;

const dockerCluster = settings(
  [
    plain('go_server_url', fc.webUrl({ validSchemes: ['https'] })),
    plain('docker_uri'),
    plain('max_docker_containers', number(1, 99)),
    plain('auto_register_timeout', number(1, 99)),
  ],
  [
    ...optional('environment_variables', 'docker_ca_cert', 'docker_client_cert', 'private_registry_server'),
    secret('docker_client_key'),
    secret('private_registry_password'),
  ],
);

const upTo = (most: number) => fc.option(fc.integer({ min: 1, max: most }));
const retentionRule = fc.record(
  { pipelines: fc.stringMatching(/^[a-zA-Z0-9_.*?-]{1,40}$/), keep_runs: upTo(100_000), keep_days: upTo(36_500) },
  { noNullPrototype: true },
);

/** Everything but the id of valid entities of each kind. */
const valid: Readonly<Record<string, Arbitrary<Body, Body>>> = {
  artifactRetention: object({ rules: perhaps(same(fc.array(retentionRule, { maxLength: 4 })), []) }),
  artifactStores: ofPlugin(
    'cd.go.artifact.s3',
    settings([plain('S3Bucket'), plain('AWSAccessKey'), secret('AWSSecretAccessKey')], optional('Region', 'Anything')),
  ),
  artifactsConfig: object({
    artifacts_dir: same(path.filter((one) => !['.', './'].includes(posix.normalize(one)))),
    purge_settings: perhaps(same(purgeSettings)),
  }),
  authConfigs: fc.oneof(
    ofPlugin('cd.go.authentication.passwordfile', settings([plain('PasswordFilePath', path)]), {
      allow_only_known_users_to_login: flag(false),
    }),
    ofPlugin(
      'cd.go.authentication.ldap',
      settings(
        [
          plain('Url', fc.constantFrom('ldap://localhost:1', 'ldaps://localhost:1')),
          plain('SearchBases'),
          plain('UserLoginFilter', fc.constant('(uid={0})')),
        ],
        [...optional('DisplayNameAttribute', 'EmailAttribute'), plain('SearchTimeout', number(1, 300)), secret('Password')],
      ),
      { allow_only_known_users_to_login: flag(false) },
    ),
  ),
  backupConfig: object({
    schedule: perhaps(same(schedule), null),
    post_backup_script: perhaps(same(path), null),
    email_on_failure: flag(false),
    email_on_success: flag(false),
  }),
  backupExtensions: object({
    retention: perhaps(
      object({
        keep_last: perhaps(same(fc.integer({ min: 1, max: 99 })), null),
        keep_days: perhaps(same(fc.integer({ min: 1, max: 99 })), null),
      }),
      { keep_last: null, keep_days: null },
    ),
    copy: object({
      endpoint: same(fc.constantFrom('https://s3.example.org', 'http://localhost:9000/store')),
      bucket: same(fc.stringMatching(/^[a-z0-9][a-z0-9.-]{1,20}[a-z0-9]$/)),
      prefix: optionalText,
      region: optionalText,
      access_key_id: same(filledText),
      secret_access_key: shownAs(secretText, () => undefined),
      encrypted_secret_access_key: leftOut(CIPHER_TEXT),
    }),
    script_timeout: perhaps(same(fc.integer({ min: 1, max: 999 })), 60),
  }),
  clusterProfiles: ofPlugin('cd.go.contrib.elastic-agent.docker', dockerCluster),
  configRepos: fc.oneof(
    object({
      plugin_id: same(fc.constant('yaml.config.plugin')),
      material: materials,
      configuration: settings(
        [],
        [plain('file_pattern'), plain('Anything'), secret('hidden', { is_secure: true }), secret('Hidden too', { secure: true })],
      ),
      rules: perhaps(rules, []),
    }),
    object({
      plugin_id: foreignPlugin,
      material: materials,
      configuration: perhaps(list(fc.array(secret('ApiToken'), { maxLength: 1 })), []),
      rules,
    }),
  ),
  elasticProfiles: object({
    cluster_profile_id: same(fc.constant('farm')),
    properties: settings(
      [plain('Image')],
      [
        ...optional('Command', 'Environment', 'Mounts', 'Networks', 'Privileged'),
        plain(
          'MaxMemory',
          number(4, 900).map((size) => `${size}G`),
        ),
        plain('Cpus', fc.constantFrom('1', '.5', '2.25')),
      ],
    ),
  }),
  environments: object({ pipelines: perhaps(pipelineNames, []), environment_variables: perhaps(variables, []) }),
  jobTimeout: object({ default_job_timeout: shownAs(fc.oneof(fc.nat(), number(0, 10_000), fc.constantFrom('7.5', '0.25')), String) }),
  mailServer: object({
    hostname: same(filledText),
    port: fc.oneof(same(fc.integer({ min: 1, max: 65_535 })), fc.constant({ sent: '587', shown: 587 })),
    username: optionalText,
    password: shownAs(secretText, () => undefined),
    encrypted_password: leftOut(CIPHER_TEXT),
    tls: flag(false),
    sender_email: same(email),
    admin_email: same(email),
  }),
  outgoingWebhooks: object({
    url: same(webAddress.filter((one) => one.length < 2000)),
    secret: shownAs(
      secretText.map((one) => `${one} of a webhook`),
      () => undefined,
    ),
    encrypted_secret: leftOut(CIPHER_TEXT),
    filter: perhaps(
      object({
        types: perhaps(same(fc.uniqueArray(fc.constantFrom('backup.*', '*', 'configuration.changed'))), []),
        actors: perhaps(same(fc.array(filledText, { maxLength: 3 })), []),
        resources: perhaps(same(fc.uniqueArray(fc.constantFrom('environments', 'pipelines'))), []),
        ids: perhaps(same(fc.array(filledText, { maxLength: 3 })), []),
      }),
      { types: [], actors: [], resources: [], ids: [] },
    ),
    enabled: flag(true),
  }),
  packageRepositories: object({
    name: same(shortName),
    plugin_metadata: object({ id: same(fc.constant('slipway.package.npm')), version: perhaps(same(filledText), null) }),
    configuration: settings([plain('REPO_URL', webAddress)], [...optional('USERNAME', 'Anything'), secret('TOKEN')]),
    _embedded: leftOut({ packages: [] }),
  }),
  packages: object({
    name: same(shortName),
    auto_update: flag(true),
    package_repo: fc.constantFrom(
      { sent: { id: 'npm' }, shown: { id: 'npm', name: 'npm' } },
      { sent: { id: 'npm', name: 'x' }, shown: { id: 'npm', name: 'npm' } },
    ),
    configuration: settings([plain('PACKAGE_NAME', npmName)], optional('DIST_TAG', 'Anything')),
  }),
  pipelines: generatedPipeline,
  pipelineGroups: object({
    authorization: perhaps(
      object({ view: perhaps(members, nobody), operate: perhaps(members, nobody), admins: perhaps(members, nobody) }),
      { view: nobody, operate: nobody, admins: nobody },
    ),
    pipelines: leftOut([]),
  }),
  pluginSettings: object({ configuration: foreignSettings }),
  roles: object({
    type: same(fc.constantFrom('svc', 'slipway', 'gocd')),
    policy: perhaps(
      list(
        fc.array(
          object({
            permission: same(fc.constantFrom('allow', 'deny')),
            action: same(fc.constantFrom('view', 'administer')),
            type: same(fc.constantFrom('environment', 'config_repo', 'cluster_profile', '*')),
            resource: same(filledText.filter((one) => !one.includes(':'))),
          }),
          { maxLength: 4 },
        ),
      ),
      [],
    ),
    attributes: perhaps(object({ users: perhaps(userNames, []) }), { users: [] }),
  }),
  scms: object({
    auto_update: flag(true),
    origin: leftOut({ type: 'gocd' }),
    plugin_metadata: object({ id: foreignPlugin, version: perhaps(same(filledText), null) }),
    configuration: foreignSettings,
  }),
  secretConfigs: ofPlugin(
    'cd.go.secrets.file-based-plugin',
    settings([plain('SecretsFilePath', path)], [...optional('Anything'), secret('hidden', { is_secure: true })]),
    {
      description: perhaps(same(filledText)),
      rules: perhaps(rulesOn('pipeline_group', 'environment', 'pluggable_scm', 'package_repository', 'cluster_profile', '*'), []),
    },
  ),
  siteUrls: object({
    site_url: perhaps(same(webAddress), ''),
    secure_site_url: perhaps(same(fc.webUrl({ validSchemes: ['https'] })), ''),
  }),
  systemAdmins: object({
    users: same(fc.array(shortName, { maxLength: 4 }).map((users) => ['admin', ...users])),
    roles: perhaps(same(fc.constant([])), []),
  }),
  templates: generatedTemplate,
};

/** One error: the members that replace those of a valid body, and the name that the answer must contain. */
interface Breakage {
  readonly names: string;
  readonly members: fc.Arbitrary<Body>;
}
const breakage = (member: string, values: fc.Arbitrary<unknown>, names = member): Breakage => ({
  names,
  members: values.map((value) => ({ [member]: value })),
});
const blank = fc.constantFrom('', ' ', '\t');
const withControls = fc
  .tuple(shortName, fc.constantFrom('\u0000', '\r\n', '\n', '\u007f', '\u0085'), shortName)
  .map((parts) => parts.join(''));
const unreadableCipherText = text.map((one) => `v1:00000000:${one}`);

/** Breakages of a kind whose settings are checked by a plugin. */
function brokenSettings(plugin_id: string, requiredKey: string, pluginOfOtherKind: string): Breakage[] {
  const properties = (names: string, values: fc.Arbitrary<readonly object[]>): Breakage => ({
    names,
    members: values.map((broken) => ({ plugin_id, properties: broken })),
  });
  return [
    breakage(
      'plugin_id',
      fc.oneof(
        blank,
        fc.constant(pluginOfOtherKind),
        shortName.map((one) => `.${one}`),
      ),
    ),
    properties(
      requiredKey,
      blank.map((value) => [{ key: requiredKey, value }]),
    ),
    properties(requiredKey, fc.constant([])),
    properties(
      'configuration_key',
      filledText.map((value) => [
        { key: requiredKey, value },
        { key: requiredKey.toUpperCase(), value },
      ]),
    ),
    {
      names: 'encrypted_value',
      members: unreadableCipherText.map((encrypted_value) => ({
        plugin_id: 'com.example.foreign',
        properties: [{ key: 'x', encrypted_value }],
      })),
    },
  ];
}

function brokenPath(plugin_id: string, key: string): Breakage {
  return { names: key, members: withControls.map((value) => ({ plugin_id, properties: [{ key, value }] })) };
}

const broken: Readonly<Record<string, readonly Breakage[]>> = {
  artifactRetention: [
    breakage(
      'rules',
      fc.oneof(blank, withControls, fc.constantFrom('a/b', 'ä', 'a b', 'a'.repeat(256))).map((pipelines) => [{ pipelines }]),
      'pipelines',
    ),
    breakage(
      'rules',
      fc.oneof(fc.integer({ max: 0 }), fc.integer({ min: 100_001 })).map((keep_runs) => [{ pipelines: '*', keep_runs }]),
      'keep_runs',
    ),
    breakage(
      'rules',
      fc.oneof(fc.integer({ max: 0 }), fc.integer({ min: 36_501 })).map((keep_days) => [{ pipelines: '*', keep_days }]),
      'keep_days',
    ),
  ],
  artifactStores: brokenSettings('cd.go.artifact.s3', 'S3Bucket', 'yaml.config.plugin'),
  artifactsConfig: [
    breakage('artifacts_dir', fc.oneof(blank, withControls)),
    breakage(
      'purge_settings',
      purgeSettings.map(({ purge_start_disk_space: low, purge_upto_disk_space: high }) => ({
        purge_start_disk_space: high + 1,
        purge_upto_disk_space: low,
      })),
      'purge_start_disk_space',
    ),
    breakage(
      'purge_settings',
      fc.nat().map((start) => ({ purge_start_disk_space: start + 1 })),
      'purge_upto_disk_space',
    ),
    breakage(
      'purge_settings',
      fc.constantFrom('much', {}, []).map((start) => ({ purge_start_disk_space: start, purge_upto_disk_space: 9 })),
      'purge_start_disk_space',
    ),
  ],
  authConfigs: [
    ...brokenSettings('cd.go.authentication.passwordfile', 'PasswordFilePath', 'cd.go.artifact.s3'),
    brokenPath('cd.go.authentication.passwordfile', 'PasswordFilePath'),
  ],
  backupConfig: [
    breakage(
      'schedule',
      filledText.filter((one) => one.trim().split(/\s+/).length < 6),
    ),
    breakage('post_backup_script', withControls),
  ],
  clusterProfiles: brokenSettings('cd.go.contrib.elastic-agent.docker', 'docker_uri', 'cd.go.artifact.s3'),
  configRepos: [
    breakage('plugin_id', blank, 'pluginId'),
    breakage('plugin_id', fc.constant('cd.go.artifact.s3')),
    breakage(
      'material',
      fc
        .tuple(
          fc.constantFrom('git', 'hg', 'svn', 'tfs'),
          fc.oneof(
            blank,
            filledText.map((one) => `-${one}`),
          ),
        )
        .map(([type, url]) => ({ type, attributes: { url, username: 'x', project_path: 'x' } })),
      'url',
    ),
    breakage(
      'material',
      shortName.map((named) => ({ type: 'git', attributes: { url: 'https://scm.example.org/a', name: named } })),
      'name',
    ),
    breakage('material', fc.constant({ type: 'p4', attributes: { port: 'p4.example.org:1666' } }), 'view'),
    breakage(
      'material',
      unreadableCipherText.map((encrypted_password) => ({
        type: 'svn',
        attributes: { url: 'https://scm.example.org/a', encrypted_password },
      })),
      'encrypted_password',
    ),
    breakage(
      'rules',
      text.filter((one) => !['allow', 'deny'].includes(one)).map((directive) => [{ directive, action: 'refer', type: '*', resource: '*' }]),
      'directive',
    ),
    breakage(
      'rules',
      blank.map((resource) => [{ directive: 'allow', action: 'refer', type: '*', resource }]),
      'resource',
    ),
    breakage(
      'configuration',
      unreadableCipherText.map((encrypted_value) => [{ key: 'x', is_secure: true, encrypted_value }]),
      'encrypted_value',
    ),
  ],
  elasticProfiles: [
    breakage(
      'cluster_profile_id',
      shortName.map((one) => `no-${one}`),
    ),
    breakage(
      'properties',
      blank.map((value) => [{ key: 'Image', value }]),
      'Image',
    ),
    breakage('properties', fc.constant([]), 'Image'),
    breakage(
      'properties',
      filledText.map((value) => [
        { key: 'Image', value },
        { key: 'IMAGE', value },
      ]),
      'configuration_key',
    ),
  ],
  environments: [
    breakage(
      'environment_variables',
      text.map((one) => [{ name: ` ${one}`, value: 'x' }]),
      'name',
    ),
    breakage(
      'environment_variables',
      filledText.map((value) => [
        { name: 'A', value },
        { name: 'a', value },
      ]),
      'name',
    ),
    breakage(
      'environment_variables',
      text.map((value) => [{ value }]),
      'name',
    ),
    breakage(
      'environment_variables',
      unreadableCipherText.map((encrypted_value) => [{ name: 'A', secure: true, encrypted_value }]),
      'encrypted_value',
    ),
    breakage(
      'pipelines',
      fc.constantFrom(...PIPELINES).map((one) => [{ name: one }, { name: one.toUpperCase() }]),
      'name',
    ),
  ],
  jobTimeout: [
    breakage(
      'default_job_timeout',
      fc.oneof(
        fc.nat().map((minutes) => -1 - minutes),
        filledText.filter((one) => !/\d/.test(one)),
      ),
    ),
  ],
  mailServer: [
    breakage('hostname', blank),
    breakage('port', fc.oneof(fc.integer({ max: 0 }), fc.integer({ min: 65_536 }))),
    ...['sender_email', 'admin_email'].map((member) =>
      breakage(
        member,
        fc.oneof(
          text.filter((one) => !one.includes('@')),
          withControls.map((one) => `${one}@x`),
        ),
      ),
    ),
    breakage('encrypted_password', unreadableCipherText, 'encryptedPassword'),
  ],
  packageRepositories: [
    breakage('name', fc.oneof(blank, unsuitableName)),
    breakage(
      'plugin_metadata',
      blank.map((id) => ({ id })),
      'id',
    ),
    breakage('configuration', fc.constantFrom([], [{ key: 'REPO_URL', value: 'not a url' }]), 'REPO_URL'),
    breakage(
      'configuration',
      filledText.map((value) => [
        { key: 'REPO_URL', value },
        { key: 'repo_url', value },
      ]),
      'configuration_key',
    ),
  ],
  packages: [
    breakage('name', fc.oneof(blank, unsuitableName)),
    breakage(
      'package_repo',
      shortName.map((one) => ({ id: `no-${one}` })),
      'id',
    ),
    breakage(
      'configuration',
      fc.constantFrom([], [{ key: 'PACKAGE_NAME' }], [{ key: 'PACKAGE_NAME', value: 'no such name' }]),
      'PACKAGE_NAME',
    ),
  ],
  pipelineGroups: [
    breakage(
      'authorization',
      fc.tuple(fc.constantFrom('view', 'operate', 'admins'), shortName).map(([right, role]) => ({ [right]: { roles: [`no-${role}`] } })),
      'roles',
    ),
  ],
  roles: [
    breakage(
      'type',
      fc.oneof(
        blank,
        shortName.map((one) => `no-${one}`),
      ),
    ),
    breakage(
      'policy',
      text
        .filter((one) => !['allow', 'deny'].includes(one))
        .map((permission) => [{ permission, action: 'view', type: '*', resource: '*' }]),
      'permission',
    ),
    breakage(
      'policy',
      blank.map((resource) => [{ permission: 'allow', action: 'view', type: '*', resource }]),
      'resource',
    ),
  ],
  secretConfigs: [
    ...brokenSettings('cd.go.secrets.file-based-plugin', 'SecretsFilePath', 'cd.go.artifact.s3'),
    brokenPath('cd.go.secrets.file-based-plugin', 'SecretsFilePath'),
  ],
  siteUrls: [
    breakage(
      'site_url',
      filledText.map((one) => `ftp://${one}`),
    ),
    breakage(
      'secure_site_url',
      filledText.map((one) => `http://${one}`),
    ),
  ],
  systemAdmins: [
    breakage('users', fc.constant([])),
    breakage(
      'roles',
      shortName.map((one) => [`no-${one}`]),
    ),
  ],
};

const OF_OTHER_TYPE: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  string: fc.constantFrom({ nested: 'x' }, ['x'], {}, []),
  boolean: fc.constantFrom({ nested: true }, [true], {}, []),
  integer: fc.constantFrom('many', {}, [], null),
  array: fc.constantFrom('x', 7, true, {}),
  object: fc.constantFrom('x', 7, true, []),
};

/** Every member of the kind once with a value of another type, and the needed ones left out. */
function brokenMembers(fields: Readonly<Record<string, Field<unknown>>>): Breakage[] {
  return Object.entries(fields).flatMap(([fieldName, field]) => {
    const { request, required = [] } = field.describe(snakeCase(fieldName));
    const retyped = Object.entries(request).map(([member, { type = 'object' }]) =>
      breakage(member, OF_OTHER_TYPE[[type].flat()[0] as string]!),
    );
    return [...retyped, ...required.map((member) => breakage(member, fc.constant(undefined)))];
  });
}

let server: TestServer;
let as: string;
before(async () => {
  server = await TestServer.start();
  // A password would be checked anew after each change of an authorization configuration, which takes its time.
  as = `Bearer ${(await server.post('/api/current_user/access_tokens', { description: 'for generated entities' })).json.token}`;
  for (const { name: kind, sample } of kinds) {
    if (!(kind in valid)) continue;
    for (const [path, body] of Object.entries(sample.needs ?? {})) assert.equal((await server.post(path, body)).status, 200, path);
  }
  const stages = [{ name: 'build', jobs: [{ name: 'compile', tasks: [{ type: 'exec', attributes: { command: 'make' } }] }] }];
  const materials = [{ type: 'git', attributes: { url: 'https://scm.example.org/pipelines.git' } }];
  await server.post('/api/admin/pipeline_groups', { name: 'pipelines-of-environments' });
  for (const pipeline of PIPELINES) {
    const body = { group: 'pipelines-of-environments', pipeline: { name: pipeline, materials, stages } };
    assert.equal((await server.post('/api/admin/pipelines', body)).status, 200);
  }
});
after(() => server.stop());

function check<T>(values: fc.Arbitrary<T>, numRuns: number, run: (value: T) => Promise<void>, seed = SEED): Promise<void> {
  return fc.assert(fc.asyncProperty(values, run), { seed, numRuns, includeErrorInReport: true });
}

for (const kind of kinds) {
  const entities = valid[kind.name];
  if (!entities) {
    test(`${kind.name} has a generator`, () => assert.fail('There is no generator of this kind: add one to `valid`.'));
    continue;
  }
  const isMember = kind.shape === 'collection';
  const idMember = isMember ? snakeCase(kind.id) : '';
  const names = isMember ? [kind.id, ...(kind.addressedBy ? [kind.addressedBy] : [])].map(snakeCase) : [];
  const withId = (body: Body, id: string): Body => ({ ...Object.fromEntries(names.map((member) => [member, id])), ...body });
  const addressOf = (id: string) => (isMember ? `${kind.path}/${id}` : kind.path);
  const creation = kind.sample.wrap ?? ((body: Body) => body);
  const put = (id: string, body: Body, etag = '*') => server.put(addressOf(id), body, etag, { as });

  describe(kind.name, () => {
    test('an entity comes back as it was sent, again and again', () =>
      check(fc.tuple(name, entities, entities), VALID_RUNS, async ([id, first, second]) => {
        const mustShow = (reply: Reply, { sent, shown }: Part<Body, Body>) => {
          assert.equal(reply.status, 200, `${reply.text}\nwas the answer to\n${JSON.stringify(sent)}`);
          assert.deepEqual(bare(reply.json), withId(shown, id));
          assert.ok(!reply.text.includes(SECRET_PREFIX), 'a secret is shown');
        };
        try {
          const created = isMember ? await server.post(kind.path, creation(withId(first.sent, id)), { as }) : await put(id, first.sent);
          mustShow(created, first);
          assert.equal((await server.get(addressOf(id), { as })).text, created.text);

          const updated = await put(id, withId(second.sent, id), created.etag);
          mustShow(updated, second);
          const read = await server.get(addressOf(id), { as });
          assert.equal(read.text, updated.text);
          assert.equal(read.etag, updated.etag);

          const { _links, ...asReturned } = read.json;
          for (const unchanged of [withId(second.sent, id), asReturned]) {
            const again = await put(id, unchanged, read.etag);
            assert.equal(again.text, read.text);
            assert.equal(again.etag, read.etag);
          }
        } finally {
          if (isMember) await server.delete(addressOf(id), { as });
        }
      }));

    describe('a broken member is named, and changes nothing', () => {
      let etag: string | undefined;
      before(async () => {
        const first = isMember ? await server.post(kind.path, creation(kind.sample.body(1)), { as }) : await put('', kind.sample.body(1));
        assert.equal(first.status, 200, first.text);
        etag = (await server.get(kind.path, { as })).etag;
      });
      after(async () => {
        if (isMember) await server.delete(addressOf('sample'), { as });
      });

      const { [isMember ? kind.id : '']: _, ...fields } = kind.fields;
      const breakages = [...brokenMembers(fields), ...(broken[kind.name] ?? [])];
      /** Tries each breakage on an entity of its own. */
      const checkEach = async (list: readonly Breakage[], runs: number, run: (body: Body, names: string) => Promise<void>) => {
        for (const [index, { names, members: wrong }] of list.entries())
          await check(fc.tuple(entities, wrong), runs, ([{ sent }, change]) => run({ ...sent, ...change }, names), SEED + index);
      };
      const mustRefuse = async (reply: Reply, names: string, body: Body) => {
        const exchange = `${reply.status} ${reply.text}\nwas the answer to\n${JSON.stringify(body)}`;
        assert.ok([400, 422].includes(reply.status), exchange);
        const isNamed = reply.json.message.includes(`'${names}'`) || errorKeys(reply.json).includes(names);
        assert.ok(isNamed, `${names} is not named: ${exchange}`);
        assert.equal((await server.get(kind.path, { as })).etag, etag, `something changed: ${exchange}`);
      };

      test('a broken member of an existing entity is refused', () =>
        checkEach(breakages, ROUNDS, async (change, names) => {
          const body = withId(change, 'sample');
          await mustRefuse(await put('sample', body), names, body);
        }));

      if (!isMember) return;
      test('a broken member of a new entity is refused', () =>
        checkEach(breakages, ROUNDS, async (change, names) => {
          const body = withId(change, 'new');
          await mustRefuse(await server.post(kind.path, creation(body), { as }), names, body);
        }));

      const ids = [breakage(idMember, unsuitableName), breakage(idMember, OF_OTHER_TYPE.string!)];
      if (!kind.generatesId) ids.push(breakage(idMember, fc.oneof(blank, fc.constant(undefined))));
      test('a broken id of a new entity is refused', () =>
        checkEach(ids, ID_RUNS, async (body, names) => {
          await mustRefuse(await server.post(kind.path, creation(body), { as }), names, body);
        }));
    });
  });
}

/** The JSON without links, and with one mark in the place of every cipher text. */
function bare(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(bare);
  if (typeof json !== 'object' || json === null) return json;
  return Object.fromEntries(
    Object.entries(json).flatMap(([key, value]) => {
      if (key === '_links') return [];
      const isCipherText = key.startsWith('encrypted_') && typeof value === 'string' && /^v2:[0-9a-f]{8}:/.test(value);
      return [[key, isCipherText ? CIPHER_TEXT : bare(value)]];
    }),
  );
}

/** The keys under every `errors`, at any depth. */
function errorKeys(data: unknown): string[] {
  if (typeof data !== 'object' || data === null) return [];
  return Object.entries(data).flatMap(([key, value]) => (key === 'errors' ? Object.keys(value) : errorKeys(value)));
}
