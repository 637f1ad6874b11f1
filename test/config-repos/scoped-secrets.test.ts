// Cipher texts in files of config repos: those that were made for a repo, a group or an address open only there.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { repoNow } from '../../src/config-repos/cycle/repo-config.ts';
import { exportedPipeline } from '../../src/config-repos/export/exported.ts';
import { yamlParser } from '../../src/formats/file-parsers.ts';
import { cipherOf } from '../../src/kit/bytes/cipher.ts';
import { yamlConfigRepoPlugin } from '../../src/plugins/bundled/config-repos/yaml.ts';
import { writeEntity } from '../../src/shape/json/entity-json.ts';
import type { JsonObject } from '../../src/shape/json/json.ts';
import { originOf } from '../../src/shape/secrets/destination.ts';
import { configRepoScope, pipelineGroupScope } from '../../src/shape/secrets/secret-scope.ts';
import { encryptFor, showBoundSecrets } from '../../src/shape/secrets/secret-writer.ts';
import { environment, pipeline, RepoLab } from './support.ts';

const ELSEWHERE = /belongs to another place/;
const MOVED = /was entered for another address/;

let lab: RepoLab;
beforeEach(async () => {
  lab = await RepoLab.open();
  await lab.addRepo('one');
  await lab.addRepo('two');
});
afterEach(() => lab.configuration.close());

const ofRepo = (id: string, plain = 'hush') => encryptFor(lab.configuration.cipher, plain, configRepoScope(id), undefined);
const ofGroup = (name: string, plain = 'hush') => encryptFor(lab.configuration.cipher, plain, pipelineGroupScope(name), undefined);
const forAddress = (scope: string, address: string) => encryptFor(lab.configuration.cipher, 'hush', scope, originOf(address));

const variables = (encrypted_value: string) => ({ environment_variables: [{ name: 'KEY', secure: true, encrypted_value }] });
type Materials = { readonly materials: readonly JsonObject[] };

const material = (url: string, encrypted_password: string): Materials => ({
  materials: [{ type: 'git', attributes: { url, username: 'me', encrypted_password, destination: 'git' } }],
});
const scm = (url: string, encrypted_value: string): Materials => ({
  materials: [
    {
      type: 'plugin',
      attributes: {
        destination: 'scm',
        scm: {
          name: 'code',
          plugin_metadata: { id: 'com.example.scm', version: '1' },
          configuration: [
            { key: 'url', value: url },
            { key: 'token', encrypted_value },
          ],
        },
      },
    },
  ],
});

async function published(repo: string, name: string, more: JsonObject & { group?: string }): Promise<void> {
  assert.deepEqual(await lab.publish(repo, { pipelines: [pipeline(name, more)] }), []);
}

async function refused(repo: string, name: string, more: JsonObject & { group?: string }, message: RegExp): Promise<void> {
  const problems = await lab.publish(repo, { pipelines: [pipeline(name, more)] });
  assert.equal(problems.length, 1, JSON.stringify(problems));
  assert.match(problems[0]!.message, message);
  assert.equal(problems[0]!.definedAt?.file, 'a.gocd.yaml');
}

describe('a text for a config repo', () => {
  test('opens in all that the repo defines', async () => {
    await published('one', 'a', {
      ...variables(ofRepo('one')),
      materials: [
        ...material('https://scm.example.org/a.git', ofRepo('one')).materials,
        ...scm('https://scm.example.org', ofRepo('one')).materials,
      ],
    });
    assert.deepEqual(await lab.publish('one', { environments: [environment('qa', variables(ofRepo('one')))] }), []);
  });

  test('is refused in another repo, beside the field', async () => {
    await refused('two', 'a', variables(ofRepo('one')), /^Encrypted value for variable named 'KEY' belongs to another place/);
    await refused('two', 'a', material('https://scm.example.org/a.git', ofRepo('one')), /^Encrypted value for password belongs/);
    await refused('two', 'a', scm('https://scm.example.org', ofRepo('one')), /^Encrypted value for property with key 'token' belongs/);
    const [problem, ...others] = await lab.publish('two', { environments: [environment('qa', variables(ofRepo('one')))] });
    assert.match(problem!.message, ELSEWHERE);
    assert.deepEqual(others, []);
    // A repo that is only to be checked has no id yet.
    await refused('NEW REPO', 'a', variables(ofRepo('one')), ELSEWHERE);
  });

  test('read again, it changes nothing', async () => {
    await published('one', 'a', variables(ofRepo('one')));
    const before = lab.configuration.config.of('pipelines').find('a')!;
    await published('one', 'a', variables(ofRepo('one')));
    assert.equal(lab.configuration.config.of('pipelines').find('a'), before);
  });
});

describe('a text for a pipeline group', () => {
  test('opens in pipelines of the group, of any repo, in any letter case', async () => {
    for (const [repo, name] of [
      ['one', 'a'],
      ['two', 'b'],
    ] as const) {
      await published(repo, name, {
        group: 'shop',
        ...variables(ofGroup('SHOP')),
        materials: [
          ...material('https://scm.example.org/a.git', ofGroup('shop')).materials,
          ...scm('https://scm.example.org', ofGroup('shop')).materials,
        ],
      });
    }
  });

  test('is refused in other groups and in environments, also when the pipeline was in the group before', async () => {
    await published('one', 'a', { group: 'shop', ...variables(ofGroup('shop')) });
    await refused('one', 'a', { group: 'other', ...variables(ofGroup('shop')) }, ELSEWHERE);
    await refused('one', 'a', { group: 'other', ...scm('https://scm.example.org', ofGroup('shop')) }, ELSEWHERE);
    const [problem] = await lab.publish('two', { environments: [environment('qa', variables(ofGroup('shop')))] });
    assert.match(problem!.message, ELSEWHERE);
  });
});

test('a text of another server, whose key was imported, opens only there, too', async () => {
  const key = '5c'.repeat(32);
  lab.configuration.importedKeys.keep(key);
  const text = encryptFor(cipherOf(key)!, 'hush', configRepoScope('one'), undefined);
  await published('one', 'a', variables(text));
  await refused('two', 'b', variables(text), ELSEWHERE);
});

test('a secret as the API shows it is refused in files, even of the same pipeline', async () => {
  const { cipher, config } = lab.configuration;
  await published('one', 'a', variables(cipher.encrypt('hush')));
  const shown = writeEntity(config.of('pipelines').kind, lab.value('pipelines', 'a')!, showBoundSecrets(cipher));
  await refused('one', 'a', { environment_variables: shown.environment_variables! }, ELSEWHERE);
});

describe('a secret that is sent to an address', () => {
  for (const [form, textOf] of [
    ['portable', () => lab.configuration.cipher.encrypt('hush')],
    ['for the repo', () => ofRepo('one')],
  ] as const) {
    test(`goes with a file to another path, but not to another host: ${form}`, async () => {
      await published('one', 'a', material('https://scm.example.org/a.git', textOf()));
      await published('one', 'a', material('https://SCM.example.org:443/b.git', textOf()));
      for (const url of ['https://evil.example.org/a.git', 'http://scm.example.org/a.git', 'https://scm.example.org:8443/a.git'])
        await refused('one', 'a', material(url, textOf()), MOVED);
      await published('one', 's', scm('https://scm.example.org/a', textOf()));
      await refused('one', 's', scm('https://evil.example.org/a', textOf()), MOVED);
    });
  }

  test('goes to another host when it was encrypted for that one', async () => {
    await published('one', 'a', material('https://scm.example.org/a.git', ofRepo('one')));
    const forOther = forAddress(configRepoScope('one'), 'https://other.example.org');
    await refused('one', 'a', material('https://scm.example.org/a.git', forOther), MOVED);
    await published('one', 'a', material('https://other.example.org/a.git', forOther));
    await refused('one', 'a', variables(forOther), MOVED);
  });

  test('a secret of the repo itself follows the address of the repo', async () => {
    const repo = (url: string) => ({
      id: 'one',
      plugin_id: 'yaml.config.plugin',
      material: { type: 'git', attributes: { url, username: 'me', password: 'hush' } },
      rules: [{ directive: 'allow', action: '*', type: '*', resource: '*' }],
    });
    const itself = { materials: [{ type: 'configrepo', attributes: {} }] };
    const { config, plugins, cipher } = lab.configuration;
    for (const url of ['https://scm.example.org/one.git', 'https://moved.example.org/one.git']) {
      await lab.put('configRepos', repo(url));
      const { material: own } = repoNow('one', config, plugins, cipher)!;
      assert.deepEqual(await lab.publish('one', { pipelines: [pipeline('a', itself)], material: own }), []);
      const [published] = lab.value('pipelines', 'a')!.materials;
      assert.ok(published?.type === 'git');
      assert.equal(published.attributes.url, url);
      // The password of this repo is of no use in a file of another repo.
      const problems = await lab.publish('two', { pipelines: [pipeline('b', itself)], material: own });
      assert.match(problems[0]!.message, ELSEWHERE);
    }
  });
});

describe('an exported pipeline', () => {
  const addOwn = () =>
    lab.put('pipelines', {
      ...(pipeline('a', variables(lab.configuration.cipher.encrypt('variable'))).body as JsonObject),
      materials: [
        { type: 'git', attributes: { url: 'https://scm.example.org/a.git', username: 'me', password: 'hush', destination: 'a' } },
        { type: 'hg', attributes: { url: 'https://me:hush@scm.example.org/b', destination: 'b' } },
      ],
      group: 'g',
    });
  const exported = async () => {
    const { config, cipher } = lab.configuration;
    const { text, name } = await exportedPipeline(yamlConfigRepoPlugin as never, config.of('pipelines').find('a')!, config, cipher);
    assert.doesNotMatch(text, /hush|v1:|v1%3A/);
    const { files } = yamlConfigRepoPlugin.chooseSent([name], new Map());
    return { text, ...yamlConfigRepoPlugin.join([yamlParser.parse(files[0]!, Buffer.from(text))]) };
  };

  test('is written the same each time, and comes back through a config repo', async () => {
    await lab.put('pipelineGroups', { name: 'g' });
    await addOwn();
    const { text, pipelines, problems } = await exported();
    assert.deepEqual(problems, []);
    assert.equal((await exported()).text, text);
    await lab.remove('pipelines', 'a');
    assert.deepEqual(await lab.publish('one', { pipelines }), []);
    const { config, parts } = lab.configuration;
    const open = (secret: unknown) => parts.tools.cipher.decrypt((secret as { cipherText: string }).cipherText);
    const back = config.of('pipelines').find('a')!.value as never as {
      environmentVariables: { value: object }[];
      materials: { attributes: { password?: object; url: { full: object } } }[];
    };
    assert.equal(open(back.environmentVariables[0]!.value), 'variable');
    assert.equal(open(back.materials[0]!.attributes.password), 'hush');
    assert.equal(open(back.materials[1]!.attributes.url.full), 'https://me:hush@scm.example.org/b');
  });

  test('opens in its group only, and its passwords only for their host, and not as variables', async () => {
    await lab.put('pipelineGroups', { name: 'g' });
    await addOwn();
    const { pipelines } = await exported();
    const body = pipelines[0]!.body as { environment_variables: [{ encrypted_value: string }]; materials: [{ attributes: JsonObject }] };
    await lab.remove('pipelines', 'a');
    const text = body.environment_variables[0].encrypted_value;
    const password = String(body.materials[0].attributes.encrypted_password);
    await published('one', 'a', { group: 'g', ...variables(text) });
    await refused('one', 'a', { group: 'other', ...variables(text) }, ELSEWHERE);
    await refused('one', 'a', { group: 'g', ...variables(password) }, MOVED);
    await refused('one', 'a', { group: 'g', ...material('https://evil.example.org/a.git', password) }, MOVED);
    await refused('one', 'a', { group: 'g', ...material('https://scm.example.org/a.git', text) }, MOVED);
    await published('one', 'a', { group: 'g', ...material('https://scm.example.org/a.git', password) });
  });
});
