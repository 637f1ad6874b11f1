// The plugin of an artifact store judges how artifacts are published to it and fetched from it, wherever that is written.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { bundledPlugins } from '../../../src/plugins/installed.ts';
import { accepted } from '../../support/requests/callers.ts';
import { TestServer } from '../../support/server/server.ts';
import { create, dependency, exec, external, fetch, job, PATH, pipeline, refused, replace, stage, tryOut } from './bodies.ts';

let server: TestServer;
before(async () => {
  server = await TestServer.start();
  const images = { RegistryType: 'other', RegistryURL: 'https://hub.example.org', Username: 'u', Password: 'p' };
  accepted(await addStore('bucket', 'cd.go.artifact.s3', { S3Bucket: 'b' }));
  accepted(await addStore('images', 'cd.go.artifact.docker.registry', images));
  accepted(await addStore('unknown', 'com.example.gone', {}));
});
after(() => server.stop());

const NO_SOURCE = 'Source file must be specified.';
const NO_IMAGE = 'Either `Image` or `BuildFile` should be specified.';
const BAD_PREFIX =
  "Invalid environment name prefix. Valid prefixes contain characters, numbers, and underscore; and can't start with a number.";

const configurationOf = (values: Readonly<Record<string, string>>) => Object.entries(values).map(([key, value]) => ({ key, value }));
const addStore = (id: string, plugin_id: string, values: Readonly<Record<string, string>>) =>
  server.post('/api/admin/artifact_stores', { id, plugin_id, properties: configurationOf(values) });
const published = (store_id: string, values: Readonly<Record<string, string>>) =>
  external({ store_id, configuration: configurationOf(values) });
const publishing = (...artifacts: object[]) => [stage('s', { jobs: [job({ artifacts })] })];
const at = (key: string) => `stages.0.jobs.0.artifacts.0.${key}`;
const fetching = (values: Readonly<Record<string, string>>, more: object = {}) =>
  stage('t', {
    jobs: [job({ tasks: [fetch({ artifact_origin: 'external', artifact_id: 'image', configuration: configurationOf(values), ...more })] })],
  });
const fetchAt = (key: string) => `stages.1.jobs.0.tasks.0.attributes.${key}`;

test('a missing setting of a published artifact is reported beside its key, whether it was sent blank or not at all', async () => {
  refused(await tryOut(server, pipeline('p', { stages: publishing(published('bucket', {})) })), { [at('Source')]: [NO_SOURCE] });
  const blank = { Destination: 'out', Source: ' ' };
  refused(await tryOut(server, pipeline('p', { stages: publishing(published('bucket', blank)) })), {
    [at('configuration.1.Source')]: [NO_SOURCE],
  });
  refused(await tryOut(server, pipeline('p', { stages: publishing(published('images', {})) })), {
    [at('Image')]: [NO_IMAGE],
    [at('BuildFile')]: [NO_IMAGE],
  });
  for (const artifact of [published('bucket', { Source: 'a' }), published('images', { BuildFile: 'f' }), published('unknown', {})])
    accepted(await tryOut(server, pipeline('p', { stages: publishing(artifact) })));
});

test('settings of a fetch are judged by the plugin of the store it was published to, in this pipeline and upstream', async () => {
  const stages = publishing(published('images', { Image: 'app' }));
  const wrong = fetching({ EnvironmentVariablePrefix: '1x' });
  refused(await tryOut(server, pipeline('p', { stages: [...stages, wrong] })), {
    [fetchAt('configuration.0.EnvironmentVariablePrefix')]: [BAD_PREFIX],
  });
  accepted(await tryOut(server, pipeline('p', { stages: [...stages, fetching({ EnvironmentVariablePrefix: 'x' })] })));

  accepted(await create(server, pipeline('up', { stages: publishing(published('bucket', { Source: 'a' })) })));
  const below = (values: Readonly<Record<string, string>>) =>
    pipeline('down', { materials: [dependency('up')], stages: [stage(), fetching(values, { pipeline: 'up' })] });
  accepted(await create(server, below({ EnvironmentVariablePrefix: '1x' })));
  const moved = await replace(server, pipeline('up', { stages }));
  assert.equal(moved.status, 422, moved.text);
  assert.ok(moved.text.includes(BAD_PREFIX), moved.text);
});

test('a template is judged where it has no parameters, the pipelines that use it where it has', async () => {
  const addTemplate = (artifact: object) => server.post('/api/admin/templates', { name: 'open', stages: publishing(artifact) });
  refused(await addTemplate(published('bucket', {})), { [at('Source')]: [NO_SOURCE] });
  refused(await addTemplate(published('bucket', { Destination: '#{x}' })), { [at('Source')]: [NO_SOURCE] });
  accepted(await addTemplate(published('#{store}', { Image: '#{image}' })));
  const using = (store: string, image: string) => {
    const parameters = configurationOf({ store, image }).map(({ key, value }) => ({ name: key, value }));
    return pipeline('user', { template: 'open', stages: null, parameters });
  };
  refused(await tryOut(server, using('bucket', 'app')), { template: [NO_SOURCE] });
  refused(await tryOut(server, using('images', '')), { template: [NO_IMAGE] });
  accepted(await tryOut(server, using('images', 'app')));
});

test('a store gets no plugin that would refuse an artifact published to it or fetched from it; the error names the job', async () => {
  const images = { RegistryType: 'other', RegistryURL: 'https://hub.example.org', Username: 'u', Password: 'p' };
  const give = (plugin_id: string, values: Readonly<Record<string, string>>) =>
    server.put('/api/admin/artifact_stores/swap', { id: 'swap', plugin_id, properties: configurationOf(values) }, '*');
  const toImages = () => give('cd.go.artifact.docker.registry', images);
  accepted(await addStore('swap', 'cd.go.artifact.s3', { S3Bucket: 'b' }));
  const makes = (values: Readonly<Record<string, string>>) => pipeline('makes', { stages: publishing(published('swap', values)) });
  accepted(await create(server, makes({ Source: 'a' })));
  refused(await toImages(), { base: [`${NO_IMAGE} "makes :: s :: j"`] });
  const planned = await server.post('/api/admin/config/plan', {
    artifact_stores: [{ id: 'swap', plugin_id: 'cd.go.artifact.docker.registry', properties: configurationOf(images) }],
  });
  assert.deepEqual(
    planned.json.errors.map(({ resource, id, path }: Record<string, string>) => `${resource} ${id} ${path}`),
    ['Image', 'BuildFile'].map((key) => `pipelines makes /stages/0/jobs/0/artifacts/0/${key}`),
  );

  accepted(await give('com.example.gone', {}));
  accepted(await replace(server, makes({ Image: 'app' })));
  const takes = pipeline('takes', {
    materials: [dependency('makes')],
    stages: [stage(), fetching({ EnvironmentVariablePrefix: '1x' }, { pipeline: 'makes' })],
  });
  accepted(await create(server, takes));
  refused(await toImages(), { base: [`${BAD_PREFIX} "takes :: t :: j"`] });
  accepted(await server.delete(`${PATH}/takes`));

  const parameters = [{ name: 'store', value: 'swap' }];
  accepted(await server.post('/api/admin/templates', { name: 'unused', stages: publishing(published('swap', { Source: 'a' })) }));
  accepted(await server.post('/api/admin/templates', { name: 'used', stages: publishing(published('#{store}', { Source: 'a' })) }));
  accepted(await create(server, pipeline('through', { template: 'used', stages: null, parameters })));
  refused(await toImages(), { base: [`${NO_IMAGE} "unused :: s :: j"`, `${NO_IMAGE} "through :: s :: j"`] });
  accepted(await server.delete(`${PATH}/through`));
  accepted(await server.delete('/api/admin/templates/unused'));
  accepted(await toImages());
});

test('a fetch on cancel, and one in an unused template, are judged as well', async () => {
  const stages = publishing(published('images', { Image: 'app' }));
  const wrong = fetching({ EnvironmentVariablePrefix: '1x' });
  const onCancel = stage('t', { jobs: [job({ tasks: [exec({ on_cancel: wrong.jobs[0]!.tasks[0] })] })] });
  refused(await tryOut(server, pipeline('p', { stages: [...stages, onCancel] })), {
    [fetchAt('on_cancel.attributes.configuration.0.EnvironmentVariablePrefix')]: [BAD_PREFIX],
  });
  const template = { name: 'fetching', stages: [...stages, wrong] };
  refused(await server.post('/api/admin/templates', template), {
    [fetchAt('configuration.0.EnvironmentVariablePrefix')]: [BAD_PREFIX],
  });
  accepted(
    await server.post('/api/admin/templates', { ...template, stages: [...stages, fetching({ EnvironmentVariablePrefix: '#{x}' })] }),
  );
});

test('a setting with the name of a secret is kept as cipher text, and is judged all the same', async () => {
  const values = { Image: 'app', RegistryPassword: 'swordfish' };
  accepted(await create(server, pipeline('hush', { stages: publishing(published('images', values)) })));
  const { text, json } = await server.get(`${PATH}/hush`);
  assert.ok(!text.includes('swordfish'), text);
  const [, secret] = json.stages[0].jobs[0].artifacts[0].configuration;
  assert.equal(secret.key, 'RegistryPassword');
  assert.ok(secret.encrypted_value);
  const { encrypted_value } = accepted(await server.post('/api/admin/encrypt', { value: 'app' })).json;
  const hidden = external({ store_id: 'images', configuration: [{ key: 'Image', encrypted_value }] });
  accepted(await tryOut(server, pipeline('p', { stages: publishing(hidden) })));
});

test('no plugin has secrets in these settings that their names would not betray', () => {
  for (const { id, blocks } of bundledPlugins) {
    const fields = [...(blocks.artifact_config?.fields ?? []), ...(blocks.fetch_artifact?.fields ?? [])];
    assert.deepEqual(
      fields.filter(({ secure }) => secure),
      [],
      `${id}: pipelines read these settings without asking the plugin which are secret`,
    );
  }
});
