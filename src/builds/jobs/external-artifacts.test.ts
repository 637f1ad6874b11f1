// Tests which external artifacts are sent to agents, and with which settings.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type ExternalTools, externalFetches, workArtifacts } from './external-artifacts.ts';
import type { JobPlan } from './plan.ts';

type Task = JobPlan['tasks'][number];
type Fetch = Extract<Task, { type: 'fetch' }>['attributes'];

const tools: ExternalTools = {
  clearSettings: async (settings, group) =>
    settings.map(({ key, value = '' }) => ({ key, value: `${group}: ${typeof value === 'string' ? value : 'opened'}`, is_secret: false })),
  artifactStore: (id) => (id === 'bucket' ? { pluginId: 's3', properties: [{ key: 'S3Bucket', value: 'acme' }] } : undefined),
  storeOfArtifact: ({ pipeline, stage, job, artifactId }) =>
    ({ 'far/dist/pack/image': 'bucket', 'own/dist/pack/image': 'bucket', 'own/dist/pack/old': 'gone' })[
      [pipeline, stage, job, artifactId].join('/')
    ],
};
const store = [{ key: 'S3Bucket', value: 'shop: acme', is_secret: false }];
const configuration = [{ key: 'Source', value: 'dist' }];
const clearConfiguration = [{ key: 'Source', value: 'shop: dist', is_secret: false }];

describe('external artifacts that are published', () => {
  const external = (storeId: string) => ({ type: 'external' as const, attributes: { artifactId: 'image', storeId, configuration } });

  test('get their store with its settings; other artifacts stay as they are', async () => {
    const build = { type: 'build' as const, attributes: { source: 'a', destination: '' } };
    assert.deepEqual(await workArtifacts([build, external('bucket')], 'shop', tools), [
      { type: 'build', source: 'a', destination: null },
      { type: 'external', id: 'image', plugin: 's3', store, configuration: clearConfiguration },
    ]);
  });

  test('a store that is gone is reported before the job begins', async () => {
    await assert.rejects(
      workArtifacts([external('other')], 'shop', tools),
      /^Error: The artifact store 'other' of the external artifact 'image' does not exist any more\.$/,
    );
  });
});

describe('external artifacts that are fetched', () => {
  const attributes: Fetch = {
    runIf: [],
    onCancel: null,
    artifactOrigin: 'external',
    pipeline: null,
    stage: 'dist',
    job: 'pack',
    isSourceAFile: false,
    source: null,
    destination: null,
    artifactId: 'image',
    configuration,
  };
  const fetched = async (more: Partial<Fetch>) => {
    const task: Task = { type: 'fetch', attributes: { ...attributes, ...more } };
    return (await externalFetches([task], 'own', 'shop', tools))(task.attributes);
  };
  const found = { artifact: 'image', plugin: 's3', store, configuration: clearConfiguration };

  test('are found by the job that publishes them: in this pipeline, or in the first of a path', async () => {
    assert.deepEqual(await fetched({}), found);
    assert.deepEqual(await fetched({ pipeline: 'far/up' }), found);
  });

  test('are reported when no job publishes them any more, or their store is gone', async () => {
    const none = "No job publishes the external artifact 'other' any more that could be fetched.";
    assert.equal(await fetched({ artifactId: 'other' }), none);
    assert.equal(await fetched({ artifactId: 'old' }), "The artifact store 'gone' of the external artifact 'old' does not exist any more.");
  });

  test('are found in a task on cancel, too', async () => {
    const { runIf: _, onCancel: __, ...own } = attributes;
    const exec = { command: 'make', args: null, workingDirectory: null, timeout: undefined, runIf: [] };
    const task: Task = { type: 'exec', attributes: { ...exec, onCancel: { type: 'fetch', attributes: own } } };
    assert.deepEqual((await externalFetches([task], 'own', 'shop', tools))(own), found);
  });
});
