import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Config } from '../config/current.ts';
import { registry } from '../resources/index.ts';
import type { KindName } from '../shape/configuration.ts';
import { type Entity, kindsOf } from '../shape/resource.ts';
import { pipelinesUsing } from './usages.ts';

const config = new Config(kindsOf(registry));
let created = 0;
const put = (kind: KindName, key: string, value: Entity) =>
  config.replace(config.kind(kind), key, { key, value, etag: '', revision: 1, created: ++created });
const pipeline = (name: string, ref: string, parameters: object[] = []) =>
  put('pipelines', name.toLowerCase(), {
    name,
    group: `group of ${name}`,
    origin: null,
    template: null,
    parameters,
    materials: [{ type: 'plugin', attributes: { ref } }],
    stages: [],
  });

for (const id of ['id-1', 'id-2'])
  put('scms', id, { id, name: `Tools-${id}`, origin: null, pluginMetadata: { id: 'x' }, configuration: [] });
pipeline('Web', 'id-1');
pipeline('other', 'id-2');
pipeline('api', '#{tools}', [{ name: 'tools', value: 'id-1' }]);

test('the pipelines that refer to an entity are found in the order of their creation', () => {
  const expected = ['Web', 'api'].map((name) => ({ group: `group of ${name}`, pipeline: name }));
  assert.deepEqual(pipelinesUsing(config, 'scms', 'tools-ID-1'), expected);
});

test('an unused entity has no pipelines, and a missing one has no answer', () => {
  put('scms', 'id-3', { id: 'id-3', name: 'unused', origin: null, pluginMetadata: { id: 'x' }, configuration: [] });
  assert.deepEqual(pipelinesUsing(config, 'scms', 'unused'), []);
  assert.equal(pipelinesUsing(config, 'scms', 'ghost'), undefined);
});
