// A choice that is changed and changed back in the pipeline editor destroys nothing, and what it keeps is not sent.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { withSetting } from '../../../pages/forms/edit/setting.ts';
import { STORED } from '../../../pages/forms/edit/unsent.ts';
import { type Material, withType } from '../../../pages/forms/materials/material.ts';
import { withSecrecy } from '../../../pages/forms/variables/variable.ts';
import { withArtifactType, withOnCancel, withTaskType, withTemplate } from '../../../pages/pipeline-editor/choices.ts';
import { newStage, type Pipeline, type Task } from '../../../pages/pipeline-editor/pipeline.ts';

const sent = (value: object): unknown => JSON.parse(JSON.stringify(value));

describe('the stages of a pipeline', () => {
  const pipeline: Pipeline = {
    name: 'web',
    group: 'shop',
    label_template: '',
    lock_behavior: 'none',
    template: null,
    parameters: [],
    environment_variables: [],
    materials: [],
    stages: [newStage('test'), newStage('deploy')],
    tracking_tool: null,
    timer: null,
  };

  it('come back after templates', () => {
    const templated = withTemplate(withTemplate(pipeline, 'one'), 'two');
    assert.deepEqual(sent(templated), { ...pipeline, template: 'two', stages: null });
    assert.deepEqual(sent(withTemplate({ ...templated, name: 'other' }, null)), { ...pipeline, name: 'other' });
  });

  it('are one new stage where there were none', () => {
    const { stages } = withTemplate({ ...pipeline, template: 'one', stages: null }, null);
    assert.deepEqual(stages, [newStage('build')]);
  });
});

describe('a task', () => {
  const cleanup: Task = { type: 'exec', attributes: { command: 'rm', arguments: ['-r', 'out'] } };
  const task: Task = {
    type: 'exec',
    attributes: { run_if: ['any'], on_cancel: cleanup, command: 'make', arguments: ['all'], timeout: 5 },
  };

  it('a task of another type keeps what all types have; the rest comes back with its type', () => {
    const fetch = withTaskType(task, 'fetch');
    assert.deepEqual([fetch.attributes.run_if, fetch.attributes.on_cancel, fetch.attributes.command], [['any'], cleanup, undefined]);
    const edited = { ...fetch, attributes: { ...fetch.attributes, run_if: ['failed'] } };
    const back = withTaskType(withTaskType(edited, 'ant'), 'exec');
    assert.deepEqual(sent(back), { type: 'exec', attributes: { ...task.attributes, run_if: ['failed'] } });
  });

  it('a task that goes on when its job is cancelled does so with another type', () => {
    const { attributes } = withTaskType({ type: 'exec', attributes: withOnCancel(task.attributes, 'nothing') }, 'ant');
    assert.equal(attributes.nothing_on_cancel, true);
  });

  it('gets its task for cancelled jobs back', () => {
    const script = withOnCancel(withOnCancel(task.attributes, 'nothing'), 'script');
    assert.deepEqual(script.on_cancel, { type: 'script', attributes: { script: '' } });
    assert.deepEqual(sent(withOnCancel(withOnCancel(script, 'stop'), 'exec')), task.attributes);
  });
});

it('an artifact keeps its files and its store', () => {
  const files = { type: 'build', source: 'out/*', destination: 'zip' };
  const external = { ...withArtifactType(withArtifactType(files, 'test'), 'external'), artifact_id: 'app' };
  assert.equal(external.source, undefined);
  const report = withArtifactType(external, 'test');
  assert.deepEqual([report.type, report.source, report.destination], ['test', 'out/*', 'zip']);
  assert.equal(withArtifactType(report, 'external').artifact_id, 'app');
});

it('a material gets branch, user and password back with its type, and keeps the URL that was typed last', () => {
  const attributes = { url: 'x', branch: 'next', username: 'me', encrypted_password: 'v2:x', auto_update: false };
  const material: Material = { type: 'git', attributes };
  assert.deepEqual(sent(withType(withType(material, 'dependency'), 'git')), material);
  assert.deepEqual(sent(['p4', 'tfs', 'git'].reduce(withType, material)), material);
  const moved = withType(material, 'svn');
  const back = withType({ ...moved, attributes: { ...moved.attributes, url: 'y', auto_update: true } }, 'git');
  assert.deepEqual(back.attributes, { ...attributes, url: 'y', auto_update: true });
});

describe('a secret variable', () => {
  const secret = { name: 'A', secure: true, encrypted_value: 'v2:x' };

  it('a secret variable that is plain for a moment gets its stored secret back', () => {
    const plain = withSecrecy(secret, false);
    assert.deepEqual(sent(plain), { name: 'A', secure: false, value: '' });
    assert.deepEqual(withSecrecy({ ...plain, name: 'B' }, true), { ...secret, name: 'B' });
  });

  it('keeps what was typed meanwhile, and the stored secret for the button that takes it back', () => {
    const typed = withSecrecy({ ...withSecrecy(secret, false), value: 'new' }, true);
    assert.deepEqual(sent(typed), { name: 'A', secure: true, value: 'new' });
    assert.equal(typed[STORED], 'v2:x');
  });
});

it('a setting stays while its stored secret can be taken back', () => {
  const [replaced, ...others] = withSetting([{ key: 'Key', encrypted_value: 'v2:x' }], { key: 'Key', value: '', [STORED]: 'v2:x' });
  assert.deepEqual([replaced?.[STORED], others], ['v2:x', []]);
});
