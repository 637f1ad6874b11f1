// External artifacts in jobs of a real agent: published after the tasks, fetched by one, and made known to the tasks that follow.
import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, type TestContext, test } from 'node:test';
import type { Work, WorkArtifact, WorkTask } from '../../../src/contracts/agent-protocol/work.ts';
import { startAgent, temporaryFolder } from '../../support/builds/agent-process.ts';
import { AgentServer, script, workOf } from '../../support/builds/agent-server.ts';
import { settings } from '../../support/builds/external-artifacts.ts';
import { TestBucket } from '../../support/services/s3.ts';

const S3 = 'cd.go.artifact.s3';
const DOCKER = 'cd.go.artifact.docker.registry';
const PASSWORD = 'tr0ub4dor-and-3';
const IMAGE = 'registry.example.com/shop/web:7';
const server = new AgentServer();
const artifactServer = server.artifacts;
let bucket: TestBucket;
before(async () => {
  bucket = await TestBucket.start();
  await server.start();
});
after(async () => {
  await server.stop();
  await bucket.stop();
});

const s3Store = () => {
  const { endpoint, name, accessKeyId, secretAccessKey } = bucket.settings;
  const values = { S3Bucket: name, Endpoint: endpoint, AWSAccessKey: accessKeyId, AWSSecretAccessKey: secretAccessKey };
  return settings(values, ['AWSSecretAccessKey']);
};
const dockerStore = settings({ RegistryType: 'other', RegistryURL: 'registry.example.com', Username: 'ada', Password: PASSWORD }, [
  'Password',
]);

async function built(context: TestContext, work: Work) {
  const programs = temporaryFolder(context);
  writeFileSync(join(programs, 'docker'), '#!/bin/sh\ncat > /dev/null < /dev/stdin\necho "docker $*"\n');
  chmodSync(join(programs, 'docker'), 0o755);
  const agent = startAgent(context, server, { environment: { ...process.env, PATH: `${programs}:${process.env.PATH}` } });
  const folder = join(agent.workDir, 'pipelines', 'shop');
  mkdirSync(folder, { recursive: true });
  server.order({ order: 'work', work });
  const result = await server.completed(work.job);
  return { result, lines: server.linesOf(work.job), folder, left: () => readdirSync(join(agent.workDir, 'console')) };
}

const conditions = { run_if: [], on_cancel: null } as const;
const from = workOf([]).locator;
const fetch = (
  plugin: string,
  artifact: string,
  store: ReturnType<typeof settings>,
  values: Readonly<Record<string, string>>,
): WorkTask => ({
  type: 'fetch_external',
  id: 0,
  from,
  artifact,
  plugin,
  store,
  configuration: settings(values),
  ...conditions,
});

test('a job publishes, and the answers of the plugins are kept as metadata', async (context) => {
  const artifacts: readonly WorkArtifact[] = [
    { type: 'build', source: 'dist/a.txt', destination: null },
    {
      type: 'external',
      id: 'app',
      plugin: S3,
      store: s3Store(),
      configuration: settings({ Source: 'dist/*.txt', Destination: `r/\${LABEL}` }),
    },
    {
      type: 'external',
      id: 'web',
      plugin: DOCKER,
      store: dockerStore,
      configuration: settings({ Image: 'registry.example.com/shop/web', Tag: '7' }),
    },
  ];
  const task = script(`mkdir -p dist && echo 1 > dist/a.txt && echo 2 > dist/b.txt && echo "it is ${PASSWORD}"`);
  const environment = [{ name: 'LABEL', value: '1.7', is_secret: false }];
  const work = workOf([task], { artifacts, environment, fetch_materials: false });
  const { result, lines, left } = await built(context, work);
  assert.equal(result, 'Passed', lines.join('\n'));
  assert.equal(readFileSync(bucket.fileOf('r/1.7/b.txt'), 'utf8'), '2\n');
  const metadata = (plugin: string) => JSON.parse(artifactServer.content(work.job, `pluggable-artifact-metadata/${plugin}.json`));
  assert.deepEqual(metadata(S3), { app: { bucket: 'backups', key: 'r/1.7', files: ['a.txt', 'b.txt'] } });
  assert.deepEqual(metadata(DOCKER), { web: { image: IMAGE } });
  const types = artifactServer.publications.filter(({ job }) => job === work.job).map(({ type }) => type);
  assert.deepEqual(types, ['build', 'metadata', 'metadata']);
  assert.ok(lines.includes('&1|it is ******'), lines.join('\n'));
  assert.ok(lines.some((line) => line.includes(`docker push ${IMAGE}`)));
  assert.ok(!lines.join('\n').includes(PASSWORD));
  assert.deepEqual(
    left().filter((name) => !name.endsWith('.log')),
    [],
  );
});

test('a job whose artifact cannot be published has failed', async (context) => {
  const artifacts = [{ type: 'external', id: 'app', plugin: S3, store: s3Store(), configuration: settings({ Source: 'none/*' }) }] as const;
  const { result, lines } = await built(context, workOf([], { artifacts, fetch_materials: false }));
  assert.equal(result, 'Failed');
  assert.deepEqual(
    lines.filter((line) => line.startsWith('ae|')),
    [
      'ae|[Slipway] The external artifact "app" was not published: Failed to find none/*',
      'ae|[Slipway] Uploading finished. Failed to upload [app].',
    ],
  );
});

test('tasks fetch published artifacts, and later tasks know the image', async (context) => {
  artifactServer.fetched.clear();
  artifactServer.fetched.set(
    `${S3}.json`,
    Buffer.from(JSON.stringify({ app: { bucket: 'backups', key: 'r/1.7', files: ['a.txt', 'b.txt'] } })),
  );
  artifactServer.fetched.set(`${DOCKER}.json`, Buffer.from(JSON.stringify({ web: { image: IMAGE } })));
  const tasks = [
    fetch(S3, 'app', s3Store(), { SubPath: 'b.txt', IsFile: 'true', Destination: 'lib' }),
    fetch(DOCKER, 'web', dockerStore, { EnvironmentVariablePrefix: 'SHOP' }),
    script('cat lib/b.txt; echo "image $SHOP_ARTIFACT_IMAGE"'),
    fetch(S3, 'other', s3Store(), {}),
  ];
  const { result, lines } = await built(context, workOf(tasks, { fetch_materials: false }));
  assert.equal(result, 'Failed');
  const text = lines.join('\n');
  for (const line of [
    '!!|[Slipway] Task: fetch external artifact [app] from [shop/test/unit]',
    `&1|[Slipway] setting environment variable 'SHOP_ARTIFACT_IMAGE' to value '${IMAGE}'`,
    '&1|2',
    `&1|image ${IMAGE}`,
    '&2|[Slipway] The job did not publish the external artifact "other": nothing is known of it.',
  ])
    assert.ok(lines.includes(line), `${line}\n---\n${text}`);
  assert.ok(!text.includes(PASSWORD));
});

test('nothing is fetched to a place outside of the folder of the pipeline', async (context) => {
  artifactServer.fetched.clear();
  artifactServer.fetched.set(`${S3}.json`, Buffer.from(JSON.stringify({ app: { bucket: 'backups', key: 'r/1.7', files: ['a.txt'] } })));
  const work = workOf([fetch(S3, 'app', s3Store(), { Destination: '../out' })], { fetch_materials: false });
  const { result, lines } = await built(context, work);
  assert.equal(result, 'Failed');
  assert.ok(lines.includes('&2|[Slipway] Destination "../out" is outside of the folder of the pipeline.'), lines.join('\n'));
});
