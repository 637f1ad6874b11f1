// Tests the settings of the plugins that read pipelines from repositories.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { keysOf, testSettings } from '../../test-support.ts';
import { jsonConfigRepoPlugin } from './json.ts';
import { yamlConfigRepoPlugin } from './yaml.ts';

for (const { plugin, id, keys } of [
  { plugin: yamlConfigRepoPlugin, id: 'yaml.config.plugin', keys: ['file_pattern'] },
  { plugin: jsonConfigRepoPlugin, id: 'json.config.plugin', keys: ['pipeline_pattern', 'environment_pattern'] },
]) {
  describe(id, () => {
    test(`${id} has its settings`, () => {
      assert.equal(plugin.id, id);
      assert.deepEqual(keysOf(plugin.blocks.configuration), keys);
      assert.deepEqual(keysOf(plugin.blocks.plugin), keys);
    });
    testSettings(plugin.blocks.configuration, {}, [
      ['patterns', Object.fromEntries(keys.map((key) => [key, 'ci/*']))],
      ['unknown keys are ignored', { Extra: '1' }],
    ]);
    testSettings(plugin.blocks.plugin, {}, [
      ['patterns for all repositories', Object.fromEntries(keys.map((key) => [key, 'ci/*']))],
      ['unknown keys are refused', { Extra: '1' }, ['Extra', 'Is an unknown property']],
    ]);
  });
}
