// The JSON of everything in a pipeline: each kind of material, task and artifact comes back as it was sent, in the order of GoCD.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: labels and links of GoCD are written with ${…}
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { accepted, addRole } from '../../support/requests/callers.ts';
import { TestServer } from '../../support/server/server.ts';
import { addNeighbours, create, exec, git, job, PATH, pipeline, stage } from './bodies.ts';

let server: TestServer;
let count = 0;
before(async () => {
  server = await TestServer.start();
  await addNeighbours(server);
  await addRole(server, 'approvers', ['jez']);
  const published = { type: 'external', artifact_id: 'image', store_id: 'store' };
  accepted(await create(server, pipeline('up', { stages: [stage('s', { jobs: [job({ artifacts: [published] })] })] })));
});
after(() => server.stop());

/** Creates a pipeline and gives it back as a GET shows it. */
async function shown(more: object) {
  const name = `p${++count}`;
  const created = accepted(await create(server, pipeline(name, more)));
  const read = accepted(await server.get(`${PATH}/${name}`));
  assert.equal(read.text, created.text);
  return read.json;
}

const text = (value: unknown) => JSON.stringify(value, null, 1);

const common = { destination: 'to', filter: { ignore: ['doc/**/*', '*.md'] }, invert_filter: true, name: 'mine', auto_update: false };
const unset = { destination: null, filter: null, invert_filter: false, name: null, auto_update: true };

/** The attributes of each type in the order of GoCD, all set and all left to their defaults. */
const MATERIALS: readonly { type: string; sent: object; shown?: object; minimal: object; shownMinimal: object }[] = [
  {
    type: 'git',
    sent: {
      url: 'https://scm.example.org/g1.git',
      ...common,
      username: 'me',
      branch: 'main',
      submodule_folder: 'sub',
      shallow_clone: true,
    },
    minimal: { url: 'https://scm.example.org/g2.git' },
    shownMinimal: { url: 'https://scm.example.org/g2.git', ...unset, branch: 'master', submodule_folder: null, shallow_clone: false },
  },
  {
    type: 'hg',
    sent: { url: 'https://scm.example.org/h1', ...common, username: 'me', branch: 'feature' },
    minimal: { url: 'https://scm.example.org/h2' },
    shownMinimal: { url: 'https://scm.example.org/h2', ...unset },
  },
  {
    type: 'svn',
    sent: { url: 'https://scm.example.org/s1', ...common, username: 'me', check_externals: true },
    minimal: { url: 'https://scm.example.org/s2' },
    shownMinimal: { url: 'https://scm.example.org/s2', ...unset, check_externals: false },
  },
  {
    type: 'p4',
    sent: { ...common, username: 'me', port: 'p4.example.org:1666', use_tickets: true, view: '//depot/... //ws/...' },
    minimal: { port: 'p4.example.org:1667', view: '//depot/... //ws/...' },
    shownMinimal: { ...unset, port: 'p4.example.org:1667', use_tickets: false, view: '//depot/... //ws/...' },
  },
  {
    type: 'tfs',
    sent: { url: 'https://tfs.example.org/t1', ...common, username: 'me', domain: 'corp', project_path: '$/project' },
    minimal: { url: 'https://tfs.example.org/t2', username: 'me', project_path: '$/project' },
    shownMinimal: { url: 'https://tfs.example.org/t2', ...unset, username: 'me', domain: '', project_path: '$/project' },
  },
  {
    type: 'dependency',
    sent: { pipeline: 'up', stage: 's', name: 'mine', auto_update: true, ignore_for_scheduling: true },
    minimal: { pipeline: 'up', stage: 's' },
    shownMinimal: { pipeline: 'up', stage: 's', name: null, auto_update: true, ignore_for_scheduling: false },
  },
  { type: 'package', sent: { ref: 'pkg' }, minimal: { ref: 'pkg' }, shownMinimal: { ref: 'pkg' } },
  {
    type: 'plugin',
    sent: { ref: 'scm-id', filter: { ignore: ['*.md'] }, destination: 'to', invert_filter: true },
    minimal: { ref: 'scm-id' },
    shownMinimal: { ref: 'scm-id', filter: null, destination: null, invert_filter: false },
  },
];

describe('materials', () => {
  for (const { type, sent, minimal, shownMinimal } of MATERIALS) {
    test(`${type} comes back as it was sent`, async () => {
      const { materials } = await shown({ materials: [{ type, attributes: sent }] });
      assert.deepEqual(materials, [{ type, attributes: sent }]);
    });
    test(`${type} with the least it needs has the defaults of GoCD`, async () => {
      const { materials } = await shown({ materials: [{ type, attributes: minimal }] });
      assert.deepEqual(materials, [{ type, attributes: shownMinimal }]);
    });
    test(`${type} has its attributes in the order of GoCD`, async () => {
      const { materials } = await shown({ materials: [{ type, attributes: sent }] });
      assert.deepEqual(Object.keys(materials[0].attributes), Object.keys(sent));
    });
  }

  test('a password comes back as encrypted_password, and can be sent so', async () => {
    const { name, materials } = await shown({
      materials: [git({ url: 'https://scm.example.org/pw.git', username: 'me', password: 'hush' })],
    });
    const { encrypted_password } = materials[0].attributes;
    assert.match(encrypted_password, /^v2:/);
    const sent = { materials: [git({ url: 'https://scm.example.org/pw.git', username: 'me', encrypted_password })] };
    const again = accepted(await server.put(`${PATH}/${name}`, { ...pipeline(name, sent), group: 'g' }, '*'));
    assert.equal(again.json.materials[0].attributes.encrypted_password, encrypted_password);
  });

  test('types are read in any letter case, and an unknown one is named', async () => {
    const { materials } = await shown({ materials: [{ type: 'GIT', attributes: { url: 'https://scm.example.org/case.git' } }] });
    assert.equal(materials[0].type, 'git');
    const odd = await create(server, pipeline('odd', { materials: [{ type: 'cvs', attributes: { url: 'x' } }] }));
    assert.equal(odd.status, 422);
    assert.match(odd.json.message, /'?cvs'?/);
  });

  test('several materials of all types keep their order', async () => {
    const materials = MATERIALS.map(({ type, sent }, index) => {
      const more = 'destination' in sent ? { destination: `d${index}` } : {};
      return { type, attributes: { ...sent, ...more, ...('name' in sent && { name: `m${index}` }) } };
    });
    const { materials: read } = await shown({ materials });
    assert.deepEqual(read, materials);
  });
});

const cancel = { type: 'exec', attributes: { command: 'cleanup', arguments: ['-f'], working_directory: null } };
const conditions = { run_if: ['passed', 'failed'], on_cancel: cancel };
const TASKS: Readonly<Record<string, { type: string; attributes: Record<string, unknown> }>> = {
  'exec with arguments': {
    type: 'exec',
    attributes: { ...conditions, command: 'make', arguments: ['-j', '4 4'], working_directory: 'dir' },
  },
  'exec with one line of arguments': {
    type: 'exec',
    attributes: { run_if: [], on_cancel: null, command: 'make', args: '-j 4', working_directory: null },
  },
  'exec with a timeout, which goes on when the job is cancelled': {
    type: 'exec',
    attributes: { run_if: [], on_cancel: null, nothing_on_cancel: true, command: 'make', working_directory: null, timeout: 30 },
  },
  ant: { type: 'ant', attributes: { ...conditions, build_file: 'build.xml', target: 'all', working_directory: 'dir' } },
  rake: { type: 'rake', attributes: { ...conditions, build_file: 'Rakefile', target: 'all', working_directory: 'dir' } },
  nant: {
    type: 'nant',
    attributes: { ...conditions, build_file: 'default.build', target: 'all', working_directory: 'dir', nant_path: '/opt/nant' },
  },
  script: { type: 'script', attributes: { ...conditions, script: 'set -e\nmake\n', shell: 'bash', working_directory: 'dir' } },
  'pluggable task': {
    type: 'pluggable_task',
    attributes: {
      ...conditions,
      plugin_configuration: { id: 'com.example.task', version: '1' },
      configuration: [{ key: 'Script', value: 'echo hello' }, { key: 'Flag' }],
    },
  },
};

const FETCHES: Readonly<Record<string, Record<string, unknown>>> = {
  'built-in artifact': {
    ...conditions,
    artifact_origin: 'gocd',
    pipeline: 'up',
    stage: 's',
    job: 'j',
    is_source_a_file: true,
    source: 'out/app.jar',
    destination: 'lib',
  },
  'external artifact': {
    ...conditions,
    artifact_origin: 'external',
    pipeline: 'up',
    stage: 's',
    job: 'j',
    artifact_id: 'image',
    configuration: [{ key: 'EnvVar', value: 'IMAGE' }],
  },
};

describe('tasks', () => {
  const first = async (task: object, more: object = {}) =>
    (await shown({ ...more, stages: [stage('s', { jobs: [job({ tasks: [task] })] })] })).stages[0].jobs[0].tasks[0];

  for (const [name, task] of Object.entries(TASKS)) {
    test(`${name} comes back as it was sent, in the same order`, async () => {
      assert.equal(text(await first(task)), text(task));
    });
  }

  for (const [name, attributes] of Object.entries(FETCHES)) {
    test(`a fetch of a ${name} comes back with the attributes that were sent`, async () => {
      const materials = [{ type: 'dependency', attributes: { pipeline: 'up', stage: 's' } }];
      const { type, attributes: read } = await first({ type: 'fetch', attributes }, { materials });
      assert.equal(type, 'fetch');
      for (const [key, value] of Object.entries(attributes)) assert.deepEqual(read[key], value, key);
    });
  }

  test('every kind may be the task on cancel', async () => {
    for (const { type, attributes } of Object.values(TASKS)) {
      const { run_if: _, on_cancel: __, nothing_on_cancel: ___, ...own } = attributes;
      const task = exec({ on_cancel: { type, attributes: own } });
      assert.deepEqual((await first(task)).attributes.on_cancel, { type, attributes: own });
    }
  });

  test('run_if is read in any letter case and as a single text', async () => {
    assert.deepEqual((await first(exec({ run_if: ['Any'] }))).attributes.run_if, ['any']);
    assert.deepEqual((await first(exec({ run_if: 'failed' }))).attributes.run_if, ['failed']);
    assert.deepEqual((await first(exec())).attributes.run_if, []);
  });

  test('duplicates, outer blanks, nulls and contradictory members do not come back', async () => {
    assert.deepEqual((await first(exec({ run_if: ['any', 'failed', 'ANY'] }))).attributes.run_if, ['any', 'failed']);
    assert.equal((await first(exec({ command: ' make\n' }))).attributes.command, 'make');
    assert.ok(!('timeout' in (await first(exec({ timeout: null }))).attributes));
    const { attributes } = await first(exec({ on_cancel: cancel, nothing_on_cancel: true }));
    assert.deepEqual([attributes.on_cancel, attributes.nothing_on_cancel], [cancel, undefined]);
  });

  test('a secure looking setting of a task is encrypted, others are not', async () => {
    const configuration = [
      { key: 'Url', value: 'https://example.org' },
      { key: 'ApiToken', value: 'hush' },
    ];
    const plugin_configuration = { id: 'com.example.task', version: '1' };
    const task = await first({ type: 'pluggable_task', attributes: { plugin_configuration, configuration } });
    assert.deepEqual(task.attributes.configuration[0], configuration[0]);
    assert.deepEqual(Object.keys(task.attributes.configuration[1]), ['key', 'encrypted_value']);
  });
});

describe('jobs and stages', () => {
  test('artifacts of all kinds come back as they were sent', async () => {
    const artifacts = [
      { type: 'build', source: 'out/*.jar', destination: 'jars' },
      { type: 'build', source: 'all', destination: null },
      { type: 'test', source: 'reports', destination: 'tests' },
      { type: 'external', artifact_id: 'image', store_id: 'store', configuration: [{ key: 'Tag', value: '1.0' }] },
    ];
    const { stages } = await shown({ stages: [stage('s', { jobs: [job({ artifacts })] })] });
    assert.equal(text(stages[0].jobs[0].artifacts), text(artifacts));
  });

  test('tabs, resources, variables, instances and timeout of a job come back as they were sent', async () => {
    const parts = {
      run_instance_count: 3,
      timeout: 15,
      environment_variables: [{ secure: false, name: 'A', value: '' }],
      resources: ['linux', 'java 21'],
      tabs: [{ name: 'coverage', path: 'cov/index.html' }],
    };
    const { stages } = await shown({ stages: [stage('s', { jobs: [job(parts)] })] });
    for (const [key, value] of Object.entries(parts)) assert.deepEqual(stages[0].jobs[0][key], value, key);
  });

  test('instances on all agents and no timeout come back, and numbers sent as text become numbers', async () => {
    const read = async (more: object) => (await shown({ stages: [stage('s', { jobs: [job(more)] })] })).stages[0].jobs[0];
    const all = await read({ run_instance_count: 'all', timeout: 'never' });
    assert.deepEqual([all.run_instance_count, all.timeout], ['all', 'never']);
    const texts = await read({ run_instance_count: '2', timeout: '10' });
    assert.deepEqual([texts.run_instance_count, texts.timeout], [2, 10]);
    const elastic = await read({ elastic_profile_id: 'profile', timeout: 0 });
    assert.deepEqual([elastic.elastic_profile_id, elastic.timeout], ['profile', 'never'], 'no minutes are no limit');
    assert.equal((await read({ timeout: '0.0' })).timeout, 'never');
  });

  test('names of resources are trimmed', async () => {
    const { stages } = await shown({ stages: [stage('s', { jobs: [job({ resources: [' linux ', 'java'] })] })] });
    assert.deepEqual(stages[0].jobs[0].resources, ['linux', 'java']);
  });

  test('a job name may start with a period', async () => {
    const { stages } = await shown({ stages: [stage('s', { jobs: [job({ name: '.hidden' })] })] });
    assert.equal(stages[0].jobs[0].name, '.hidden');
  });

  test('flags, approval and variables of a stage come back as they were sent', async () => {
    const parts = {
      fetch_materials: false,
      clean_working_directory: true,
      never_cleanup_artifacts: true,
      approval: { type: 'manual', allow_only_on_success: true, authorization: { users: ['jez'], roles: ['approvers'] } },
      environment_variables: [{ secure: false, name: 'A', value: 'x' }],
    };
    const { stages } = await shown({ stages: [stage('s', parts)] });
    for (const [key, value] of Object.entries(parts)) assert.deepEqual(stages[0][key], value, key);
  });
});

test('parameters, label, lock, tracking tool, timer and variables of a pipeline come back as they were sent', async () => {
  const parts = {
    label_template: '1.#{minor}.${COUNT}-${mine[:7]}',
    lock_behavior: 'unlockWhenFinished',
    parameters: [
      { name: 'minor', value: '2' },
      { name: 'empty', value: '' },
    ],
    environment_variables: [{ secure: false, name: 'A', value: 'x' }],
    materials: [git({ url: 'https://scm.example.org/rest.git', name: 'mine' })],
    tracking_tool: { type: 'generic', attributes: { url_pattern: 'https://tracker.example.org/${ID}', regex: 'BUG-(\\d+)' } },
    timer: { spec: '0 0 22 ? * MON-FRI', only_on_changes: true },
  };
  const read = await shown(parts);
  for (const [key, value] of Object.entries(parts)) if (key !== 'materials') assert.deepEqual(read[key], value, key);
});

test('a pipeline with everything survives a restart and a PUT of the body that was read', async () => {
  const materials = [...MATERIALS.entries()].map(([index, { type, sent }]) => {
    const more = 'destination' in sent ? { destination: `d${index}` } : {};
    return { type, attributes: { ...sent, ...more, ...('name' in sent && { name: `m${index}` }) } };
  });
  const fetches = Object.values(FETCHES).map((attributes) => ({ type: 'fetch', attributes }));
  const whole = pipeline('everything', {
    materials,
    stages: [
      stage('one', { jobs: [job({ tasks: [...Object.values(TASKS), ...fetches], elastic_profile_id: 'profile' })] }),
      stage('two', { approval: { type: 'manual', authorization: { users: ['jez'], roles: ['approvers'] } } }),
    ],
  });
  const created = accepted(await create(server, whole));
  await server.restart();
  const read = accepted(await server.get(`${PATH}/everything`));
  assert.equal(read.etag, created.etag);
  assert.deepEqual({ ...read.json, _links: null }, { ...created.json, _links: null });
  const replaced = accepted(await server.put(`${PATH}/everything`, read.json, read.etag));
  assert.equal(replaced.etag, created.etag);
  assert.equal(replaced.text, read.text);
});
