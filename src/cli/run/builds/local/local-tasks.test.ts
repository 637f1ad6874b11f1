// Tests which tasks run here, in which form, and which are skipped.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TaskAnswer } from './answers.ts';
import { localTask } from './local-tasks.ts';

const task = (type: string, attributes: TaskAnswer['attributes']) => localTask({ type, attributes });
const defaults = { run_if: [], on_cancel: null };
const tool = { build_file: 'b.xml', target: 'all', working_directory: 'sub' };

test('programs and build tools become local tasks', () => {
  assert.deepEqual(task('exec', { command: 'make', arguments: ['all'], working_directory: '' }), {
    task: { type: 'exec', command: 'make', arguments: ['all'], working_directory: null, ...defaults },
  });
  assert.deepEqual(task('exec', { command: 'make', args: '-j "2 3"', run_if: ['any', 'other'] }), {
    task: { type: 'exec', command: 'make', arguments: '-j "2 3"', working_directory: null, run_if: ['any'], on_cancel: null },
  });
  for (const type of ['ant', 'rake']) assert.deepEqual(task(type, tool), { task: { type, ...tool, ...defaults } });
  assert.deepEqual(task('nant', { ...tool, nant_path: '/opt' }), { task: { type: 'nant', ...tool, nant_path: '/opt', ...defaults } });
});

test('scripts become local tasks, also those that other servers have a plugin for', () => {
  const script = { type: 'script', script: 'make', shell: 'bash', working_directory: 'sub', ...defaults };
  assert.deepEqual(task('script', { script: 'make', shell: 'bash', working_directory: 'sub' }), { task: script });
  const configuration = [
    { key: 'script', value: 'make' },
    { key: 'shtype', value: 'bash' },
    { key: 'workingDirectory', value: 'sub' },
  ];
  const plugin = { plugin_configuration: { id: 'script-executor' }, configuration };
  assert.deepEqual(task('pluggable_task', plugin), { task: script });
});

test('the task that runs on cancel becomes part of the local task', () => {
  const onCancel = (attributes: TaskAnswer['attributes']) => {
    const local = task('exec', { command: 'x', ...attributes });
    return 'task' in local ? local.task.on_cancel : undefined;
  };
  assert.deepEqual(onCancel({ on_cancel: { type: 'rake', attributes: { target: 'stop' } } }), {
    type: 'rake',
    build_file: null,
    target: 'stop',
    working_directory: null,
  });
  assert.deepEqual(onCancel({ on_cancel: null, nothing_on_cancel: true }), { type: 'none' });
  assert.deepEqual(onCancel({ on_cancel: { type: 'none' } }), { type: 'none' });
  assert.equal(onCancel({ on_cancel: { type: 'fetch', attributes: { stage: 's', job: 'j' } } }), null);
});

test('tasks that cannot run here are skipped with a reason, and keep their condition', () => {
  assert.deepEqual(task('fetch', { pipeline: 'up', stage: 's', job: 'j', source: 'dist', run_if: ['any'] }), {
    skipped: 'artifacts of up/s/j are not fetched: dist. Put them here if they are needed.',
    runIf: ['any'],
  });
  assert.deepEqual(task('pluggable_task', { plugin_configuration: { id: 'p' } }), {
    skipped: 'a task of the plugin p cannot be run here.',
    runIf: [],
  });
});
