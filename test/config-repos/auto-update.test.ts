// A config repo and the pipelines that build its repository agree on whether it is polled.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import type { JsonObject } from '../../src/shape/json/json.ts';
import { ANYTHING, pipeline, RepoLab } from './support.ts';

let lab: RepoLab;
beforeEach(async () => {
  lab = await RepoLab.open();
  await configure(true);
});
afterEach(() => lab.configuration.close());

const materialOf = (autoUpdate: boolean) => {
  const attributes = { url: 'https://scm.example.org/one.git', branch: 'main', auto_update: autoUpdate };
  return { type: 'git', attributes };
};
const configure = (autoUpdate: boolean) =>
  lab.put('configRepos', { id: 'one', plugin_id: 'yaml.config.plugin', material: materialOf(autoUpdate), rules: ANYTHING });
const publish = (autoUpdate: boolean, ...materials: JsonObject[]) =>
  lab.publish('one', { pipelines: [pipeline('web', { materials })], material: materialOf(autoUpdate) });

test('a pipeline with another autoUpdate than its repo is refused, also when only the repo has changed', async () => {
  assert.deepEqual(await publish(true, materialOf(true)), []);
  await configure(false);
  const [problem, ...others] = await publish(false, materialOf(true));
  assert.deepEqual(others, []);
  assert.deepEqual(problem!.definedAt, { file: 'a.gocd.yaml', line: 7, column: 3, entity: "pipeline 'web'" });
  assert.equal(
    problem!.message,
    [
      'The material of type Git (https://scm.example.org/one.git) is used elsewhere with a different value for autoUpdate (poll for changes). All copies of this material must have the same autoUpdate setting or configuration repository must be removed.',
      'Config Repository: one (auto update disabled).',
      'Pipelines:',
      ' web (auto update enabled)',
      '',
    ].join('\n'),
  );
  assert.deepEqual(await publish(false, materialOf(false)), []);
});

test('a pipeline that uses the config repo itself as its material follows its autoUpdate', async () => {
  const itself = { type: 'configrepo', attributes: { name: 'me' } };
  assert.deepEqual(await publish(true, itself), []);
  await configure(false);
  assert.deepEqual(await publish(false, itself), []);
  const [material] = lab.value('pipelines', 'web')!.materials;
  assert.ok(material?.type === 'git');
  assert.equal(material.attributes.autoUpdate, false);
});
