// A pipeline whose own repository defines it: new code never runs by an old definition.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConfigRepoServer } from '../../config-repos/support/config-repo-server.ts';
import { GitOrigin } from '../../materials/support/git-origin.ts';
import { BuildLab } from './lab.ts';

const text = (url: string, command: string, approval = 'success') => `format_version: 10
pipelines:
  self:
    group: g
    materials:
      code:
        git: ${url}
        branch: main
        auto_update: false
    stages:
      - build:
          approval: ${approval}
          jobs:
            j:
              tasks:
                - exec:
                    command: ${command}
`;

test('a pipeline of a config repo waits until its files are read, and then runs, whether they are new or not', async (context) => {
  const lab = await BuildLab.forTest(context);
  const repos = new ConfigRepoServer(lab.server);
  const origin = await GitOrigin.make(`${lab.directory}/self`);
  await origin.commit('first', { 'a.gocd.yaml': text(origin.path, 'one') });
  await repos.add('self', origin.path);
  await repos.update('self');
  const agent = await lab.agent();
  const commandOf = async (counter: number) => {
    const { tasks } = await agent.finishNext();
    assert.equal(await lab.result('self', counter, 'build'), 'Passed');
    return (tasks[0] as { command?: string }).command;
  };
  assert.equal(await commandOf(1), 'one');
  await origin.commit('new definition', { 'a.gocd.yaml': text(origin.path, 'two') });
  await lab.poll('self');
  await repos.rest('self');
  assert.equal(await commandOf(2), 'two', 'not new code by the old definition');
  const tip = await origin.commit('only code', { 'src/main.c': '1' });
  await lab.poll('self');
  await repos.rest('self');
  const run = await lab.run('self', 3);
  assert.deepEqual([...(await lab.revisionsOf(run)).values()], [tip]);
  assert.equal(await commandOf(3), 'two');
});

for (const updatesMaterials of [true, false])
  test(`a person who asks for a run gets it by the newest definition, materials updated: ${updatesMaterials}`, async (context) => {
    const lab = await BuildLab.forTest(context);
    const repos = new ConfigRepoServer(lab.server);
    const origin = await GitOrigin.make(`${lab.directory}/self`);
    await origin.commit('first', { 'a.gocd.yaml': text(origin.path, 'one', 'manual') });
    await repos.add('self', origin.path);
    await repos.update('self');
    const agent = await lab.agent();
    const tip = await origin.commit('new definition', { 'a.gocd.yaml': text(origin.path, 'two', 'manual') });
    await lab.request('self', { updatesMaterials });
    const { tasks } = await agent.finishNext();
    assert.equal((tasks[0] as { command?: string }).command, 'two');
    assert.deepEqual([...(await lab.revisionsOf(await lab.run('self', 1))).values()], [tip]);
  });

test('a requested run has the materials that a new definition adds', async (context) => {
  const lab = await BuildLab.forTest(context);
  const repos = new ConfigRepoServer(lab.server);
  const [files, code] = [await GitOrigin.make(`${lab.directory}/files`), await lab.origin('code')];
  const other = await lab.origin('other');
  const written = (...urls: readonly string[]) => {
    const materials = urls.map(
      (url, index) => `      m${index}: { git: ${url}, branch: main, auto_update: false, destination: m${index} }`,
    );
    return `format_version: 10
pipelines:
  grown:
    group: g
    materials:
${materials.join('\n')}
    stages:
      - build:
          approval: manual
          jobs: { j: { tasks: [{ exec: { command: make } }] } }
`;
  };
  await files.commit('first', { 'a.gocd.yaml': written(code.path) });
  await repos.add('files', files.path);
  await repos.update('files');
  await files.commit('one material more', { 'a.gocd.yaml': written(code.path, other.path) });
  await lab.request('grown', { updatesMaterials: true });
  const revisions = await lab.revisionsOf(await lab.run('grown', 1));
  assert.deepEqual([...revisions.values()], [await code.tip(), await other.tip()]);
});
