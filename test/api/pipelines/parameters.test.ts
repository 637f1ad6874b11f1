// Parameters: where they count, errors in their use, and their values.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: labels of GoCD are written with ${…}
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { accepted } from '../../support/requests/callers.ts';
import { TestServer } from '../../support/server/server.ts';
import {
  addNeighbours,
  create,
  errorsIn,
  exec,
  external,
  fetch,
  git,
  job,
  PATH,
  pipeline,
  refused,
  removeAll,
  stage,
  tryOut,
} from './bodies.ts';

let server: TestServer;
before(async () => {
  server = await TestServer.start();
  await addNeighbours(server);
});
after(() => server.stop());

const UNDEFINED = "Parameter 'x' is not defined. All pipelines using this parameter directly or via a template must define it.";
const X = [{ name: 'x', value: 'linux' }];
const inStage = (more: object) => ({ stages: [stage('s', more)] });
const inJob = (more: object) => inStage({ jobs: [job(more)] });
const at = (key: string) => `stages.0.jobs.0.${key}`;
const task = (key: string) => at(`tasks.0.attributes.${key}`);
const tasks = (...list: object[]) => inJob({ tasks: list });

/** Every place where a parameter may stand: the place, and the pipeline with `#{x}` there. */
const PATHS: readonly [path: string, more: object][] = [
  ['label_template', { label_template: '${COUNT}-#{x}' }],
  ['environment_variables.0.value', { environment_variables: [{ name: 'A', value: '#{x}' }] }],
  ['materials.0.attributes.url', { materials: [git({ url: 'https://scm.example.org/#{x}.git' })] }],
  ['materials.0.attributes.branch', { materials: [git({ branch: '#{x}' })] }],
  ['materials.0.attributes.destination', { materials: [git({ destination: '#{x}' })] }],
  ['materials.0.attributes.name', { materials: [git({ name: '#{x}' })] }],
  ['tracking_tool.attributes.regex', { tracking_tool: { type: 'generic', attributes: { url_pattern: 'https://t/${ID}', regex: '#{x}' } } }],
  ['timer.spec', { timer: { spec: '#{x}' } }],
  ['stages.0.environment_variables.0.value', inStage({ environment_variables: [{ name: 'A', value: '#{x}' }] })],
  [at('name'), inJob({ name: 'on-#{x}' })],
  [at('run_instance_count'), inJob({ run_instance_count: '#{x}' })],
  [at('timeout'), inJob({ timeout: '#{x}' })],
  [at('resources'), inJob({ resources: ['#{x}'] })],
  [at('environment_variables.0.value'), inJob({ environment_variables: [{ name: 'A', value: '#{x}' }] })],
  [at('tabs.0.name'), inJob({ tabs: [{ name: '#{x}', path: 'p' }] })],
  [at('tabs.0.path'), inJob({ tabs: [{ name: 'a', path: 'out/#{x}' }] })],
  [at('artifacts.0.source'), inJob({ artifacts: [{ type: 'build', source: '#{x}' }] })],
  [at('artifacts.0.destination'), inJob({ artifacts: [{ type: 'build', source: 's', destination: '#{x}' }] })],
  [at('artifacts.0.configuration.0.value'), inJob({ artifacts: [external({ configuration: [{ key: 'Tag', value: '#{x}' }] })] })],
  [task('command'), tasks(exec({ command: '#{x}' }))],
  [task('arguments'), tasks(exec({ arguments: ['a', '#{x}'] }))],
  [task('args'), tasks(exec({ args: '-a #{x}' }))],
  [task('working_directory'), tasks(exec({ working_directory: '#{x}' }))],
  [task('on_cancel.attributes.command'), tasks(exec({ on_cancel: exec({ command: '#{x}' }) }))],
  [task('target'), tasks({ type: 'rake', attributes: { target: '#{x}' } })],
];

describe('an undefined parameter is reported beside the field that uses it', () => {
  for (const [path, more] of PATHS) {
    test(`an undefined parameter is reported at ${path}`, async () =>
      refused(await tryOut(server, pipeline('p', more)), { [path]: [UNDEFINED] }));
  }

  test('an undefined parameter is reported in a URL with a password', async () => {
    const materials = [git({ url: 'https://me:pw@scm.example.org/#{x}.git' })];
    refused(await tryOut(server, pipeline('p', { materials })), { 'materials.0.attributes.url': [UNDEFINED] });
  });

  test('an undefined parameter is reported in a filter', async () => {
    const reply = await tryOut(server, pipeline('p', { materials: [git({ filter: { ignore: ['#{x}/**'] } })] }));
    assert.equal(reply.status, 422);
    const [path, ...more] = Object.keys(errorsIn(reply.json.data));
    assert.equal(more.length, 0);
    assert.match(path!, /^materials\.0\.attributes\.filter(\.ignore)?$/);
  });
});

describe('a defined parameter may stand', () => {
  // A timer or a number must still be one when the parameter is replaced.
  const values: Readonly<Record<string, string>> = { 'timer.spec': '0 0 22 ? * *', [at('run_instance_count')]: '2', [at('timeout')]: '10' };
  for (const [path, more] of PATHS) {
    test(`a defined parameter may stand in ${path}`, async () => {
      accepted(await tryOut(server, pipeline('p', { parameters: [{ name: 'x', value: values[path] ?? 'linux' }], ...more })));
    });
  }
});

describe('errors in a use', () => {
  const field = (text: string) => tryOut(server, pipeline('p', { parameters: X, ...tasks(exec({ command: text })) }));

  test('a lone # is reported', async () => {
    for (const text of ['a#b', '#', 'a# {x}', 'a###b']) {
      refused(await field(text), {
        [task('command')]: [
          `Error when processing params for '${text}' used in field 'command', # must be followed by a parameter pattern or escaped by another #`,
        ],
      });
    }
  });

  test('an unclosed parameter is reported', async () => {
    for (const text of ['#{x', 'a #{']) refused(await field(text), { [task('command')]: [`Incomplete param usage in '${text}'`] });
  });

  test('all undefined parameters are reported, each once', async () => {
    const notDefined = (name: string) => UNDEFINED.replace("'x'", `'${name}'`);
    refused(await field('#{a}#{x}#{b}#{a}'), { [task('command')]: [notDefined('a'), notDefined('b')] });
    refused(await field('#{a}#{b'), { [task('command')]: [notDefined('a'), "Incomplete param usage in '#{a}#{b'"] });
  });

  test('a doubled # is a plain one, and begins no parameter', async () => {
    for (const text of ['a##b', '##{x', '##{ghost}', '####', '#{x}##']) accepted(await field(text));
  });

  test('text in places without parameters is left as it is', async () => {
    assert.equal((await tryOut(server, pipeline('p', { parameters: X, stages: [stage('#{x}')] }))).status, 422);
    accepted(await tryOut(server, pipeline('p', { parameters: [{ name: 'x', value: '#{ghost} # {' }] })));
  });
});

test('texts come back with their parameters, not with the values', async () => {
  const created = accepted(await create(server, pipeline('kept', { parameters: X, ...tasks(exec({ command: '#{x}' })) })));
  assert.equal(created.json.stages[0].jobs[0].tasks[0].attributes.command, '#{x}');
});

describe('rules look at the value a parameter stands for', () => {
  const given = (value: string, more: object) => tryOut(server, pipeline('p', { parameters: [{ name: 'x', value }], ...more }));

  test('an elastic profile named by a parameter must exist', async () => {
    accepted(await given('profile', inJob({ elastic_profile_id: '#{x}' })));
    const reply = await given('ghost', inJob({ elastic_profile_id: '#{x}' }));
    refused(reply, { [at('elastic_profile_id')]: ["No profile defined corresponding to profile_id 'ghost'"] });
  });

  test('an artifact store named by a parameter must exist', async () => {
    accepted(await given('store', inJob({ artifacts: [external({ store_id: '#{x}' })] })));
    assert.equal((await given('ghost', inJob({ artifacts: [external({ store_id: '#{x}' })] }))).status, 422);
  });

  test('a timer, a timeout and a working directory with parameters must be valid', async () => {
    assert.equal((await given('bad', { timer: { spec: '#{x}' } })).status, 422);
    assert.equal((await given('soon', inJob({ timeout: '#{x}' }))).status, 422);
    assert.equal((await given('../..', tasks(exec({ working_directory: '#{x}' })))).status, 422);
  });

  test('the stage of a fetch named by a parameter must exist', async () => {
    const fetching = { stages: [stage('one'), stage('two', { jobs: [job({ tasks: [fetch({ stage: '#{x}' })] })] })] };
    accepted(await given('one', fetching));
    assert.equal((await given('ghost', fetching)).status, 422);
  });

  test('an entity that is used through a parameter cannot be deleted', async () => {
    accepted(await server.post('/api/elastic/profiles', { id: 'named', cluster_profile_id: 'cluster' }));
    const body = pipeline('user', { parameters: [{ name: 'x', value: 'named' }], ...inJob({ elastic_profile_id: '#{x}' }) });
    accepted(await create(server, body));
    assert.equal((await server.delete('/api/elastic/profiles/named')).status, 422);
  });
});

describe('a text that would become too long is refused beside the field, and never made', () => {
  const huge = { parameters: [{ name: 'x', value: 'y'.repeat(100_000) }] };
  const tooLong = (field: string) => `The params used in field '${field}' make its text more than 100,000 characters longer.`;

  test('a text with too many parameters is refused in every field that rules look at', async () => {
    const text = '#{x}'.repeat(10_000);
    for (const [path, more] of [
      ['environment_variables.0.value', { environment_variables: [{ name: 'A', value: text }] }],
      ['materials.0.attributes.url', { materials: [git({ url: text })] }],
      ['materials.0.attributes.pipeline', { materials: [{ type: 'dependency', attributes: { pipeline: text, stage: 's' } }] }],
      [at('elastic_profile_id'), inJob({ elastic_profile_id: text })],
      [at('artifacts.0.store_id'), inJob({ artifacts: [external({ store_id: text })] })],
      [task('pipeline'), tasks(fetch({ pipeline: text }))],
      [task('command'), tasks(exec({ command: text }))],
    ] as const)
      refused(await tryOut(server, pipeline('p', { ...huge, ...more })), { [path]: [tooLong(path.split('.').at(-1)!)] });
  });

  test('many texts that together would become too long are refused', async () => {
    const environment_variables = Array.from({ length: 11 }, (_, count) => ({ name: `A${count}`, value: '#{x}' }));
    const message =
      "The params used in field 'value' and before it make the texts of the pipeline more than 1,000,000 characters longer in all.";
    refused(await tryOut(server, pipeline('p', { ...huge, environment_variables })), { 'environment_variables.10.value': [message] });
  });

  test('a template whose texts would become too long in a pipeline is refused there', async () => {
    const text = '#{x}'.repeat(10_000);
    const stages = [stage('s', { jobs: [job({ elastic_profile_id: text })] })];
    accepted(await server.post('/api/admin/templates', { name: 'many-uses', stages }));
    const reply = await tryOut(server, pipeline('p', { ...huge, template: 'many-uses', stages: null }));
    refused(reply, { template: [tooLong('elastic_profile_id')] });
  });

  test('a change of a template is refused if texts of a pipeline would become too long', async () => {
    const body = (uses: number) => ({
      name: 'more-uses',
      stages: [stage('s', { jobs: [job({ tasks: [exec({ command: '#{x}'.repeat(uses) })] })] })],
    });
    accepted(await server.post('/api/admin/templates', body(1)));
    accepted(await create(server, pipeline('user-of-more', { ...huge, template: 'more-uses', stages: null })));
    const reply = await server.put('/api/admin/templates/more-uses', body(2), '*');
    refused(reply, { params: [tooLong('command').replace("'command'", "'command' of pipeline 'user-of-more'")] });
  });
});

describe('templates', () => {
  const TEMPLATES = '/api/admin/templates';
  const template = (command: string) => ({ name: 'shared', stages: [stage('s', { jobs: [job({ tasks: [exec({ command })] })] })] });
  const using = (name: string, more: object = {}) => pipeline(name, { template: 'shared', stages: null, ...more });
  beforeEach(async () => {
    await removeAll(server);
    await server.delete(`${TEMPLATES}/shared`);
    accepted(await server.post(TEMPLATES, template('make #{x}')));
  });

  test('a pipeline must define the parameters that its template uses', async () => {
    const reply = await tryOut(server, using('p'));
    assert.equal(reply.status, 422);
    assert.deepEqual(Object.values(errorsIn(reply.json.data)), [[UNDEFINED]]);
    accepted(await create(server, using('p', { parameters: X })));
    assert.equal((await server.put(`${PATH}/p`, { group: 'g', ...using('p') }, '*')).status, 422);
  });

  test('a template cannot start to use a parameter that a pipeline does not define', async () => {
    accepted(await create(server, using('user', { parameters: X })));
    const { text } = await server.get(`${TEMPLATES}/shared`);
    const reply = await server.put(`${TEMPLATES}/shared`, template('make #{x} #{y}'), '*');
    assert.equal(reply.status, 422);
    assert.equal((await server.get(`${TEMPLATES}/shared`)).text, text);
    assert.deepEqual(errorsIn(reply.json.data), { params: ["The param 'y' is not defined in pipeline 'user'"] });
  });

  test('a template cannot hold a use that would be wrong in every pipeline', async () => {
    const notDefined = (name: string) => UNDEFINED.replace("'x'", `'${name}'`);
    const lone = (text: string) =>
      `Error when processing params for '${text}' used in field 'command', # must be followed by a parameter pattern or escaped by another #`;
    for (const [command, ...messages] of [
      ['x#', lone('x#')],
      ['x#{', "Incomplete param usage in 'x#{'"],
      ['#{}', notDefined('')],
      ['#{a b} #{.c}', notDefined('a b'), notDefined('.c')],
    ] as const)
      refused(await server.put(`${TEMPLATES}/shared`, template(command), '*'), { [task('command')]: messages });
    accepted(await server.put(`${TEMPLATES}/shared`, template('#{x} ## #{any.name}'), '*'));
  });

  test('a template may cease to use a parameter', async () => {
    accepted(await create(server, using('user', { parameters: X })));
    accepted(await server.put(`${TEMPLATES}/shared`, template('make'), '*'));
  });

  test('a resource name from a parameter must not be empty', async () => {
    accepted(await server.put(`${TEMPLATES}/shared`, { stages: [stage('s', { jobs: [job({ resources: ['#{x}'] })] })] }, '*'));
    const reply = await tryOut(server, using('p', { parameters: [{ name: 'x', value: '' }] }));
    assert.equal(reply.status, 422, reply.text);
    assert.match(JSON.stringify(errorsIn(reply.json.data)), /Empty resource name in job \\"j\\" of stage \\"s\\" of pipeline \\"p\\"/);
  });
});

test('the letter case of its name does not count where a parameter is used', async () => {
  const used = (value: string) => pipeline('p', { parameters: [{ name: 'Abc', value }], ...inJob({ run_instance_count: '#{ABC}' }) });
  accepted(await tryOut(server, used('2')));
  const { status, text } = await tryOut(server, used('0'));
  assert.equal(status, 422);
  assert.match(text, /'Run Instance Count' cannot be 0/);
});
