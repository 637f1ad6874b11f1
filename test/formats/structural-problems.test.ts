// The problems reported for definitions that can be read but are not whole: the words, the place and the names around it.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: labels and links of GoCD are written with ${…}
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Json, JsonObject } from '../../src/shape/json/json.ts';
import { jsonFormat } from './support/formats.ts';
import { parseText } from './support/pipelines.ts';

const FILE = 'p.gopipeline.json';
const PIPELINE = `${FILE}; Pipeline p`;
const STAGE = `${PIPELINE}; Stage (s)`;
const JOB = `${STAGE}; Job (j)`;

const git = { type: 'git', name: 'm', url: 'u', destination: 'd' };
const job = { name: 'j', tasks: [] };
const stage = { name: 's', jobs: [job] };
const pipeline: JsonObject = { name: 'p', group: 'g', materials: [git], stages: [stage] };

const withPipeline = (more: JsonObject): JsonObject => ({ ...pipeline, ...more });
const withMaterials = (...materials: Json[]) => withPipeline({ materials });
const withStage = (more: JsonObject) => withPipeline({ stages: [{ ...stage, ...more }] });
const withJob = (more: JsonObject) => withStage({ jobs: [{ ...job, ...more }] });
const withTask = (task: Json) => withJob({ tasks: [task] });
const without = (name: string): JsonObject => Object.fromEntries(Object.entries(pipeline).filter(([key]) => key !== name));
const noText = (field: string, got: string) => `Expected a text in field ${field}, got ${got}.`;
const missing = (...fields: readonly string[]) => fields.map((field) => `Missing field '${field}'.`);

function problemsOf(body: JsonObject, file = FILE): string[][] {
  return parseText(jsonFormat, file, JSON.stringify(body)).problems.map(({ location, message }) => [location, message]);
}

type Case = readonly [title: string, body: JsonObject, location: string, messages: readonly string[]];

const CASES: readonly Case[] = [
  ['a pipeline without name', without('name'), `Pipeline in ${FILE}`, missing('name')],
  ['a pipeline without group', without('group'), PIPELINE, missing('group')],
  ['a pipeline without materials', without('materials'), PIPELINE, ['Pipeline has no materials.']],
  ['a pipeline with no material', withMaterials(), PIPELINE, ['Pipeline has no materials.']],
  ['neither stages nor template', without('stages'), PIPELINE, ['Pipeline has to define stages or template.', 'Pipeline has no stages.']],
  ['stages and template', withPipeline({ template: 't' }), PIPELINE, ['Pipeline has to either define stages or template. Not both.']],
  [
    'a wrong lock behavior',
    withPipeline({ lock_behavior: 'lock' }),
    PIPELINE,
    ['Lock behavior has an invalid value (lock). Valid values are: [lockOnFailure, unlockWhenFinished, none]'],
  ],
  ['a stage twice', withPipeline({ stages: [stage, stage] }), PIPELINE, ['Stage named s is defined more than once']],
  ['a tracking tool without link', withPipeline({ tracking_tool: {} }), `${PIPELINE}; Tracking tool`, missing('link', 'regex')],
  ['a timer without spec', withPipeline({ timer: {} }), `${PIPELINE}; Timer`, missing('spec')],
  ['a parameter twice', withPipeline({ parameters: [{ name: 'a' }, { name: 'a' }] }), PIPELINE, ["Param name 'a' is not unique."]],
  [
    'a parameter with a bad name',
    withPipeline({ parameters: [{ name: 'a b' }] }),
    `${PIPELINE}; Parameter (a b)`,
    [
      "Invalid parameter name 'a b'. This must be alphanumeric and can contain underscores, hyphens and periods (however, it cannot start with a period). The maximum allowed length is 255 characters.",
    ],
  ],
  [
    'a variable twice',
    withPipeline({ environment_variables: [{ name: 'A' }, { name: 'A' }] }),
    PIPELINE,
    ['Environment variable A defined more than once'],
  ],
  [
    'a variable with both values',
    withPipeline({ environment_variables: [{ name: 'A', value: 'x', encrypted_value: 'y' }] }),
    `${PIPELINE}; Environment variable (A)`,
    ["Environment variable must have 'value' or 'encrypted_value' set. Please only one"],
  ],

  ['git without url', withMaterials({ type: 'git', name: 'm' }), `${PIPELINE}; Git material m URL: unknown`, missing('url')],
  ['hg without url', withMaterials({ type: 'hg' }), `${PIPELINE}; Hg material unknown URL: unknown`, missing('url')],
  ['svn without url', withMaterials({ type: 'svn' }), `${PIPELINE}; Svn material unknown URL: unknown`, missing('url')],
  ['p4 without port', withMaterials({ type: 'p4' }), `${PIPELINE}; Perforce material unknown Port: unknown`, missing('port', 'view')],
  ['tfs', withMaterials({ type: 'tfs' }), `${PIPELINE}; Tfs material unknown URL: unknown`, missing('url', 'username', 'project')],
  [
    'dependency',
    withMaterials({ type: 'dependency' }),
    `${PIPELINE}; Dependency material unknown on unknown pipeline/unknown stage`,
    missing('pipeline', 'stage'),
  ],
  ['package', withMaterials({ type: 'package' }), `${PIPELINE}; Package material unknown ID: unknown`, missing('package_id')],
  [
    'plugin with neither',
    withMaterials({ type: 'plugin' }),
    `${PIPELINE}; Pluggable SCM material unknown ID: unknown`,
    ['Either the scm_id or the plugin_configuration must be set'],
  ],
  [
    'an unnamed material beside another',
    withMaterials(git, { type: 'dependency', pipeline: 'x', stage: 'y' }),
    `${PIPELINE}; Dependency material unknown on x/y`,
    ['Material has no name when there many pipeline materials'],
  ],
  [
    'a material name twice',
    withMaterials(git, { type: 'package', name: 'm', package_id: 'x' }),
    `${PIPELINE}; Package material m ID: x`,
    ['Material named m is defined more than once'],
  ],
  [
    'no destination beside another',
    withMaterials(git, { type: 'hg', name: 'n', url: 'https://me:hush@host/x' }),
    `${PIPELINE}; Hg material n URL: https://******@host/x`,
    ['Material must have destination directory when there are many SCM materials'],
  ],
  [
    'a filter with both lists',
    withMaterials({ ...git, filter: { ignore: ['a'], includes: ['b'] } }),
    `${PIPELINE}; Git material m URL: u; Filter`,
    ['Material filter cannot contain both ignores and includes'],
  ],
  [
    'a filter with both lists in old words',
    withPipeline({ format_version: 9, materials: [{ ...git, filter: { ignore: ['a'], whitelist: ['b'] } }] }),
    `${PIPELINE}; Git material m URL: u; Filter`,
    ['Material filter cannot contain both ignores and includes'],
  ],
  [
    'both passwords',
    withMaterials({ ...git, password: 'a', encrypted_password: 'b' }),
    `${PIPELINE}; Git material m URL: u`,
    ['git material has both plain-text and encrypted passwords set. Please set only one password.'],
  ],
  ['an unknown material', withMaterials({ type: 'cvs' }), PIPELINE, ["Invalid or unknown material type 'cvs'"]],
  ['a type like a method', withMaterials({ type: 'constructor' }), PIPELINE, ["Invalid or unknown material type 'constructor'"]],

  ['a stage without name', withPipeline({ stages: [{ jobs: [job] }] }), `${PIPELINE}; Stage (unknown)`, missing('name')],
  ['a stage without jobs', withStage({ jobs: [] }), STAGE, ['Stage has no jobs']],
  ['a job twice', withStage({ jobs: [job, job] }), STAGE, ['Job j is defined more than once']],
  ['an approval without type', withStage({ approval: {} }), `${STAGE}; Approval`, missing('type')],
  ['a job without name', withStage({ jobs: [{ tasks: [] }] }), `${STAGE}; Job (unknown)`, missing('name')],
  [
    'resources and a profile',
    withJob({ resources: ['a'], elastic_profile_id: 'b' }),
    JOB,
    ['elastic_profile_id cannot be specified together with resources'],
  ],
  ['a tab without path', withJob({ tabs: [{ name: 'a' }] }), `${JOB}; Tab`, missing('path')],
  ['an artifact without source', withJob({ artifacts: [{ type: 'build' }] }), `${JOB}; Artifacts`, missing('source')],
  ['an external artifact', withJob({ artifacts: [{ type: 'external' }] }), `${JOB}; Artifacts`, missing('id', 'store_id')],
  ['an unknown artifact', withJob({ artifacts: [{ type: 'x' }] }), `${JOB}; Artifacts`, ["Invalid or unknown task type 'x'"]],
  [
    'an artifact without type',
    withJob({ artifacts: [{}] }),
    `${JOB}; Artifacts`,
    ['JSON element from plugin did not contain [type] property for determining its type. Check your syntax, or the plugin logic.'],
  ],
  ['a wrong timeout', withJob({ timeout: 'long' }), JOB, ['Expected integer value in field timeout, got long']],
  ['half a minute', withJob({ timeout: 0.5 }), JOB, ['Expected integer value in field timeout, got 0.5']],
  ['too many minutes', withJob({ timeout: 1e30 }), JOB, ['Expected integer value in field timeout, got 1e+30']],
  ['half an instance', withJob({ run_instance_count: 1.5 }), JOB, ["run_instances must be 'all' or a number"]],
  ['too many instances', withJob({ run_instance_count: '9'.repeat(20) }), JOB, ["run_instances must be 'all' or a number"]],
  ['a wrong number of instances', withJob({ run_instance_count: 'some' }), JOB, ["run_instances must be 'all' or a number"]],
  ['a wrong flag', withStage({ fetch_materials: 'yes' }), STAGE, ['Expected boolean value in field fetch_materials, got yes']],
  ['a text instead of a list', withJob({ resources: 'x' }), JOB, ['Expected a list in field resources, got a text.']],
  ['a list instead of a text', withJob({ elastic_profile_id: [] }), JOB, ['Expected a text in field elastic_profile_id, got a list.']],
  ['a text instead of an object', withStage({ approval: 'manual' }), STAGE, ['Expected a map in field approval, got a text.']],
  ['nothing in a list', withJob({ resources: [null] }), JOB, ['Entry 1 of the list resources is empty.']],

  ['exec without command', withTask({ type: 'exec' }), `${JOB}; exec task (unknown)`, missing('command')],
  [
    'fetch of nothing',
    withTask({ type: 'fetch' }),
    `${JOB}; fetch artifacts task from unknown unknown unknown`,
    missing('stage', 'job', 'source'),
  ],
  [
    'an external fetch of nothing',
    withTask({ type: 'fetch', artifact_origin: 'external', pipeline: 'p', stage: 's', job: 'j' }),
    `${JOB}; fetch artifacts task from p s j`,
    missing('artifact_id'),
  ],
  [
    'an unknown origin',
    withTask({ type: 'fetch', artifact_origin: 'moon', stage: 's', job: 'j' }),
    `${JOB}; fetch artifacts task from unknown s j`,
    ["Invalid artifact origin 'moon' for fetch task."],
  ],
  ['a plugin task without plugin', withTask({ type: 'plugin' }), `${JOB}; pluggable task`, missing('plugin_configuration')],
  [
    'a plugin task without version',
    withTask({ type: 'plugin', plugin_configuration: {} }),
    `${JOB}; pluggable task; Plugin configuration`,
    missing('id', 'version'),
  ],
  [
    'a property twice',
    withTask({ type: 'plugin', plugin_configuration: { id: 'x', version: '1' }, configuration: [{ key: 'a' }, { key: 'a' }] }),
    `${JOB}; pluggable task`,
    ['Configuration property a is defined more than once'],
  ],
  [
    'a property of a fetch twice',
    withTask({
      type: 'fetch',
      artifact_origin: 'external',
      stage: 's',
      job: 'j',
      artifact_id: 'x',
      configuration: [{ key: 'a' }, { key: 'a' }],
    }),
    `${JOB}; fetch artifacts task from unknown s j`,
    ['Duplicate Configuration property a'],
  ],
  [
    'a property with both values',
    withTask({
      type: 'plugin',
      plugin_configuration: { id: 'x', version: '1' },
      configuration: [{ key: 'a', value: 'b', encrypted_value: 'c' }],
    }),
    `${JOB}; pluggable task; Configuration property (a)`,
    ["Configuration property must have 'value' or 'encrypted_value' set. Please only one"],
  ],
  ['an unknown task', withTask({ type: 'magic' }), JOB, ["Invalid or unknown task type 'magic'."]],
  [
    'a task on cancel',
    withTask({ type: 'rake', on_cancel: { type: 'exec' } }),
    `${JOB}; rake build task; exec task (unknown)`,
    missing('command'),
  ],
];

/** The name in a label may be wrong itself: then it is reported once, with all others, under a label that does without it. */
const UNNAMED: readonly Case[] = [
  ['the name of a stage', withPipeline({ stages: [{ ...stage, name: [] }] }), `${PIPELINE}; Stage (unknown)`, [noText('name', 'a list')]],
  ['the name of a job', withStage({ jobs: [{ ...job, name: {} }] }), `${STAGE}; Job (unknown)`, [noText('name', 'a map')]],
  ['a command', withTask({ type: 'exec', command: ['make'] }), `${JOB}; exec task (unknown)`, [noText('command', 'a list')]],
  [
    'a command on cancel',
    withTask({ type: 'rake', on_cancel: { type: 'exec', command: {} } }),
    `${JOB}; rake build task; exec task (unknown)`,
    [noText('command', 'a map')],
  ],
  [
    'where to fetch from',
    withTask({ type: 'fetch', pipeline: [], stage: {}, job: ['j'], source: 'x' }),
    `${JOB}; fetch artifacts task from unknown unknown unknown`,
    [noText('pipeline', 'a list'), noText('stage', 'a map'), noText('job', 'a list')],
  ],
  ...['Git', 'Hg', 'Svn', 'Tfs'].map(
    (title): Case => [
      `the address of ${title}`,
      withMaterials({ type: title.toLowerCase(), name: 'm', url: { url: 'u' }, username: 'x', project: 'y' }),
      `${PIPELINE}; ${title} material m URL: unknown`,
      [noText('url', 'a map')],
    ],
  ),
  [
    'the name of a material, and its port',
    withMaterials({ type: 'p4', name: [], port: [], view: 'v' }),
    `${PIPELINE}; Perforce material unknown Port: unknown`,
    [noText('name', 'a list'), noText('port', 'a list')],
  ],
  [
    'the name of a material beside another',
    withMaterials(git, { type: 'configrepo', name: {} }),
    `${PIPELINE}; Config material unknown`,
    [noText('name', 'a map')],
  ],
  [
    'a dependency',
    withMaterials({ type: 'dependency', pipeline: {}, stage: [] }),
    `${PIPELINE}; Dependency material unknown on unknown pipeline/unknown stage`,
    [noText('pipeline', 'a map'), noText('stage', 'a list')],
  ],
  [
    'a package',
    withMaterials({ type: 'package', name: {}, package_id: [] }),
    `${PIPELINE}; Package material unknown ID: unknown`,
    [noText('name', 'a map'), noText('package_id', 'a list')],
  ],
  [
    'an SCM',
    withMaterials({ type: 'plugin', scm_id: {} }),
    `${PIPELINE}; Pluggable SCM material unknown ID: unknown`,
    [noText('scm_id', 'a map')],
  ],
];

describe('structural problems', () => {
  test('a sound pipeline has none', () => assert.deepEqual(problemsOf(pipeline), []));
  for (const [title, body, location, messages] of [...CASES, ...UNNAMED]) {
    test(`a definition is checked: ${title}`, () =>
      assert.deepEqual(
        problemsOf(body),
        messages.map((message) => [location, message]),
      ));
  }
});

describe('environments', () => {
  const file = 'e.goenvironment.json';
  for (const [title, body, location, message] of [
    ['without name', { agents: [] }, `Environment in ${file}`, "Missing field 'name'."],
    ['an agent twice', { name: 'e', agents: ['a', 'A'] }, `${file}; Environment e`, 'Agent A is defined more than once'],
    ['a pipeline twice', { name: 'e', pipelines: ['p', 'P'] }, `${file}; Environment e`, 'Pipeline P is defined more than once'],
  ] as const) {
    test(`an environment is checked: ${title}`, () => assert.deepEqual(problemsOf(body, file), [[location, message]]));
  }
});

test('parameters may stand where values are checked', () => {
  const body = withJob({ timeout: '#{t}', run_instance_count: '#{n}' });
  assert.deepEqual(problemsOf({ ...body, lock_behavior: '#{lock}' }), []);
});

test('no secret in clear is in a problem or a warning', () => {
  const secret = 'do-not-tell';
  const materials = [
    { ...git, url: `https://me:${secret}@host/a`, password: secret, encrypted_password: 'x' },
    { type: 'hg', url: `https://${secret}@host/b`, password: [secret] },
  ];
  const { problems, warnings } = parseText(jsonFormat, FILE, JSON.stringify(withPipeline({ materials })));
  assert.ok(problems.length > 2);
  assert.ok(!JSON.stringify([problems, warnings]).includes(secret));
});
