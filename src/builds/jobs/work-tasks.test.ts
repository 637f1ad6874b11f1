import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JobLocator } from '../../contracts/agent-protocol/work.ts';
import type { ExternalFetch } from './external-artifacts.ts';
import type { JobPlan } from './plan.ts';
import { type FetchSource, workTasks } from './work-tasks.ts';

type Task = JobPlan['tasks'][number];
const SECRET = { cipherText: 'v1:00000000:abc', digest: 'd' };
const LOCATOR: JobLocator = { pipeline: 'up', pipeline_counter: 3, stage: 'dist', stage_counter: 2, job: 'pack' };
const common = { runIf: [], onCancel: null };
const kill = { run_if: [], on_cancel: null };

const IMAGE: ExternalFetch = { artifact: 'image', plugin: 'p', store: [], configuration: [] };

function work(task: Task, located: JobLocator | string = LOCATOR, asked: FetchSource[] = [], external: ExternalFetch | string = IMAGE) {
  const facts = {
    locate: (source: FetchSource) => {
      asked.push(source);
      return located;
    },
    external: () => external,
    open: ({ cipherText }: { cipherText: string }) => `opened ${cipherText}`,
  };
  const [first, ...more] = workTasks([task], facts);
  assert.deepEqual(more, []);
  return first;
}

const exec = (more: Partial<Extract<Task, { type: 'exec' }>['attributes']> = {}): Task => ({
  type: 'exec',
  attributes: { ...common, command: 'make', args: null, workingDirectory: null, timeout: undefined, ...more },
});
const execWork = (more: object = {}) => ({ type: 'exec', command: 'make', arguments: [], working_directory: null, ...kill, ...more });

describe('tasks for the agent', () => {
  test('exec tasks have their time limit in seconds', () => {
    assert.deepEqual(work(exec({ timeout: 3 })), execWork({ timeout_seconds: 180 }));
  });

  test('exec tasks have a list of arguments, a line, or none', () => {
    assert.deepEqual(
      work(exec({ args: ['a', 'b c'], workingDirectory: 'sub' })),
      execWork({ arguments: ['a', 'b c'], working_directory: 'sub' }),
    );
    assert.deepEqual(work(exec({ args: 'a "b c"' })), execWork({ arguments: 'a "b c"' }));
    assert.deepEqual(work(exec({ workingDirectory: '' })), execWork());
  });

  test('run_if is passed on', () => {
    assert.deepEqual(work(exec({ runIf: ['failed', 'passed'] })), execWork({ run_if: ['failed', 'passed'] }));
    assert.deepEqual(work(exec({ runIf: ['any'] })), execWork({ run_if: ['any'] }));
  });

  test('on cancel a task is killed, left alone, or followed by another task', () => {
    assert.deepEqual(work(exec({ onCancel: null })), execWork({ on_cancel: null }));
    assert.deepEqual(work(exec({ onCancel: 'nothing' })), execWork({ on_cancel: { type: 'none' } }));
    const onCancel = { type: 'ant', attributes: { buildFile: 'b.xml', target: 'stop', workingDirectory: 'w' } } as const;
    const ant = { type: 'ant', build_file: 'b.xml', target: 'stop', working_directory: 'w' };
    assert.deepEqual(work(exec({ onCancel })), execWork({ on_cancel: ant }));
  });

  test('tasks of build tools have their file, target and directory', () => {
    const attributes = { ...common, buildFile: 'b', target: 't', workingDirectory: 'w' };
    const tool = { build_file: 'b', target: 't', working_directory: 'w', ...kill };
    for (const type of ['ant', 'rake'] as const) assert.deepEqual(work({ type, attributes }), { type, ...tool });
    assert.deepEqual(work({ type: 'nant', attributes: { ...attributes, nantPath: 'n' } }), { type: 'nant', ...tool, nant_path: 'n' });
    const bare = { ...common, buildFile: null, target: '', workingDirectory: null };
    const nothing = { build_file: null, target: null, working_directory: null, ...kill };
    assert.deepEqual(work({ type: 'rake', attributes: bare }), { type: 'rake', ...nothing });
    assert.deepEqual(work({ type: 'nant', attributes: { ...bare, nantPath: null } }), { type: 'nant', ...nothing, nant_path: null });
  });

  test('script tasks have their script, shell and directory', () => {
    const script: Task = { type: 'script', attributes: { ...common, script: 'a\nb', shell: 'bash', workingDirectory: 'w' } };
    assert.deepEqual(work(script), { type: 'script', script: 'a\nb', shell: 'bash', working_directory: 'w', ...kill });
    const bare: Task = { type: 'script', attributes: { ...common, script: 'a', shell: null, workingDirectory: null } };
    assert.deepEqual(work(bare), { type: 'script', script: 'a', shell: null, working_directory: null, ...kill });
  });

  test('several tasks keep their order', () => {
    const tasks = [exec({ command: 'one' }), exec({ command: 'two' })];
    const facts = { locate: () => '', external: () => '', open: () => '' };
    assert.deepEqual(workTasks(tasks, facts), [execWork({ command: 'one' }), execWork({ command: 'two' })]);
  });
});

describe('fetch tasks for the agent', () => {
  type FetchAttributes = Extract<Task, { type: 'fetch' }>['attributes'];
  const attributes: FetchAttributes = {
    ...common,
    artifactOrigin: 'gocd',
    pipeline: null,
    stage: 'dist',
    job: 'pack',
    isSourceAFile: true,
    source: 'a.zip',
    destination: 'lib',
    artifactId: null,
    configuration: [],
  };
  const fetch = (more: Partial<FetchAttributes> = {}): Task => ({ type: 'fetch', attributes: { ...attributes, ...more } });

  test('name the run of the job that was found', () => {
    assert.deepEqual(work(fetch()), { type: 'fetch', id: 0, from: LOCATOR, source: 'a.zip', is_file: true, destination: 'lib', ...kill });
    const folder = { type: 'fetch', id: 0, from: LOCATOR, source: 'dir', is_file: false, destination: null, ...kill };
    assert.deepEqual(work(fetch({ isSourceAFile: false, source: 'dir', destination: '' })), folder);
  });

  test('ask for the source in the own pipeline, an upstream, or one above it', () => {
    const asked: FetchSource[] = [];
    for (const pipeline of [null, '', 'up', 'far/up']) work(fetch({ pipeline }), LOCATOR, asked);
    const of = (...pipelines: readonly string[]) => ({ pipelines, stage: 'dist', job: 'pack' });
    assert.deepEqual(asked, [of(), of(), of('up'), of('far', 'up')]);
  });

  test('fetch tasks fail with the reason if the source is not found', () => {
    assert.deepEqual(work(fetch(), 'There is none.'), { type: 'unsupported', reason: 'There is none.', ...kill });
  });

  test('fetch tasks of external artifacts have their store, or fail with a reason', () => {
    const external = fetch({ artifactOrigin: 'external', artifactId: 'image' });
    assert.deepEqual(work(external), { type: 'fetch_external', id: 0, from: LOCATOR, ...IMAGE, ...kill });
    assert.deepEqual(work(external, 'There is none.'), { type: 'unsupported', reason: 'There is none.', ...kill });
    assert.deepEqual(work(external, LOCATOR, [], 'No store.'), { type: 'unsupported', reason: 'No store.', ...kill });
  });

  test('can run on cancel', () => {
    const { runIf: _, onCancel: __, ...own } = attributes;
    const task = work(exec({ onCancel: { type: 'fetch', attributes: own } }));
    const fetched = { type: 'fetch', id: 1, from: LOCATOR, source: 'a.zip', is_file: true, destination: 'lib' };
    assert.deepEqual(task, execWork({ on_cancel: fetched }));
  });
});

describe('tasks of plugins for the agent', () => {
  type Settings = Extract<Task, { type: 'pluggable_task' }>['attributes']['configuration'];
  const plugin = (id: string, configuration: Settings): Task => ({
    type: 'pluggable_task',
    attributes: { ...common, pluginConfiguration: { id, version: '1' }, configuration },
  });
  const unsupported = (reason: string) => ({ type: 'unsupported', reason, ...kill });

  test('scripts run, by both names of their plugin', () => {
    const script = (shell: string | null, directory: string | null) => ({
      type: 'script',
      script: 'make',
      shell,
      working_directory: directory,
      ...kill,
    });
    assert.deepEqual(work(plugin('script-executor', [{ key: 'script', value: 'make' }])), script(null, null));
    const settings = [
      { key: 'shType', value: 'bash' },
      { key: 'script', value: 'make' },
    ];
    assert.deepEqual(work(plugin('script-executor', settings)), script('bash', null));
    const own = [
      { key: 'script', value: 'make' },
      { key: 'shell', value: 'zsh' },
      { key: 'working_directory', value: 'w' },
    ];
    assert.deepEqual(work(plugin('slipway.script', own)), script('zsh', 'w'));
  });

  test('a script that is kept as a secret is opened, and marked as one for the agent', () => {
    const script = { type: 'script', script: 'opened v1:00000000:abc', shell: null, working_directory: null, is_secret: true, ...kill };
    assert.deepEqual(work(plugin('script-executor', [{ key: 'script', value: SECRET }])), script);
  });

  test('a script task of a plugin without its script fails', () => {
    const reason = "The task of the plugin 'script-executor' has no script.";
    assert.deepEqual(work(plugin('script-executor', [])), unsupported(reason));
    assert.deepEqual(work(plugin('script-executor', [{ key: 'script' }])), unsupported(reason));
  });

  test('tasks of plugins that agents cannot run fail', () => {
    const task = work(plugin('docker.task', [{ key: 'script', value: 'make' }]));
    assert.deepEqual(task, unsupported("Agents cannot run tasks of the plugin 'docker.task'."));
  });
});
