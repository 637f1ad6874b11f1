// Preflight against a real server and real repositories: everything wrong is reported, and nothing changes.
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { GitOrigin } from '../materials/support/git-origin.ts';
import { Lab } from '../materials/support/polling.ts';
import { accepted, addUser } from '../support/requests/callers.ts';
import { failed } from '../support/requests/replies.ts';
import { type Ask, type Reply, TestServer } from '../support/server/server.ts';
import { ConfigRepoServer, yaml } from './support/config-repo-server.ts';
import { sentForm } from './support/sent-form.ts';

const PATH = '/api/admin/config_repo_ops/preflight';
const YAML = 'yaml.config.plugin';
const JSON_PLUGIN = 'json.config.plugin';
const FINE = { errors: [], valid: true };

const lab = new Lab();
let server: TestServer;
let repos: ConfigRepoServer;
let origin: GitOrigin;
before(async () => {
  server = await TestServer.start();
  repos = new ConfigRepoServer(server);
  origin = await GitOrigin.make(lab.newPath('origin'));
  await origin.commit('first', {
    'a.gocd.yaml': yaml('g', { a: undefined, b: 'a' }, 'environments:\n  qa:\n    pipelines: [a]\n'),
  });
  await repos.add('one', origin.path, {
    rules: ['g', 'qa'].map((resource) => ({ directive: 'allow', action: 'refer', type: '*', resource })),
  });
  accepted(
    await server.post('/api/admin/pipelines', {
      group: 'own',
      pipeline: {
        name: 'mine',
        materials: [{ type: 'git', attributes: { url: 'https://scm.example.org/mine.git' } }],
        stages: [{ name: 's', jobs: [{ name: 'j', tasks: [{ type: 'exec', attributes: { command: 'make' } }] }] }],
      },
    }),
  );
  assert.deepEqual(await repos.definitions('one'), ['g/a', 'g/b', 'qa']);
  state = await stateNow();
});
after(async () => {
  await server.stop();
  lab.remove();
});

let state: unknown;
async function stateNow(): Promise<unknown> {
  const document = await server.get('/api/admin/config.xml');
  const { json } = accepted(await server.get('/api/admin/config/revisions?page_size=1'));
  return [document.headers.get('x-cruise-config-md5'), document.text, json];
}
/** No preflight changes the state. */
afterEach(async () => assert.deepEqual(await stateNow(), state));

const query = (parameters: Readonly<Record<string, string>>) => `${PATH}?${new URLSearchParams(parameters)}`;
const send = async (parameters: Readonly<Record<string, string>>, files: Parameters<typeof sentForm>[0], ask: Ask = {}): Promise<Reply> =>
  server.ask('POST', query(parameters), { ...(await sentForm(files)), ...ask });
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
const verdict = async (parameters: Readonly<Record<string, string>>, files: Parameters<typeof sentForm>[0]): Promise<any> =>
  accepted(await send(parameters, files)).json;

describe('requests that are refused, in this order', () => {
  test('users without the right to administer', async () => {
    const as = await addUser(server, 'eve');
    state = await stateNow();
    failed(await send({ repoId: 'gone' }, {}, { as }), 403, 'You are not authorized to perform this action.');
  });

  test('an unknown repo, before a missing plugin', async () => {
    failed(await send({ repoId: 'gone' }, {}), 404, "Config repo with id 'gone' was not found!");
  });

  test('a missing or blank plugin, before missing files', async () => {
    for (const parameters of [{}, { pluginId: '' }, { pluginId: ' ', repoId: '' }])
      failed(await send(parameters as Record<string, string>, {}), 400, 'Request is missing parameter `pluginId`');
  });

  test('missing files, before an unknown plugin', async () => {
    const none = { errors: ['No file content provided; check to make sure you POST the form data as `files[]=`'], valid: false };
    const form = await sentForm({ 'a.gocd.yaml': 'x' }, 'file');
    assert.deepEqual(accepted(await server.ask('POST', query({ pluginId: 'x' }), form)).json, none);
    assert.deepEqual(accepted(await server.ask('POST', query({ pluginId: 'x' }), { text: '{}' })).json, none);
    assert.deepEqual(accepted(await server.ask('POST', query({ pluginId: 'x' }))).json, none);
  });

  test('an unknown plugin, and one of another kind', async () => {
    for (const pluginId of ['x', 'cd.go.authentication.passwordfile'])
      failed(
        await send({ pluginId }, { a: 'x' }),
        404,
        `Did not find 'configrepo' plugin with id '${pluginId}'. Looks like plugin is missing`,
      );
  });

  test('a form that is cut off', async () => {
    const { text, headers } = await sentForm({ 'a.gocd.yaml': 'x' });
    const reply = await server.ask('POST', query({ pluginId: YAML }), { text: text!.slice(0, -10), headers: headers! });
    failed(reply, 400, 'The form is cut off, or its boundary is missing.');
    failed(
      await server.ask('POST', query({ pluginId: YAML }), { text: text!, headers: { 'Content-Type': 'multipart/form-data' } }),
      400,
      'The form is cut off, or its boundary is missing.',
    );
  });

  test('names that lead out of a repository', async () => {
    for (const name of ['../a.yaml', '/etc/passwd', 'a/../../b.yaml', '..\\a.yaml', `${'d/'.repeat(33)}a.yaml`]) {
      const reply = await send({ pluginId: YAML }, { [name]: 'x' });
      assert.equal(reply.status, 422, name);
      assert.match(reply.json.message, /^The path /);
    }
  });

  test('more than a server wants to read', async () => {
    const many = Array.from({ length: 1001 }, (_, index) => [`${index}.yaml`, ''] as const);
    failed(await send({ pluginId: YAML }, many), 413, 'More than 1000 files were sent in files[].');
    const large = await send({ pluginId: YAML }, { 'a.yaml': 'x'.repeat(6 * 1024 * 1024) });
    failed(large, 413, 'a.yaml has 6 MB; at most 2 MB of a file are read.');
    assert.equal((await send({ pluginId: YAML }, { 'a.yaml': 'x'.repeat(21 * 1024 * 1024) })).status, 413);
  });

  test('a wish for a plan that is neither yes nor no', async () => {
    const reply = await send({ pluginId: YAML, plan: 'maybe' }, { a: 'x' });
    failed(reply, 400, 'Value `maybe` is not allowed for query parameter named `plan`. Valid values are true, false.');
  });
});

describe('files for a new repo', () => {
  test('valid files have no errors', async () => {
    assert.deepEqual(await verdict({ pluginId: YAML }, { 'any.name': yaml('g', { c: 'a' }) }), FINE);
    assert.deepEqual(await verdict({ pluginId: YAML, repoId: '' }, { 'any.name': yaml('g', { c: 'a' }) }), FINE);
  });

  test('syntax errors are reported as one text, grouped by file and pipeline', async () => {
    const answer = await verdict({ pluginId: YAML }, { 'a.yaml': 'pipelines:\n  x:\n    group: g\n', 'b.yaml': 'pipelnes:\n' });
    assert.equal(answer.valid, false);
    assert.equal(answer.errors.length, 1);
    const [x, b, ...others] = answer.errors[0].split('\n\n');
    assert.deepEqual(others, []);
    assert.match(x, /^a\.yaml:\n {2}- Failed to parse pipeline x; /);
    assert.equal(b, 'b.yaml:\n  - pipelnes is invalid, expected format_version, pipelines, environments, or common');
    assert.deepEqual(answer.problems.at(-1), {
      file: 'b.yaml',
      line: 1,
      column: 1,
      entity: null,
      message: 'pipelnes is invalid, expected format_version, pipelines, environments, or common',
      hint: 'Did you mean pipelines?',
    });
    assert.equal(answer.warnings, undefined);
  });

  test('ignored keys are reported as warnings', async () => {
    const text = yaml('g', { c: undefined }).replace('    group: g', '    group: g\n    lable_template: x');
    const { errors, valid, warnings, problems } = await verdict({ pluginId: YAML }, { 'a.yaml': text });
    assert.deepEqual([errors, valid, problems], [[], true, undefined]);
    const { line, column, message, hint } = warnings[0];
    assert.deepEqual(
      [warnings.length, line, column, message, hint],
      [1, 5, 5, "Unknown key 'lable_template' is ignored.", 'Did you mean label_template?'],
    );
  });

  test('problems found by the checks of the configuration are reported with their lines', async () => {
    const text = [
      ...['pipelines:', '  c:', '    group: g', '    materials: { m: { git: "https://h/u" } }', '    template: gone'],
      ...['  d:', '    group: g', '    materials:', '      m:', '        plugin_configuration: { id: git-path, version: 1 }'],
      ...['        options: { url: "https://h/u" }', '        secure_options: { password: not-cipher-text }'],
      ...['    stages:', '      - s:', '          tasks:', '            - exec:', '                command: make'],
      ...['                arguments:', '                  - all', "                  - '#{gone}'"],
      ...['environments:', `  ${'e'.repeat(300)}:`],
    ].join('\n');
    const { problems } = await verdict({ pluginId: YAML }, { 'a.yaml': text });
    const positionsOf = (word: RegExp) =>
      problems.flatMap((problem: { message: string; line: number; column: number }) =>
        word.test(problem.message) ? `${problem.line}:${problem.column}` : [],
      );
    assert.deepEqual(positionsOf(/non-existent template/), ['5:15'], JSON.stringify(problems, null, 1));
    assert.deepEqual(positionsOf(/[Pp]aram/), ['20:21']);
    assert.deepEqual(positionsOf(/cipher text/), ['12:37']);
    assert.deepEqual(positionsOf(/255 characters/), ['22:3']);
    assert.equal(problems.length, 4);
  });

  test('blank names of pipelines and environments are reported', async () => {
    const problemsOf = async (pluginId: string, name: string, text: string) => {
      const { problems = [] } = await verdict({ pluginId }, { [name]: text });
      return problems.map(({ line, column, entity, message }: Record<string, unknown>) => `${line}:${column} ${entity}: ${message}`);
    };
    for (const key of ['""', "''", '']) {
      assert.deepEqual(await problemsOf(YAML, 'a.yaml', yaml('g', { [key]: undefined })), [
        "3:3 pipeline '': Pipeline config must have a name.",
      ]);
      assert.deepEqual(await problemsOf(YAML, 'a.yaml', `environments:\n  ${key}:\n`), [
        "2:3 environment '': Environment name must not be blank.",
      ]);
    }
    assert.deepEqual(await problemsOf(JSON_PLUGIN, 'a.goenvironment.json', '{"name": ""}'), [
      "1:10 environment '': Environment name must not be blank.",
    ]);
  });

  test('pipelines that exist already are reported with both sources', async () => {
    const answer = await verdict({ pluginId: YAML }, { 'a.yaml': yaml('g', { a: undefined, mine: undefined }) });
    assert.equal(answer.valid, false);
    const text = (name: string, source: string) =>
      `You have defined multiple pipelines named '${name}'. Pipeline names must be unique. Source(s): [${source}, preflighted <NEW REPO>]`;
    const revision = await origin.run('rev-parse', 'HEAD');
    assert.deepEqual(answer.errors.toSorted(), [
      text('a', `${origin.path} at revision ${String(revision).trim()}`),
      text('mine', 'cruise-config.xml'),
    ]);
  });

  test('two files of one name are refused, unless their contents are the same', async () => {
    const good = yaml('g', { c: undefined });
    const files = [
      ['b.yaml', yaml('g', { d: undefined })],
      ['a.yaml', 'broken: ['],
      ['a.yaml', good],
    ] as const;
    failed(
      await send({ pluginId: YAML }, files),
      422,
      'The files 2 and 3 in files[] are both called "a.yaml", and differ. Send each with its path: `--form \'files[]=@ci/a.yaml;filename=ci/a.yaml\'`.',
    );
    const same = [
      ['a.yaml', good],
      ['a.yaml', good],
      ['ci/a.yaml', yaml('g', { d: undefined })],
    ] as const;
    assert.deepEqual(await verdict({ pluginId: YAML }, same), FINE);
  });

  test('a pipeline may use the config repo itself as its material', async () => {
    const text = yaml('g', { c: undefined }).replace('git: https://scm.example.org/c.git', 'type: configrepo');
    assert.deepEqual(await verdict({ pluginId: YAML }, { 'a.yaml': text }), FINE);
    assert.deepEqual(await verdict({ pluginId: YAML, repoId: 'one' }, { 'a.yaml': text }), FINE);
  });

  test('the JSON plugin distinguishes files of pipelines and environments by their names', async () => {
    const answer = await verdict({ pluginId: JSON_PLUGIN }, { 'x/e.goenvironment.json': '{"name": "e"}', 'a.json': '{}' });
    const { problems, ...known } = answer;
    assert.deepEqual(known, { errors: ['a.json:\n  - File does not match environment or pipeline pattern'], valid: false });
    assert.equal(problems[0].file, 'a.json');
    assert.deepEqual(await verdict({ pluginId: JSON_PLUGIN }, { 'x/e.goenvironment.json': '{"name": "e"}' }), FINE);
  });

  test('more pipelines than are checked in one slice are planned', async () => {
    const names = Array.from({ length: 150 }, (_, index) => [`many-${index}`, undefined] as const);
    const text = yaml('fresh', Object.fromEntries(names), 'environments:\n  QA:\n    pipelines: [many-0]\n');
    const { valid, plan } = await verdict({ pluginId: YAML, plan: 'true' }, { 'a.yaml': text });
    assert.deepEqual([valid, plan.pipelines.created.length], [true, 150]);
    assert.deepEqual([plan.pipeline_groups.created, plan.environments.changed], [['fresh'], ['qa']]);
  });
});

describe('files for an existing repo', () => {
  test('replace all definitions of the repo', async () => {
    const files = { 'a.gocd.yaml': yaml('g', { b: undefined, c: 'b' }) };
    assert.deepEqual(await verdict({ pluginId: YAML, repoId: 'one', plan: 'true' }, files), {
      ...FINE,
      plan: {
        pipelines: { created: ['c'], changed: ['b'], deleted: ['a'] },
        pipeline_groups: { created: [], changed: [], deleted: [] },
        environments: { created: [], changed: ['qa'], deleted: [] },
        scms: { created: [], changed: [], deleted: [] },
      },
    });
    assert.deepEqual(await verdict({ pluginId: YAML, repoId: 'one' }, files), FINE);
  });

  test('files that equal the definitions in force change nothing', async () => {
    const text = yaml('g', { a: undefined, b: 'a' }, 'environments:\n  qa:\n    pipelines: [a]\n');
    const { plan } = await verdict({ pluginId: YAML, repoId: 'one', plan: 'true' }, { 'a.gocd.yaml': text });
    const nothing = { created: [], changed: [], deleted: [] };
    assert.deepEqual(plan, { pipelines: nothing, pipeline_groups: nothing, environments: nothing, scms: nothing });
  });

  test('a renamed file changes nothing', async () => {
    const text = yaml('g', { a: undefined, b: 'a' }, 'environments:\n  qa:\n    pipelines: [a]\n');
    const { plan } = await verdict({ pluginId: YAML, repoId: 'one', plan: 'true' }, { 'ci/moved.gocd.yaml': text });
    const nothing = { created: [], changed: [], deleted: [] };
    assert.deepEqual(plan, { pipelines: nothing, pipeline_groups: nothing, environments: nothing, scms: nothing });
  });

  test('have no plan while something is wrong', async () => {
    const answer = await verdict({ pluginId: YAML, repoId: 'one', plan: 'true' }, { 'a.gocd.yaml': yaml('g', { b: 'gone' }) });
    assert.deepEqual([answer.valid, answer.plan], [false, null]);
    assert.ok(answer.errors.every((error: string) => error.includes("'gone'")) && answer.errors.length > 0, answer.errors.join('\n'));
    const mine = await verdict({ pluginId: YAML, repoId: 'one' }, { 'a.gocd.yaml': yaml('g', { mine: undefined }) });
    assert.match(mine.errors[0], /Source\(s\): \[cruise-config\.xml, preflighted <one>\]$/);
  });

  test('are judged by its rules', async () => {
    const files = { 'a.gocd.yaml': yaml('forbidden', { a: undefined }) };
    const { errors } = await verdict({ pluginId: YAML, repoId: 'one' }, files);
    assert.deepEqual(errors, ["Not allowed to refer to pipeline group 'forbidden'. Check the 'Rules' of this config repository."]);
  });
});

describe('a branch or commit', () => {
  const ask = (parameters: Readonly<Record<string, string>>) => server.ask('POST', query(parameters));

  test('is read and judged as the repo would be', async () => {
    await origin.run('checkout', '--quiet', '-b', 'feature');
    const commit = await origin.commit('feature', { 'a.gocd.yaml': yaml('g', { a: undefined, new: 'a' }), 'b.txt': 'no definitions' });
    await origin.run('checkout', '--quiet', 'main');
    for (const ref of ['feature', commit]) {
      assert.deepEqual(accepted(await ask({ repoId: 'one', ref, plan: 'true' })).json, {
        ...FINE,
        plan: {
          pipelines: { created: ['new'], changed: [], deleted: ['b'] },
          pipeline_groups: { created: [], changed: [], deleted: [] },
          environments: { created: [], changed: ['qa'], deleted: [] },
          scms: { created: [], changed: [], deleted: [] },
        },
      });
    }
    assert.deepEqual(accepted(await ask({ repoId: 'one', ref: 'feature', pluginId: YAML })).json, FINE);
  });

  test('is judged by the rules, and gets the problems of its files', async () => {
    await origin.run('checkout', '--quiet', '-b', 'bad');
    await origin.commit('forbidden', { 'a.gocd.yaml': yaml('forbidden', { a: undefined }) });
    await origin.run('checkout', '--quiet', 'main');
    const { problems, ...known } = accepted(await ask({ repoId: 'one', ref: 'bad' })).json;
    assert.deepEqual([problems[0].file, problems[0].line, problems[0].entity], ['a.gocd.yaml', 3, "pipeline 'a'"]);
    assert.deepEqual(known, {
      errors: ["Not allowed to refer to pipeline group 'forbidden'. Check the 'Rules' of this config repository."],
      valid: false,
    });
    await origin.run('checkout', '--quiet', 'bad');
    await origin.commit('broken', { 'a.gocd.yaml': 'pipelines: [' });
    await origin.run('checkout', '--quiet', 'main');
    assert.match(accepted(await ask({ repoId: 'one', ref: 'bad' })).json.errors[0], /^a\.gocd\.yaml:\n {2}- Error parsing YAML/);
  });

  test('is refused if it does not exist, or is not a valid name', async () => {
    for (const ref of ['gone', '--upload-pack=touch x', 'f'.repeat(40)]) {
      const reply = await ask({ repoId: 'one', ref });
      assert.equal(reply.status, 422, ref);
      assert.ok(reply.json.message.length > 0);
    }
  });

  test('must not be a blank name', async () => {
    const message = 'Parameter `ref` is empty. Name a branch or a whole commit id, or leave it out to check files.';
    for (const ref of ['', ' ']) failed(await ask({ repoId: 'one', ref }), 400, message);
  });

  test('needs a repo, no plugin but that of the repo, and no files', async () => {
    failed(await ask({ ref: 'main' }), 400, 'Request is missing parameter `repoId`');
    failed(await ask({ ref: 'main', repoId: 'one', pluginId: JSON_PLUGIN }), 400, `The config repo 'one' is read by the plugin '${YAML}'.`);
    failed(await send({ ref: 'main', repoId: 'one' }, { a: 'x' }), 400, 'Either files or `ref` can be checked, not both.');
  });
});
