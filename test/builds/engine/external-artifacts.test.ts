// External artifacts on their way to an agent: with the store as it is now, secrets in clear for the agent, and nowhere else.
import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Work } from '../../../src/contracts/agent-protocol/work.ts';
import type { FakeAgent } from '../../support/builds/fake-agent.ts';
import { writeSecretsFile } from '../../support/configuration/secrets-file.ts';
import { rowsIn } from '../../support/database/sql.ts';
import { accepted } from '../../support/requests/callers.ts';
import { BuildLab, git, job, stage } from './lab.ts';

const [FIRST_KEY, SECOND_KEY, LOOKED_UP] = ['first-key-4711', 'second-key-4711', 'looked-up-4711'];
let lab: BuildLab;
let agent: FakeAgent;
before(async () => {
  lab = await BuildLab.start();
  agent = await lab.agent();
});
after(() => lab.stop());

const storeBody = (secret: string) => ({
  id: 'releases',
  plugin_id: 'cd.go.artifact.s3',
  properties: [
    { key: 'S3Bucket', value: 'acme' },
    { key: 'Endpoint', value: 'https://minio.example.com' },
    { key: 'AWSAccessKey', value: '{{SECRET:[vault][access]}}' },
    { key: 'AWSSecretAccessKey', value: secret },
  ],
});
const clearStore = (secret: string) => [
  { key: 'S3Bucket', value: 'acme', is_secret: false },
  { key: 'Endpoint', value: 'https://minio.example.com', is_secret: false },
  { key: 'AWSAccessKey', value: LOOKED_UP, is_secret: true },
  { key: 'AWSSecretAccessKey', value: secret, is_secret: true },
];

async function setUp(): Promise<void> {
  const file = join(lab.directory, 'secrets.json');
  writeSecretsFile(file, { access: LOOKED_UP });
  await lab.post('/api/admin/secret_configs', {
    id: 'vault',
    plugin_id: 'cd.go.secrets.file-based-plugin',
    properties: [{ key: 'SecretsFilePath', value: file }],
    rules: [{ directive: 'allow', action: 'refer', type: 'pipeline_group', resource: 'builds' }],
  });
  await lab.post('/api/admin/artifact_stores', storeBody(FIRST_KEY));
  const publish = [{ key: 'Source', value: 'dist' }];
  const artifacts = [
    { type: 'build', source: 'log', destination: '' },
    { type: 'external', artifact_id: 'app', store_id: 'releases', configuration: publish },
  ];
  const fetch = {
    artifact_origin: 'external',
    pipeline: 'shop',
    stage: 'build',
    job: 'compile',
    artifact_id: 'app',
    configuration: [{ key: 'SubPath', value: 'lib' }],
    run_if: [],
  };
  const fetches = { tasks: [{ type: 'fetch', attributes: fetch }] };
  const origin = await lab.origin('shop');
  const stages = [stage('build', { jobs: [job('compile', { artifacts })] }), stage('deploy', { jobs: [job('copy', fetches)] })];
  await lab.pipeline('shop', { materials: [git(origin)], stages });
  await lab.poll('shop');
}

const METADATA = '{"app":{"bucket":"acme","key":"r"}}';
const NAME = 'cd.go.artifact.s3.json';

/** Sends metadata as the agent does after the plugin has published. */
async function publishMetadata({ job: id, epoch }: Work): Promise<void> {
  const path = `pluggable-artifact-metadata/${NAME}`;
  const at = `/agent/v1/jobs/${id}/artifacts`;
  await agent.send('PUT', `${at}/file?${new URLSearchParams({ epoch: String(epoch), path, offset: '0' })}`, METADATA);
  const file = { path, bytes: METADATA.length, sha256: hash('sha256', METADATA), md5: hash('md5', METADATA) };
  const body = { instance: agent.instance, epoch, type: 'metadata', files: [file], folders: [] };
  const { status, text } = await agent.send('POST', `${at}/publication`, body);
  assert.deepEqual([status, JSON.parse(text)], [200, { missing: [] }]);
}

/** Reads metadata as the agent does for the fetch task. */
async function metadataFor({ job: id, epoch }: Work): Promise<string> {
  const at = `/agent/v1/jobs/${id}/fetches/0`;
  const { files } = JSON.parse((await agent.send('GET', `${at}/files?epoch=${epoch}`, '')).text);
  assert.deepEqual(
    files.map((file: { path: string }) => file.path),
    [NAME],
  );
  return (await agent.send('GET', `${at}/file?epoch=${epoch}&path=${NAME}`, '')).text;
}

test('the agent gets the settings in clear, and no secret is in an event, a job or the log', async () => {
  await setUp();
  const built = await agent.take();
  assert.deepEqual(built.artifacts, [
    { type: 'build', source: 'log', destination: null },
    {
      type: 'external',
      id: 'app',
      plugin: 'cd.go.artifact.s3',
      store: clearStore(FIRST_KEY),
      configuration: [{ key: 'Source', value: 'dist', is_secret: false }],
    },
  ]);
  await agent.begin(built);
  const found = await lab.server.get('/api/admin/artifact_stores/releases');
  accepted(await lab.server.put('/api/admin/artifact_stores/releases', storeBody(SECOND_KEY), found.etag));
  await publishMetadata(built);
  await agent.complete(built);
  const fetched = await agent.take();
  assert.deepEqual(fetched.tasks, [
    {
      type: 'fetch_external',
      id: 0,
      from: built.locator,
      artifact: 'app',
      plugin: 'cd.go.artifact.s3',
      store: clearStore(SECOND_KEY),
      configuration: [{ key: 'SubPath', value: 'lib', is_secret: false }],
      run_if: [],
      on_cancel: null,
    },
  ]);
  await agent.begin(fetched);
  assert.deepEqual(await metadataFor(fetched), METADATA);
  await agent.complete(fetched);
  assert.equal(await lab.result('shop', 1, 'deploy'), 'Passed');
  for (const table of ['events', 'jobs']) {
    const stored = JSON.stringify(await rowsIn(lab.server.dataDir, `select * from ${table}`));
    for (const secret of [FIRST_KEY, SECOND_KEY, LOOKED_UP]) assert.ok(!stored.includes(secret), table);
  }
  for (const secret of [FIRST_KEY, SECOND_KEY, LOOKED_UP]) assert.ok(!lab.server.log.includes(secret));
});
