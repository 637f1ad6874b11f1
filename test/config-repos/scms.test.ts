// SCMs that files of config repos declare on the spot: which are the same, their names, and their owners.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: labels of GoCD are written with ${…}
import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { exportedPipeline } from '../../src/config-repos/export/exported.ts';
import { scmIdsOf } from '../../src/config-repos/scms/scm-declarers.ts';
import { fileParsers } from '../../src/formats/file-parsers.ts';
import { Refusal } from '../../src/kit/refusal.ts';
import { jsonConfigRepoPlugin } from '../../src/plugins/bundled/config-repos/json.ts';
import { yamlConfigRepoPlugin } from '../../src/plugins/bundled/config-repos/yaml.ts';
import type { JsonObject } from '../../src/shape/json/json.ts';
import type { Secret } from '../../src/shape/secrets/secret.ts';
import { pipeline, RepoLab } from './support.ts';

const parserOf = (pluginId: string) => fileParsers.find(({ id }) => id === pluginId)!;

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
const refOf = (name: string) => scmIdsOf(lab.value('pipelines', name)!)[0]!;
const urlOf = (name: string) => lab.value('scms', refOf(name))!.configuration[0]!.value;
const clash = (name: string, ...sources: string[]) =>
  `Cannot save SCM, found multiple SCMs called '${name}'. SCM names are case-insensitive and must be unique. Source(s): [${sources.join(', ')}]`;

/** Only the file of pipeline a has changed. */
const changeOfOne = (changed: ReturnType<typeof pipeline>) =>
  lab.publish('one', { revision: '2', pipelines: [changed], isInForce: (file) => file === 'b.yaml' });

async function assertRefused(problems: ReturnType<RepoLab['publish']>, message: string): Promise<void> {
  assert.deepEqual(
    (await problems).map((problem) => [problem.message, problem.definedAt?.line]),
    [[message, 7]],
  );
}

test('two SCMs of one name with different settings are refused, and both origins are named', async () => {
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

test('equal declarations are one SCM, whichever repo declares them, and publishing again changes nothing', async () => {
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

test('declarations that differ only in their credentials are one SCM, which follows its file', async () => {
  const withPassword = (name: string, password: string, file: string) => {
    const configuration = [
      { key: 'url', value: 'https://scm.example.org/app.git' },
      { key: 'username', value: 'bob' },
      { key: 'password', value: password },
    ];
    const scm = { name: `code-of-${name}`, plugin_metadata: { id: 'git-path', version: '1' }, configuration };
    return pipeline(name, { file, materials: [{ type: 'plugin', attributes: { scm } }] });
  };
  const passwordIn = (id: string) => (lab.value('scms', id)!.configuration[2]!.value as Secret).digest;
  assert.deepEqual(await publish('one', withPassword('a', 'first', 'a.yaml'), withPassword('b', 'second', 'b.yaml')), []);
  assert.deepEqual(lab.inForce('scms'), ['code-of-a from one:a.yaml']);
  const before = [refOf('a'), refOf('b')];
  const digest = passwordIn(refOf('a'));
  assert.deepEqual(await publish('one', withPassword('a', 'third', 'a.yaml'), withPassword('b', 'second', 'b.yaml')), []);
  assert.deepEqual([refOf('a'), refOf('b')], before);
  assert.notEqual(passwordIn(refOf('a')), digest);
});

test('two SCMs can swap their names', async () => {
  await publish('one', using('a', 'code', 'x'), using('b', 'lib', 'y'));
  assert.deepEqual(await publish('one', using('a', 'lib', 'x'), using('b', 'code', 'y')), []);
  assert.deepEqual([urlOf('a'), urlOf('b')], ['x', 'y']);
  assert.deepEqual(await publish('one', using('b', 'lib', 'x'), using('a', 'code', 'y')), []);
  assert.deepEqual([urlOf('a'), urlOf('b')], ['y', 'x']);
});

test('a file that changes alone does not move the pipelines of others', async () => {
  await publish('one', using('a', 'code', 'x'), using('b', 'code', 'x', { file: 'b.yaml' }));
  const ref = refOf('b');
  const change = (scmName: string) => changeOfOne(using('a', scmName, 'y'));
  const at = (file: string, name: string) => `${file} (pipeline ${name}) in one.git at revision 2`;
  await assertRefused(change('code'), clash('code', at('b.yaml', 'b'), at('a.gocd.yaml', 'a')));
  assert.deepEqual(await change('code2'), []);
  assert.deepEqual([urlOf('a'), urlOf('b'), refOf('b')], ['y', 'x', ref]);
  assert.deepEqual(lab.inForce('scms'), ['code from one:b.yaml', 'code2 from one:a.gocd.yaml']);
});

test('an SCM that its repo declares no longer belongs to the next repo that declares it', async () => {
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

test('only an SCM of the server itself can be referred to by its id', async () => {
  await publish('one', using('a', 'code', 'x'));
  const ref = refOf('a');
  const unknown = `Failed to find referenced scm '${ref}'`;
  await assertRefused(publish('one', byId('a', ref)), unknown);
  await assertRefused(publish('two', byId('theirs', ref)), unknown);
  await lab.put('scms', { id: 'own', ...scmOf('tool', 'z') });
  assert.deepEqual(await publish('two', byId('theirs', 'own')), []);
  await lab.put('pipelineGroups', { name: 'g' });
  await assert.rejects(lab.put('pipelines', byId('mine', ref).body), Refusal);
});

test('an id that another SCM has taken is not used', async () => {
  await publish('one', using('a', 'code', 'x'));
  const ref = refOf('a');
  await publish('one');
  await lab.put('scms', { id: ref, ...scmOf('copy', 'y') });
  assert.deepEqual(await publish('one', using('a', 'code', 'x')), []);
  assert.deepEqual([urlOf('a'), refOf('a') === ref], ['x', false]);
});

test('a label refers to an SCM by the name in its own pipeline, not by names in others', async () => {
  const labelled = (label: string) => using('b', 'mine', 'x', { file: 'b.yaml', label_template: label });
  assert.deepEqual(await publish('one', using('a', 'code', 'x'), labelled('${mine}')), []);
  assert.deepEqual(await changeOfOne(using('a', 'new', 'x')), []);
  assert.deepEqual(lab.inForce('scms'), ['new from one:a.gocd.yaml']);
  const [problem, ...others] = await publish('one', using('a', 'code', 'x'), labelled('${code}'));
  assert.match(problem!.message, /label template in pipeline 'b' that refers to a material called 'code'/);
  assert.deepEqual(others, []);
});

test('a file can name SCMs of the server and packages, too', async () => {
  await lab.put('scms', { id: 'own', ...scmOf('tool', 'z') });
  const configuration = [{ key: 'REPO_URL', value: 'https://npm.example.org' }];
  const plugin_metadata = { id: 'npm', version: '1' };
  await lab.put('packageRepositories', { repo_id: 'npm', name: 'npm', plugin_metadata, configuration });
  const named = { name: 'left-pad', auto_update: true, package_repo: { id: 'npm' } };
  await lab.put('packages', { id: 'pkg', ...named, configuration: [{ key: 'PACKAGE_NAME', value: 'left-pad' }] });
  const calling = (scm: string, pkg: string, label: string, more: JsonObject[] = []) =>
    pipeline('a', {
      label_template: label,
      materials: [
        { type: 'plugin', attributes: { ref: 'own', name: scm, destination: 'd' } },
        { type: 'package', attributes: { ref: 'pkg', name: pkg } },
        ...more,
      ],
    });
  assert.deepEqual(await publish('one', calling('mine', 'pad', '${mine}-${Pad}-${COUNT}')), []);
  const { config } = lab.configuration;
  for (const plugin of [yamlConfigRepoPlugin, jsonConfigRepoPlugin]) {
    const { text, name } = await exportedPipeline(plugin, config.of('pipelines').find('a')!, config, lab.configuration.cipher);
    const { pipelines, problems } = plugin.join([
      parserOf(plugin.id).parse(plugin.chooseSent([name], new Map()).files[0]!, Buffer.from(text)),
    ]);
    const { revision } = config;
    assert.deepEqual([problems, await publish('one', ...pipelines.map((one) => ({ ...one, file: 'a.gocd.yaml' })))], [[], []], text);
    assert.equal(config.revision, revision, text);
  }
  const wrong = async (definition: ReturnType<typeof pipeline>) => (await publish('one', definition)).map(({ message }) => message);
  assert.match((await wrong(calling('mine', 'a b', '${mine}'))).join(), /Invalid material name 'a b'/);
  const git = { type: 'git', attributes: { url: 'https://scm.example.org/x.git', name: 'PAD', destination: 'e' } };
  assert.match((await wrong(calling('mine', 'pad', '${mine}', [git]))).join(), /You have defined multiple materials called 'PAD'/);
});

test('the repo or file that inherits an SCM renames it', async () => {
  await publish('one', using('a', 'code', 'x'), using('b', 'lib', 'x', { file: 'b.yaml' }));
  assert.deepEqual(await changeOfOne(using('a', 'code', 'y')), []);
  assert.deepEqual(lab.inForce('scms').sort(), ['code from one:a.gocd.yaml', 'lib from one:b.yaml']);
  await publish('two', using('theirs', 'tool', 'x'));
  await lab.remove('configRepos', 'one');
  assert.deepEqual(lab.inForce('scms'), ['tool from two:a.gocd.yaml']);
});

test('the same files give the same SCM, in any order', async () => {
  const files = [using('a', 'code', 'x'), using('b', 'lib', 'x', { file: 'b.yaml' }), using('c', 'Lib', 'x', { file: 'c.yaml' })];
  const states = new Set<string>();
  for (const [first, second, third] of [
    [0, 1, 2],
    [2, 1, 0],
    [1, 2, 0],
  ] as const) {
    const inForce = new Set<string>();
    for (const next of [first, second, third]) {
      assert.deepEqual(await lab.publish('one', { pipelines: [files[next]!], isInForce: (file) => inForce.has(file) }), []);
      inForce.add(files[next]!.file);
    }
    states.add(JSON.stringify(lab.value('scms', refOf('a'))));
    await publish('one');
    assert.deepEqual(lab.inForce('scms'), []);
  }
  assert.deepEqual(
    [...states].map((state) => JSON.parse(state)).map(({ name, origin }) => [name, origin]),
    [['code', { repo: 'one', file: 'a.gocd.yaml', alsoCalled: ['Lib'] }]],
  );
});

test('every name that a file gives to an SCM is taken, and is free again when no file uses it', async () => {
  await publish('one', using('a', 'code', 'x'));
  await publish('two', using('theirs', 'lib', 'x'));
  const here = 'b.yaml (pipeline b) in one.git at revision 2';
  const b = using('b', 'LIB', 'y', { file: 'b.yaml' });
  const change = () => lab.publish('one', { revision: '2', pipelines: [b], isInForce: (file) => file !== 'b.yaml' });
  await assertRefused(change(), clash('LIB', 'a.gocd.yaml (pipeline theirs) in two.git at revision 1', here));
  await assert.rejects(lab.put('scms', { id: 'own', ...scmOf('lib', 'z') }), Refusal);
  await publish('two', using('theirs', 'tool', 'x'));
  assert.deepEqual(await change(), []);
  assert.deepEqual(lab.inForce('scms'), ['code from one:a.gocd.yaml', 'LIB from one:b.yaml']);
});

test('SCMs without settings are distinguished by their names', async () => {
  const definitions = [using('a', 'code', ''), using('b', 'Code', ''), using('c', 'lib', '')];
  assert.deepEqual(await publish('one', ...definitions), []);
  assert.deepEqual([refOf('a') === refOf('b'), refOf('a') === refOf('c')], [true, false]);
  const { revision } = lab.configuration.config;
  assert.deepEqual(await publish('one', ...definitions), []);
  assert.equal(lab.configuration.config.revision, revision);
});

for (const plugin of [yamlConfigRepoPlugin, jsonConfigRepoPlugin]) {
  test(`a file that ${plugin.id} exports declares the SCM again, secrets encrypted`, async () => {
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
    const { text, name } = await exportedPipeline(plugin, config.of('pipelines').find('a')!, config, lab.configuration.cipher);
    assert.ok(!text.includes('hush') && !text.includes(refOf('a')), text);
    const { files } = plugin.chooseSent([name], new Map());
    const { pipelines, problems } = plugin.join([parserOf(plugin.id).parse(files[0]!, Buffer.from(text))]);
    assert.deepEqual(problems, []);
    const { revision } = config;
    assert.deepEqual(await publish('one', ...pipelines.map((defined) => ({ ...defined, file: 'a.gocd.yaml' }))), []);
    assert.equal(config.revision, revision, text);
  });
}
