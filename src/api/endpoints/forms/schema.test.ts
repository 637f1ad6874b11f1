// Tests the schemas of forms: labels, choices, variants, plugins, and read-only members.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonSchema } from '../../../shape/json/json.ts';
import { formSchema } from './schema.ts';

const TEXT = { type: 'string' };
type Members = NonNullable<JsonSchema['properties']>;
const object = (properties: Members) => ({ type: 'object', properties });
const formed = (properties: Members, response: Members = properties) => formSchema(object(properties), object(response)).properties!;

describe('a member', () => {
  test('is called by its label, or by its name', () => {
    const { url, bucket_name: bucket } = formed({ url: { ...TEXT, 'x-label': 'Address' }, bucket_name: TEXT });
    assert.deepEqual(url, { ...TEXT, title: 'Address' });
    assert.equal(bucket?.title, 'Bucket name');
  });

  test('is explained in words for people, where it has some', () => {
    const { type } = formed({ type: { ...TEXT, description: '`svc` or `plugin`.', 'x-hint': 'Who decides.' } });
    assert.deepEqual(type, { ...TEXT, title: 'Type', description: 'Who decides.' });
  });

  test('a member of a list or of an object has a label, too', () => {
    const { rules, copy } = formed({ rules: { type: 'array', items: object({ keep_days: TEXT }) }, copy: object({ bucket: TEXT }) });
    assert.deepEqual(rules?.items, object({ keep_days: { ...TEXT, title: 'Keep days' } }));
    assert.deepEqual(copy?.properties, { bucket: { ...TEXT, title: 'Bucket' } });
  });

  test('a member that only answers have is read-only, also when it is an object', () => {
    const { origin, name } = formed({ name: TEXT }, { name: TEXT, origin: { ...object({ type: TEXT }), description: 'Where from.' } });
    assert.deepEqual(origin, { type: 'object', description: 'Where from.', readOnly: true, title: 'Origin' });
    assert.equal(name?.readOnly, undefined);
  });

  test('a member with a set of values offers them, under their own labels if they have some', () => {
    const own = [{ value: 'manual', label: 'By hand' }];
    const { state, approval } = formed({ state: { enum: ['run_if', 'any'] }, approval: { enum: ['manual'], 'x-choices': own } });
    assert.deepEqual(state?.['x-choices'], [
      { value: 'run_if', label: 'Run if' },
      { value: 'any', label: 'Any' },
    ]);
    assert.deepEqual(approval?.['x-choices'], own);
  });
});

describe('variants', () => {
  const variant = (type: JsonSchema, properties: Members = {}) => object({ type, ...properties });

  test('are distinguished by the member that is fixed in each', () => {
    const { material } = formed({
      material: { oneOf: [variant({ const: 'git' }, { url: TEXT }), variant({ const: 'hg', 'x-label': 'Mercurial' })] },
    });
    assert.deepEqual(material?.['x-variants'], {
      discriminator: 'type',
      choices: [
        { value: 'git', label: 'Git' },
        { value: 'hg', label: 'Mercurial' },
      ],
    });
    const [git, hg] = material!.oneOf!;
    assert.deepEqual(git!.properties!.url, { ...TEXT, title: 'URL' });
    assert.deepEqual(hg!.properties!.type, { const: 'hg', title: 'Type' });
  });

  test('can have read-only members', () => {
    const { material } = formed(
      { material: { oneOf: [variant({ const: 'git' })] } },
      { material: { oneOf: [variant({ const: 'git' }, { name: { type: 'null' } })] } },
    );
    const [git] = material!.oneOf!;
    assert.deepEqual(git!.properties!.name, { type: 'null', readOnly: true, title: 'Name' });
  });

  test('variants without a distinguishing member are only listed', () => {
    const { task } = formed({ task: { anyOf: [object({ id: TEXT }), { type: 'null' }] } });
    assert.equal(task?.['x-variants'], undefined);
    assert.equal(task!.anyOf!.length, 2);
  });
});

describe('settings of a plugin', () => {
  const settings = (hint: JsonSchema) => ({ type: 'array', 'x-plugin': { extension: 'scm', settings: 'scm_settings', ...hint } });

  test('mark the member that names it', () => {
    const { plugin_id: plugin } = formed({ plugin_id: TEXT, properties: settings({ id: ['plugin_id'] }) });
    assert.deepEqual(plugin, { ...TEXT, title: 'Plugin', 'x-plugin': { extension: 'scm' } });
  });

  test('mark the member with the plugin also inside another member', () => {
    const { metadata } = formed({ metadata: object({ id: TEXT, version: TEXT }), configuration: settings({ id: ['metadata', 'id'] }) });
    const { id, version } = metadata!.properties!;
    assert.deepEqual(id?.['x-plugin'], { extension: 'scm' });
    assert.equal(version?.['x-plugin'], undefined);
  });

  test('settings with the plugin of another entity turn the member into a choice of these entities', () => {
    const { cluster_id: cluster } = formed({ cluster_id: TEXT, properties: settings({ id: ['cluster_id'], through: 'clusters' }) });
    assert.deepEqual(cluster, { ...TEXT, title: 'Cluster', 'x-refers-to': 'clusters' });
  });

  test('settings of an unknown plugin mark nothing', () => {
    const { artifact_id: artifact } = formed({ artifact_id: TEXT, configuration: settings({ id: null }) });
    assert.deepEqual(artifact, { ...TEXT, title: 'Artifact' });
  });
});

test('the title of a request is that of the entity it sends', () => {
  assert.equal(formSchema({ title: 'Artifact store request' }, {}).title, 'Artifact store');
});
