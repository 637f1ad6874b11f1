// Generated configurations come back from their documents as they were, with any characters in their texts.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import { XmlDocument } from 'libxml2-wasm';
import { hasInvisibleCharacter } from '../../../src/kit/text/invisible-characters.ts';
import { readXml } from '../../../src/kit/xml/read-xml.ts';
import type { KindName } from '../../../src/shape/configuration.ts';
import type { Json, JsonObject } from '../../../src/shape/json/json.ts';
import { anyText } from '../../support/configuration/xml-text.ts';
import { documentOf, entityOf, entriesByKind, jsonOf, plain, readText, relatedOf } from './entities.ts';
import { writeDocument } from './whole-document.ts';

const SEED = Number(process.env.TEST_SEED ?? 261_115);
const MAX_MS = 4000;

const text = anyText(12);
const filled = text.filter((one) => one.trim() !== '');
const name = fc.stringMatching(/^[a-zA-Z0-9_-][a-zA-Z0-9_.-]{0,10}$/);
const visible = text.filter((one) => !hasInvisibleCharacter(one));
const names = fc.array(text, { maxLength: 3 });
const logins = fc.array(
  visible.map((one) => one.trim().normalize('NFC')),
  { maxLength: 3 },
);
const flag = fc.boolean();
const orNull = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: null });
const list = <T>(items: fc.Arbitrary<T>) => fc.array(items, { maxLength: 3 });
const number = fc.oneof(fc.nat(1000), fc.double({ min: 0, max: 1e9, noNaN: true, noDefaultInfinity: true }));

type Arbitrary = fc.Arbitrary<JsonObject>;
const object = (members: Readonly<Record<string, fc.Arbitrary<unknown>>>) => fc.record(members) as Arbitrary;
const typed = (type: string, attributes: Readonly<Record<string, fc.Arbitrary<unknown>>>) =>
  object({ type: fc.constant(type), attributes: object(attributes) });
const unique = (items: Arbitrary, member: string) =>
  fc.uniqueArray(items, { maxLength: 3, selector: (one) => String(one[member]).toLowerCase() });

const members = object({ users: logins, roles: names });
const settings = unique(fc.oneof(object({ key: visible, value: text }), object({ key: visible })), 'key');
const variables = list(object({ name: text, value: text, secure: flag }));
const directives = (verdict: string) =>
  list(object({ [verdict]: fc.constantFrom('allow', 'deny'), action: filled, type: filled, resource: filled }));
const plugin = object({ id: filled, version: orNull(filled) });

/** An address with credentials in it is another matter: it is kept as a secret. */
const address = text.filter((one) => !one.includes('@'));
const login = { username: filled, password: text };
const tfs = { url: address, project_path: filled, username: filled, password: text };
const repositories = {
  git: { ...login, url: address, branch: filled.map((one) => one.trim()) },
  hg: { ...login, url: address, branch: filled },
  svn: { ...login, url: address, check_externals: flag },
  p4: { ...login, port: filled, use_tickets: flag, view: filled },
};
const path = fc.constantFrom('a', 'a/b', '.hidden', 'a b', '#{dir}');
const checkout = {
  destination: orNull(path),
  filter: orNull(object({ ignore: fc.array(text, { minLength: 1, maxLength: 3 }) })),
  invert_filter: flag,
};
const common = { ...checkout, name: orNull(name), auto_update: flag };

const material = fc.oneof(
  typed('git', { ...repositories.git, ...common, shallow_clone: flag, submodule_folder: orNull(text) }),
  typed('hg', { ...repositories.hg, ...common }),
  typed('svn', { ...repositories.svn, ...common }),
  typed('p4', { ...repositories.p4, ...common }),
  typed('tfs', { ...tfs, ...common, domain: text }),
  typed('dependency', { pipeline: filled, stage: filled, name: orNull(name), ignore_for_scheduling: flag }),
  typed('package', { ref: text }),
  typed('plugin', { ref: text, ...checkout }),
);

const directory = orNull(text.filter((one) => one !== ''));
const buildTool = { build_file: orNull(text), target: orNull(text), working_directory: directory };
const source = fc.oneof(fc.record({ is_source_a_file: flag, source: filled }), fc.constant({ is_source_a_file: false, source: null }));
const fetch = fc
  .tuple(
    object({
      artifact_origin: fc.constantFrom('gocd', 'external'),
      pipeline: orNull(text),
      stage: filled,
      job: filled,
      destination: directory,
      artifact_id: orNull(text),
      configuration: settings,
    }),
    source,
  )
  .map(([rest, from]): JsonObject => ({ ...rest, ...from }));
const pluginId = fc.oneof(filled, fc.constantFrom('slipway.script', 'slipway.script.', 'slipway.script..', 'slipway.scripts'));

const ownAttributes: Readonly<Record<string, Arbitrary>> = {
  exec: fc.oneof(
    object({ command: filled, working_directory: directory }),
    object({ command: filled, working_directory: directory, args: text, timeout: fc.integer({ min: 1 }) }),
    object({ command: filled, working_directory: directory, arguments: fc.array(text, { minLength: 1, maxLength: 3 }) }),
  ),
  ant: object(buildTool),
  rake: object(buildTool),
  nant: object({ ...buildTool, nant_path: orNull(text) }),
  fetch,
  script: object({ script: filled, shell: orNull(text), working_directory: orNull(text) }),
  pluggable_task: object({ plugin_configuration: object({ id: pluginId, version: orNull(filled) }), configuration: settings }),
};
const cancelTask = fc.oneof(...Object.entries(ownAttributes).map(([type, attributes]) => object({ type: fc.constant(type), attributes })));
const task = fc
  .tuple(
    cancelTask,
    object({ run_if: list(fc.constantFrom('passed', 'failed', 'any')), on_cancel: orNull(cancelTask), nothing_on_cancel: flag }),
  )
  .map(([{ type, attributes }, conditions]): JsonObject => ({ type: type!, attributes: { ...(attributes as JsonObject), ...conditions } }));

const artifact = fc.oneof(
  object({ type: fc.constantFrom('build', 'test'), source: filled, destination: orNull(text) }),
  object({ type: fc.constant('external'), artifact_id: name, store_id: filled, configuration: settings }),
);
const job = object({
  name: fc.oneof(name, fc.constant('#{job}')),
  run_instance_count: fc.oneof(fc.constant(null), fc.constant('all'), fc.integer({ min: 1, max: 99 }), fc.constant('#{count}')),
  timeout: fc.oneof(fc.constant(null), fc.constant('never'), number, fc.constant('#{minutes}')),
  elastic_profile_id: orNull(filled),
  environment_variables: variables,
  resources: list(filled),
  tasks: fc.array(task, { maxLength: 4 }),
  tabs: list(object({ name: filled, path: filled })),
  artifacts: list(artifact),
});
const stage = object({
  name,
  fetch_materials: flag,
  clean_working_directory: flag,
  never_cleanup_artifacts: flag,
  approval: object({ type: fc.constantFrom('success', 'manual'), allow_only_on_success: flag, authorization: members }),
  environment_variables: variables,
  jobs: fc.array(job, { minLength: 1, maxLength: 2 }),
});
const stages = fc.array(stage, { minLength: 1, maxLength: 2 });

const repository = object({ name, plugin_metadata: plugin, configuration: settings, repo_id: name });
const profile = object({ id: name, plugin_id: text, properties: settings });
const email = fc.tuple(text, text).map((parts) => parts.join('@'));
const pipeline = object({
  group: fc.constant('g'),
  name,
  label_template: text,
  lock_behavior: fc.constantFrom('lockOnFailure', 'unlockWhenFinished', 'none', '#{lock}'),
  template: fc.constant(null),
  parameters: list(object({ name, value: text })),
  environment_variables: variables,
  materials: fc.array(material, { minLength: 1, maxLength: 4 }),
  stages,
  tracking_tool: orNull(typed('generic', { url_pattern: text, regex: text })),
  timer: orNull(object({ spec: text, only_on_changes: flag })),
});

const bodies: Readonly<Partial<Record<KindName, Arbitrary>>> = {
  jobTimeout: object({
    default_job_timeout: fc.oneof(number.map(String), fc.constantFrom(' 7 ', '007', '1.50')).filter((one) => one !== '0'),
  }),
  siteUrls: object({ site_url: filled, secure_site_url: text }),
  authConfigs: object({ id: name, plugin_id: text, allow_only_known_users_to_login: flag, properties: settings }),
  roles: fc.oneof(
    object({
      name,
      type: fc.constantFrom('svc', 'slipway', 'gocd'),
      policy: directives('permission'),
      attributes: object({ users: logins }),
    }),
    object({
      name,
      type: fc.constant('plugin'),
      policy: directives('permission'),
      attributes: object({ auth_config_id: filled, properties: settings }),
    }),
  ),
  systemAdmins: object({ users: logins.filter((all) => all.length > 0), roles: names }),
  mailServer: object({
    hostname: filled,
    port: fc.integer({ min: 1, max: 65_535 }),
    username: orNull(text),
    password: text,
    tls: flag,
    sender_email: email,
    admin_email: email,
  }),
  backupConfig: object({
    schedule: orNull(text),
    post_backup_script: filled,
    email_on_failure: flag,
    email_on_success: flag,
  }),
  artifactsConfig: object({
    artifacts_dir: filled,
    purge_settings: object({ purge_start_disk_space: number, purge_upto_disk_space: number }),
  }),
  elasticProfiles: object({ id: name, cluster_profile_id: text, properties: settings }),
  clusterProfiles: profile,
  packageRepositories: repository,
  scms: object({ id: name, name, auto_update: flag, plugin_metadata: plugin, configuration: settings }),
  configRepos: object({
    id: name,
    plugin_id: filled,
    material: fc.oneof(
      ...Object.entries(repositories).map(([type, attributes]) => typed(type, { ...attributes, auto_update: flag })),
      typed('tfs', { ...tfs, domain: orNull(text), auto_update: flag }),
    ),
    configuration: unique(object({ key: visible, value: filled }), 'key'),
    rules: directives('directive'),
  }),
  artifactStores: profile,
  secretConfigs: object({ id: name, plugin_id: text, description: filled, properties: settings, rules: directives('directive') }),
  pipelineGroups: object({ name, authorization: object({ view: members, operate: members, admins: members }) }),
  templates: object({ name, stages }),
  environments: object({ name, pipelines: list(object({ name: text })), environment_variables: variables }),
};

function comesBack(kind: KindName, body: JsonObject, around: readonly { kind: KindName; json: JsonObject }[] = []): void {
  const json = jsonOf({ kind, entity: entityOf(kind, body) });
  const document = writeDocument(relatedOf([...around, { kind, json }]));
  XmlDocument.fromString(document).dispose(); // well formed, also to another parser
  const read = readText(document);
  assert.deepEqual([read.problems, read.ignored], [[], []], document);
  const again = read.entities.find((entity) => entity.kind === kind)!;
  assert.deepEqual(plain(again.json), json, document);
  assert.equal(writeDocument(relatedOf(read.entities)), document);
  assert.doesNotThrow(() => entityOf(kind, again.json));
}

describe('generated entities come back from their documents', () => {
  for (const [kind, arbitrary] of entriesByKind(bodies)) {
    test(`generated ${kind} come back from their documents`, () => {
      fc.assert(
        fc.property(arbitrary, (body) => comesBack(kind, body)),
        { seed: SEED, numRuns: 60, interruptAfterTimeLimit: MAX_MS },
      );
    });
  }

  test('generated pipelines come back from their documents', () => {
    const group = { kind: 'pipelineGroups', json: { name: 'g', authorization: {} } } as const;
    fc.assert(
      fc.property(pipeline, (body) => comesBack('pipelines', body, [group])),
      { seed: SEED, numRuns: 200, interruptAfterTimeLimit: MAX_MS },
    );
  });

  test('generated packages come back from their documents', () => {
    const one = object({ id: name, name, auto_update: flag, package_repo: fc.constant({ id: 'r' }), configuration: settings });
    const owner = { repo_id: 'r', name: 'r', plugin_metadata: { id: 'x', version: null }, configuration: [] };
    fc.assert(
      fc.property(one, (body) => comesBack('packages', body, [{ kind: 'packageRepositories', json: owner }])),
      { seed: SEED, numRuns: 60 },
    );
  });

  test('the generated authorization of a template comes back from its document', () => {
    const one = object({ template: fc.constant('t'), all_group_admins_are_view_users: flag, admin: members, view: members });
    const minimal = entityOf('templates', { name: 't', stages: [{ name: 's', jobs: [{ name: 'j', tasks: [] }] }] });
    const owner = { kind: 'templates', json: jsonOf({ kind: 'templates', entity: minimal }) } as const;
    fc.assert(
      fc.property(one, (body) => comesBack('templateAuthorizations', body, [owner])),
      { seed: SEED, numRuns: 60 },
    );
  });
});

/** Different in the JSON, but with the same meaning: reading the document gives the second form. */
const SAME_MEANING: readonly (readonly [title: string, one: Json, other: Json])[] = [
  ['no directory for a task', { working_directory: '' }, { working_directory: null }],
  ['no arguments', { arguments: [] }, {}],
];

describe('equivalent values are written the same', () => {
  const documentWith = (attributes: Json, more: JsonObject = {}) => {
    const body: JsonObject = {
      group: 'g',
      name: 'p',
      materials: [{ type: 'git', attributes: { url: 'u' } }],
      stages: [
        { name: 's', jobs: [{ name: 'j', tasks: [{ type: 'exec', attributes: { command: 'c', ...(attributes as JsonObject) } }] }] },
      ],
      ...more,
    };
    return documentOf([
      { kind: 'pipelineGroups', entity: entityOf('pipelineGroups', { name: 'g' }) },
      { kind: 'pipelines', entity: entityOf('pipelines', body) },
    ]);
  };
  for (const [title, one, other] of SAME_MEANING)
    test(`equivalent values are written the same: ${title}`, () => assert.equal(documentWith(one), documentWith(other)));

  test('an empty destination or name of a material is the same as none', () => {
    const materials = (attributes: JsonObject): Json => [{ type: 'git', attributes: { url: 'u', ...attributes } }];
    assert.equal(
      documentWith({}, { materials: materials({ destination: '', name: '' }) }),
      documentWith({}, { materials: materials({ destination: null, name: null }) }),
    );
  });

  test('an empty list of stages beside a template is the same as none', () => {
    assert.equal(documentWith({}, { template: 't', stages: [] }), documentWith({}, { template: 't', stages: null }));
  });
});

test('any text makes a well-formed document of names, values, attributes and sections', () => {
  fc.assert(
    fc.property(text, text, (one, other) => {
      const body = {
        group: 'g',
        name: 'p',
        parameters: [{ name: 'x', value: one }],
        environment_variables: [{ name: other, value: one }],
        materials: [{ type: 'p4', attributes: { port: other, view: one } }],
      };
      const json = jsonOf({ kind: 'pipelines', entity: entityOf('pipelines', body) });
      const document = writeDocument(
        relatedOf([
          { kind: 'pipelineGroups', json: { name: 'g' } },
          { kind: 'pipelines', json },
        ]),
      );
      assert.deepEqual(readXml(document).problems, []);
      const read = readText(Buffer.from(document).toString());
      assert.deepEqual(plain(read.entities.at(-1)!.json), json);
    }),
    { seed: SEED, numRuns: 300 },
  );
});
