// The command `run-local`: jobs of the server's pipelines in a folder of this machine.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { git } from '../../support/git.ts';
import { accepted } from '../../support/requests/callers.ts';
import { isAlive } from '../../support/server/alive.ts';
import { slipway } from '../../support/server/command-line.ts';
import { COMMAND_LINE } from '../../support/server/programs.ts';
import { setQuickPassword } from '../../support/server/quick-login.ts';
import { until } from '../../support/until.ts';
import { BuildLab, BY_HAND, job, shell, stage } from './lab.ts';

let lab: BuildLab;
let folder: string;
before(async () => {
  lab = await BuildLab.start();
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'slipway-run-local-test-')));
});
after(async () => {
  await lab.stop();
  rmSync(folder, { recursive: true });
});

const local = (...args: readonly string[]) => lab.runIn(folder, 'run-local', ...args);
const printed = (out: string) => out.split('\n').filter((line) => line.startsWith('>'));

describe('run-local', () => {
  test('runs tasks in order, in their folders, with the variables of environment, pipeline, stage and job', async () => {
    mkdirSync(join(folder, 'sub'));
    const value = (name: string, text: string) => ({ name, value: text });
    const tasks = [
      shell('echo ">$A $B $C $D in $PWD"', { working_directory: 'sub' }),
      { type: 'script', attributes: { script: 'echo ">script"\necho ">$GO_PIPELINE_NAME/$GO_STAGE_NAME/$GO_JOB_NAME $GO_TRIGGER_USER"' } },
      { type: 'exec', attributes: { command: 'printf', args: "'>%s\\n' 'two words'" } },
      shell('echo ">error" >&2'),
    ];
    const variables = { environment_variables: [value('B', 'pipeline'), value('C', 'pipeline'), value('D', 'pipeline')] };
    const jobs = [job('compile', tasks, { environment_variables: [value('D', 'job')] })];
    await lab.pipeline('up42', [stage('build', jobs, { environment_variables: [value('C', 'stage')] })], variables);
    accepted(
      await lab.server.post('/api/admin/environments', {
        name: 'prod',
        pipelines: [{ name: 'up42' }],
        environment_variables: [value('A', 'environment'), value('B', 'environment')],
      }),
    );
    const { status, out, err } = await local('up42');
    assert.equal(status, 0, err);
    assert.deepEqual(printed(out), [
      `>environment pipeline stage job in ${join(folder, 'sub')}`,
      '>script',
      '>up42/build/compile admin',
      '>two words',
    ]);
    assert.equal(err, '>error\n');
    assert.match(out, /\[Slipway\] Current job status: passed\n$/);
    assert.deepEqual(
      printed((await local('up42', '--variable', 'A=x', '--variable', 'NEW=y')).out)[0],
      `>x pipeline stage job in ${join(folder, 'sub')}`,
    );
  });

  test('runs the stages of a template, with the parameters of the pipeline', async () => {
    accepted(
      await lab.server.post('/api/admin/templates', {
        name: 'shared',
        stages: [stage('build', [job('compile', [shell('echo ">#{greeting} ##1"')])])],
      }),
    );
    const parameters = [{ name: 'greeting', value: 'hello' }];
    const material = { type: 'git', attributes: { url: lab.origin.path, branch: 'main', auto_update: false } };
    const pipeline = { name: 'templated', template: 'shared', parameters, materials: [material] };
    accepted(await lab.server.post('/api/admin/pipelines', { group: 'lab', pipeline }));
    const { status, out, err } = await local('templated');
    assert.equal(status, 0, err);
    assert.deepEqual(printed(out), ['>hello #1']);
  });

  test('runs only tasks for failed jobs after a failure, and ends with 3', async () => {
    const tasks = [
      shell('echo ">one"; exit 7'),
      shell('echo ">two"'),
      shell('echo ">three"', { run_if: ['failed'] }),
      shell('echo ">four"', { run_if: ['any'] }),
    ];
    await lab.pipeline('bad', [
      stage('build', [job('a', tasks), job('b', [shell('echo ">b"')])]),
      stage('deploy', [job('c', [shell('echo ">c"')])]),
    ]);
    const { status, out } = await local('bad');
    assert.equal(status, 3);
    assert.deepEqual(printed(out), ['>one', '>three', '>four', '>b']);
    assert.match(out, /Task status: failed \(\d+ ms\) \(exit code: 7\)/);
    assert.deepEqual(printed((await local('bad', 'Build', 'B')).out), ['>b']);
    assert.deepEqual([(await local('bad', 'deploy')).status, printed((await local('bad', 'deploy')).out)], [0, ['>c']]);
  });

  test('a manual stage is run only where it is named', async () => {
    await lab.pipeline('gated', [
      stage('build', [job('a', [shell('echo ">a"')])]),
      stage('deploy', [job('b', [shell('echo ">b"')])], BY_HAND),
    ]);
    const { status, out, err } = await local('gated');
    assert.deepEqual([status, printed(out)], [0, ['>a']]);
    assert.equal(err, 'The stage deploy is started by hand, so it was not run. Name it to run it here.\n');
    assert.deepEqual(printed((await local('gated', 'deploy')).out), ['>b']);
  });

  test('lists missing secrets, and hides given ones', async () => {
    const variables = {
      environment_variables: [
        { name: 'TOKEN', secure: true, value: 'of-the-server' },
        { name: 'KEY', value: '{{SECRET:[vault][key]}}' },
        { name: 'OPEN', value: 'open' },
      ],
    };
    await lab.pipeline('secret', [stage('build', [job('a', [shell('echo ">[$TOKEN] [$KEY] $OPEN"')])])], variables);
    const { out, err } = await local('secret');
    assert.deepEqual(printed(out), ['>[] [] open']);
    assert.equal(err, 'secret/build/a: only agents get these variables: TOKEN, KEY. Give them with --variable NAME=VALUE.\n');
    const given = await local('secret', '--variable', 'TOKEN=my-own-token', '--variable', 'KEY=k=1');
    assert.deepEqual([printed(given.out), given.err], [['>[******] [******] open'], '']);
  });

  test('skips tasks that cannot be run here with a sentence', async () => {
    const tasks = [
      { type: 'fetch', attributes: { pipeline: '', stage: 'build', job: 'a', source: 'dist', is_source_a_file: false } },
      { type: 'pluggable_task', attributes: { plugin_configuration: { id: 'some.plugin', version: '1' }, configuration: [] } },
      shell('echo ">after"'),
    ];
    await lab.pipeline('skips', [stage('build', [job('a', [shell('true')])]), stage('test', [job('b', tasks)])]);
    const { status, out } = await local('skips', 'test');
    assert.equal(status, 0);
    assert.match(out, /Skipped: artifacts of build\/a are not fetched: dist\./);
    assert.match(out, /Skipped: a task of the plugin some\.plugin cannot be run here\./);
    assert.deepEqual(printed(out), ['>after']);
  });

  test('gives the checked-out revision to tasks as a variable', async () => {
    await git(lab.folder, 'clone', '--quiet', lab.origin.path, 'clone');
    await lab.pipeline('revised', [stage('build', [job('a', [shell('echo ">$GO_REVISION_SOURCE"')])])]);
    const { out } = await lab.runIn(join(lab.folder, 'clone'), 'run-local', 'revised');
    assert.deepEqual(printed(out), [`>${await lab.origin.tip()}`]);
    assert.deepEqual(printed((await local('revised')).out), ['>']);
  });

  test('administrators of the group may use it, viewers may not', async () => {
    const as = (user: string) => slipway(['run-local', 'owned'], { environment: lab.login(user, 'sesame'), directory: folder });
    for (const user of ['maria', 'nora']) setQuickPassword(lab.server.dataDir, user, 'sesame');
    const authorization = { admins: { users: ['maria'], roles: [] }, view: { users: ['nora'], roles: [] } };
    accepted(await lab.server.post('/api/admin/pipeline_groups', { name: 'owners', authorization }));
    const stages = [stage('build', [job('a', [shell('echo ">$GO_TRIGGER_USER"')])], BY_HAND)];
    const materials = [{ type: 'git', attributes: { url: lab.origin.path, branch: 'main', auto_update: false } }];
    accepted(await lab.server.post('/api/admin/pipelines', { group: 'owners', pipeline: { name: 'owned', materials, stages } }));
    const { status, out, err } = await as('maria');
    assert.deepEqual([status, printed(out)], [0, ['>maria']], err);
    assert.equal(err, 'You may not see environments: their variables are not set.\n');
    const refused = await as('nora');
    assert.deepEqual([refused.status, refused.out], [1, '']);
    assert.match(refused.err, /\(403\)/);
  });

  test('refuses unknown names, wrong arguments, and a missing working directory', async () => {
    for (const [args, status, message] of [
      [['none'], 1, /\(404\)/],
      [['gated', 'none'], 1, /There is no stage none\. There are: build, deploy\./],
      [['gated', 'build', 'none'], 1, /There is no job none\. There are: a\./],
      [['gated', '--variable', 'x'], 2, /--variable must be/],
      [['gated', 'build', 'a', 'b'], 2, /Unexpected: b/],
    ] as const) {
      const ending = await local(...args);
      assert.equal(ending.status, status, ending.err);
      assert.match(ending.err, message);
    }
    await lab.pipeline('lost', [stage('build', [job('a', [shell('true', { working_directory: 'missing' })])])]);
    const { status, err } = await local('lost');
    assert.equal(status, 3);
    assert.match(err, /^\[Slipway\] Working directory "missing" is not a directory! Correct the task, .*\n$/);
  });

  test('an interrupt ends the task and all that descends from it, and the command with 4', async () => {
    const pidFile = join(folder, 'pid');
    const script = `sleep 600 & echo $! > ${pidFile}; wait`;
    const cancel = { on_cancel: { type: 'exec', attributes: { command: 'echo', arguments: ['>cancelled'] } } };
    await lab.pipeline('endless', [stage('build', [job('a', [shell(script, cancel)])])]);
    const child = spawn(process.execPath, [COMMAND_LINE, 'run-local', 'endless'], {
      cwd: folder,
      env: lab.login(),
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const out = text(child.stdout);
    const ended = new Promise((resolve) => child.once('exit', resolve));
    await until('the task', () => existsSync(pidFile) && readFileSync(pidFile, 'utf8').trim() !== '');
    child.kill('SIGINT');
    assert.equal(await ended, 4);
    assert.deepEqual(printed(await out), ['>cancelled']);
    assert.equal(isAlive(Number(readFileSync(pidFile, 'utf8'))), false);
  });
});
