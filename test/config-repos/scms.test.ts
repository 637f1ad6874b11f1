// SCMs that files of config repos declare on the spot: which are the same, what they are called, and whose they are.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: labels of the dialect are written with ${…}
import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { exportedPipeline } from '../../src/config-repos/export/exported.ts';
import { Refusal } from '../../src/kit/refusal.ts';
import { jsonConfigRepoPlugin } from '../../src/plugins/bundled/config-repo-json.ts';
import { yamlConfigRepoPlugin } from '../../src/plugins/bundled/config-repo-yaml.ts';
import type { JsonObject } from '../../src/shape/json.ts';
import { pipeline, RepoLab } from './support.ts';

let lab: RepoLab;
beforeEach(async () => {
  lab = await RepoLab.open();
  await lab.addRepo('one');
  await lab.addRepo('two');
});
afterEach(() => lab.configuration.close());

const scmOf = (name: string, url: string) => ({
  name,
  plugin_metadata: { id: 'github.pr', version: '1' },
  configuration: url === '' ? [] : [{ key: 'url', value: url }],
});
/** A pipeline that declares an SCM. */
const using = (name: string, scmName: string, url: string, more: JsonObject & { file?: string } = {}) =>
  pipeline(name, { materials: [{ type: 'plugin', attributes: { scm: scmOf(scmName, url) } }], ...more });
const byId = (name: string, ref: string) => pipeline(name, { materials: [{ type: 'plugin', attributes: { ref } }] });

const publish = (repo: string, ...pipelines: ReturnType<typeof pipeline>[]) => lab.publish(repo, { pipelines });
const refOf = (name: string) => (lab.value('pipelines', name)!.materials as { attributes: { ref: string } }[])[0]!.attributes.ref;
const urlOf = (name: string) => (lab.value('scms', refOf(name))!.configuration as { value: string }[])[0]!.value;
const clash = (name: string, ...sources: string[]) =>
  `Cannot save SCM, found multiple SCMs called '${name}'. SCM names are case-insensitive and must be unique. Source(s): [${sources.join(', ')}]`;

async function assertRefused(problems: ReturnType<RepoLab['publish']>, message: string): Promise<void> {
  assert.deepEqual(
    (await problems).map((problem) => [problem.message, problem.place?.line]),
    [[message, 7]],
  );
}

test('two of one name with different settings are never taken for one: both origins are told', async () => {
  const here = (file: string, name: string) => `${file} (pipeline ${name}) in one.git at revision 1`;
  const oneFile = publish('one', using('a', 'code', 'x'), using('b', 'CODE', 'y'));
  await assertRefused(oneFile, clash('CODE', here('a.gocd.yaml', 'a'), here('a.gocd.yaml', 'b')));
  const twoFiles = publish('one', using('a', 'code', 'x'), using('b', 'code', 'y', { file: 'b.yaml' }));
  await assertRefused(twoFiles, clash('code', here('a.gocd.yaml', 'a'), here('b.yaml', 'b')));
  assert.deepEqual(lab.inForce('scms'), []);

  await publish('two', using('theirs', 'code', 'x'));
  const elsewhere = 'a.gocd.yaml (pipeline theirs) in two.git at revision 1';
  await assertRefused(publish('one', using('a', 'Code', 'y')), clash('Code', elsewhere, here('a.gocd.yaml', 'a')));
  await lab.put('scms', { id: 'own', ...scmOf('tool', 'z') });
  await assertRefused(publish('one', using('a', 'tool', 'y')), clash('tool', 'cruise-config.xml', here('a.gocd.yaml', 'a')));
});

test('equal ones are one SCM, whoever declares them, and publishing again changes nothing', async () => {
  await lab.put('scms', { id: 'own', ...scmOf('tool', 'z') });
  const definitions = [using('a', 'code', 'x'), using('b', 'same', 'x', { file: 'b.yaml' }), using('c', 'whatever', 'z')];
  assert.deepEqual(await publish('one', ...definitions), []);
  assert.deepEqual(lab.inForce('scms'), ['tool', 'code from one:a.gocd.yaml']);
  assert.deepEqual([refOf('a') === refOf('b'), refOf('c')], [true, 'own']);
  assert.deepEqual(await publish('two', using('theirs', 'other', 'x')), []);
  const { revision } = lab.configuration.config;
  assert.deepEqual([...(await publish('one', ...definitions)), ...(await publish('two', using('theirs', 'other', 'x')))], []);
  assert.equal(lab.configuration.config.revision, revision);
});

test('ones that differ only in how to log in are one SCM, and follow their file', async () => {
  const withPassword = (name: string, password: string, file: string) => {
    const configuration = [
      { key: 'url', value: 'https://scm.example.org/app.git' },
      { key: 'username', value: 'bob' },
      { key: 'password', value: password },
    ];
    const scm = { name: `code-of-${name}`, plugin_metadata: { id: 'git-path', version: '1' }, configuration };
    return pipeline(name, { file, materials: [{ type: 'plugin', attributes: { scm } }] });
  };
  const passwordIn = (id: string) => (lab.value('scms', id)!.configuration as { value: { digest: string } }[])[2]!.value.digest;
  assert.deepEqual(await publish('one', withPassword('a', 'first', 'a.yaml'), withPassword('b', 'second', 'b.yaml')), []);
  assert.deepEqual(lab.inForce('scms'), ['code-of-a from one:a.yaml']);
  const before = [refOf('a'), refOf('b')];
  const digest = passwordIn(refOf('a'));
  assert.deepEqual(await publish('one', withPassword('a', 'third', 'a.yaml'), withPassword('b', 'second', 'b.yaml')), []);
  assert.deepEqual([refOf('a'), refOf('b')], before);
  assert.notEqual(passwordIn(refOf('a')), digest);
});

test('names can change places', async () => {
  await publish('one', using('a', 'code', 'x'), using('b', 'lib', 'y'));
  assert.deepEqual(await publish('one', using('a', 'lib', 'x'), using('b', 'code', 'y')), []);
  assert.deepEqual([urlOf('a'), urlOf('b')], ['x', 'y']);
  assert.deepEqual(await publish('one', using('b', 'lib', 'x'), using('a', 'code', 'y')), []);
  assert.deepEqual([urlOf('a'), urlOf('b')], ['y', 'x']);
});

test('a file that changes alone does not move the pipelines of others', async () => {
  await publish('one', using('a', 'code', 'x'), using('b', 'code', 'x', { file: 'b.yaml' }));
  const ref = refOf('b');
  const change = (scmName: string) =>
    lab.publish('one', { revision: '2', pipelines: [using('a', scmName, 'y')], isInForce: (file) => file === 'b.yaml' });
  const at = (file: string, name: string) => `${file} (pipeline ${name}) in one.git at revision 2`;
  await assertRefused(change('code'), clash('code', at('b.yaml', 'b'), at('a.gocd.yaml', 'a')));
  assert.deepEqual(await change('code2'), []);
  assert.deepEqual([urlOf('a'), urlOf('b'), refOf('b')], ['y', 'x', ref]);
  assert.deepEqual(lab.inForce('scms'), ['code from one:b.yaml', 'code2 from one:a.gocd.yaml']);
});

test('one that its repo declares no longer belongs to who does', async () => {
  const users = [using('a', 'code', 'x'), using('b', 'code', 'x', { file: 'b.yaml' })] as const;
  await publish('one', ...users);
  await publish('two', using('theirs', 'code', 'x'));
  await publish('one', users[1]);
  assert.deepEqual(lab.inForce('scms'), ['code from one:b.yaml']);
  const ref = refOf('theirs');
  await publish('one');
  assert.deepEqual([lab.inForce('scms'), refOf('theirs')], [['code from two:a.gocd.yaml'], ref]);
  await publish('one', users[0]);
  await lab.remove('configRepos', 'two');
  assert.deepEqual([lab.inForce('pipelines'), lab.inForce('scms')], [['a from one:a.gocd.yaml'], ['code from one:a.gocd.yaml']]);
  await lab.addRepo('two');
  await publish('two', using('theirs', 'code', 'x'));
  const author = { actor: 'x', token: null, address: null, reason: null };
  assert.deepEqual([...(await lab.publisher.withdraw('one', author))], ['one']);
  assert.deepEqual([lab.inForce('pipelines'), lab.inForce('scms')], [['theirs from two:a.gocd.yaml'], ['code from two:a.gocd.yaml']]);
});

test('by its id only an SCM of the server itself can be named', async () => {
  await publish('one', using('a', 'code', 'x'));
  const ref = refOf('a');
  const unknown = `Failed to find referenced scm '${ref}'`;
  await assertRefused(publish('one', byId('a', ref)), unknown);
  await assertRefused(publish('two', byId('theirs', ref)), unknown);
  await lab.put('scms', { id: 'own', ...scmOf('tool', 'z') });
  assert.deepEqual(await publish('two', byId('theirs', 'own')), []);
  await lab.put('pipelineGroups', { name: 'g' });
  await assert.rejects(lab.put('pipelines', byId('mine', ref).body as never), Refusal);
});

test('an id that somebody else has taken is not used', async () => {
  await publish('one', using('a', 'code', 'x'));
  const ref = refOf('a');
  await publish('one');
  await lab.put('scms', { id: ref, ...scmOf('copy', 'y') });
  assert.deepEqual(await publish('one', using('a', 'code', 'x')), []);
  assert.deepEqual([urlOf('a'), refOf('a') === ref], ['x', false]);
});

test('another name is not given to one that a label elsewhere refers to', async () => {
  const labelled = using('b', 'code', 'x', { file: 'b.yaml', label_template: '${code}' });
  await publish('one', using('a', 'code', 'x'), labelled);
  const renamed = { revision: '2', pipelines: [using('a', 'new', 'x')], isInForce: (file: string) => file === 'b.yaml' };
  const [problem, ...others] = await lab.publish('one', renamed);
  assert.match(problem!.message, /label template in pipeline 'b' that refers to a material called 'code'/);
  assert.match(problem!.hint!, /^Let pipeline 'b' in b\.yaml of the config repo 'one' do without it first, or leave SCM 'code' as it was/);
  assert.deepEqual(others, []);
});

test('those without settings are told apart by their names', async () => {
  const definitions = [using('a', 'code', ''), using('b', 'Code', ''), using('c', 'lib', '')];
  assert.deepEqual(await publish('one', ...definitions), []);
  assert.deepEqual([refOf('a') === refOf('b'), refOf('a') === refOf('c')], [true, false]);
  const { revision } = lab.configuration.config;
  assert.deepEqual(await publish('one', ...definitions), []);
  assert.equal(lab.configuration.config.revision, revision);
});

for (const plugin of [yamlConfigRepoPlugin, jsonConfigRepoPlugin]) {
  test(`a file that ${plugin.id} exports declares it again, secrets encrypted`, async () => {
    // In YAML secret settings come last.
    const configuration: JsonObject[] = [{ key: 'url', value: 'x' }, { key: 'empty' }, { key: 'password', value: 'hush' }];
    const scm: JsonObject = { ...scmOf('code', 'x'), configuration };
    await lab.put('scms', { id: 'own', ...scmOf('tool', 'z') });
    const attributes = { destination: 'd', filter: { ignore: ['*.md'] }, invert_filter: true };
    const materials: JsonObject[] = [
      { type: 'plugin', attributes: { scm, ...attributes } },
      { type: 'plugin', attributes: { ref: 'own', destination: 'e' } },
    ];
    assert.deepEqual(await publish('one', pipeline('a', { materials })), []);
    const { config } = lab.configuration;
    const { text, name } = await exportedPipeline(plugin, config.of('pipelines').find('a')!, config);
    assert.ok(!text.includes('hush') && !text.includes(refOf('a')), text);
    const { files } = plugin.chooseSent([name], new Map());
    const { pipelines, problems } = plugin.join([plugin.parse(files[0]!, Buffer.from(text))]);
    assert.deepEqual(problems, []);
    const { revision } = config;
    assert.deepEqual(await publish('one', ...pipelines.map((defined) => ({ ...defined, file: 'a.gocd.yaml' }))), []);
    assert.equal(config.revision, revision, text);
  });
}
