import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { SecretsPlugin } from '../contracts/plugins/secrets.ts';
import { mayRefer, type Referrer, SecretProblem, SecretReferences } from './secret-references.ts';

const lookups: (readonly string[])[] = [];
const plugin: SecretsPlugin = {
  id: 'vault',
  kind: 'secrets',
  name: '',
  version: '',
  description: '',
  vendor: '',
  blocks: {},
  lookUp: async (keys, settings) => {
    lookups.push(keys);
    if (settings.get('isDown')) throw new Error('The vault does not answer.');
    return new Map(keys.filter((key) => !key.startsWith('no')).map((key) => [key, `${settings.get('prefix')}-${key}`]));
  },
};
const rule = (directive: string, type: string, resource: string, action = 'refer') => ({ directive, action, type, resource });
const team: Referrer = { type: 'pipeline_group', name: 'Team-A' };
const configOf = (pluginId: string, key: string, value: string, rules = [rule('allow', 'pipeline_group', 'team-*')]) => ({
  pluginId,
  properties: [{ key, value }],
  rules,
});
const configs = new Map(
  Object.entries({
    one: configOf('vault', 'prefix', '1'),
    two: configOf('vault', 'prefix', '2'),
    down: configOf('vault', 'isDown', 'yes'),
    gone: configOf('not-installed', 'x', 'y'),
    closed: configOf('vault', 'prefix', 'x', []),
  }),
);
const secrets = new SecretReferences({
  find: (id) => configs.get(id),
  plugin: (id) => (id === plugin.id ? plugin : undefined),
  clearValues: (properties) => new Map(properties.map(({ key, value }) => [key, String(value)])),
  host: { directory: '/' },
});

test('each reference is replaced by its secret, and nothing else changes', async () => {
  assert.equal(await secrets.resolve('plain $& text', team), 'plain $& text');
  assert.equal(await secrets.resolve('{{SECRET:[one][key]}}', team), '1-key');
  assert.equal(await secrets.resolve('a{{SECRET:[one][$&]}}b{{SECRET:[two][k]}}c', team), 'a1-$&b2-kc');
  lookups.length = 0;
  await secrets.resolve('{{SECRET:[one][a]}}{{SECRET:[one][b]}}{{SECRET:[one][a]}}', team);
  assert.deepEqual(lookups, [['a', 'b']], 'each once, and together');
  const settings = new Map([
    ['url', 'https://host'],
    ['password', '{{SECRET:[one][p]}}'],
  ]);
  assert.deepEqual([...(await secrets.resolveAll(settings, team)).values()], ['https://host', '1-p']);
});

test('a failure names all secrets that a secret config lacks, in their order', async () => {
  lookups.length = 0;
  const texts = ['{{SECRET:[one][none]}}', '{{SECRET:[two][key]}}', 'x{{SECRET:[one][key]}}', '{{SECRET:[one][nothing]}}'];
  await assert.rejects(secrets.resolveTexts(texts, team), { message: "The secret config 'one' has no secret 'none', 'nothing'." });
  assert.deepEqual(lookups, [['none', 'key', 'nothing']], 'each secret config is asked once');
});

test('each secret is reported on its own', async () => {
  const reported: string[] = [];
  const settings = new Map([
    ['url', 'https://app:{{SECRET:[one][p]}}@{{SECRET:[two][host]}}/'],
    ['plain', 'text'],
  ]);
  await secrets.resolveAll(settings, team, (secret) => reported.push(secret));
  assert.deepEqual(reported, ['1-p', '2-host']);
});

test('each obstacle to a lookup has its message', async () => {
  const problems: Readonly<Record<string, string>> = {
    '{{SECRET:[nowhere][k]}}': "Secret config with id 'nowhere' does not exist.",
    '{{SECRET:[gone][k]}}': "Plugin with id 'not-installed' of the secret config 'gone' is not found.",
    '{{SECRET:[down][k]}}': "Secrets of the secret config 'down' cannot be looked up. The vault does not answer.",
    '{{SECRET:[one][none]}}': "The secret config 'one' has no secret 'none'.",
    '{{SECRET:[closed][k]}}': "The pipeline group 'Team-A' may not refer to secrets of the secret config 'closed'.",
  };
  for (const [text, message] of Object.entries(problems)) {
    await assert.rejects(secrets.resolve(text, team), (failure: Error) => {
      assert.ok(failure instanceof SecretProblem);
      assert.equal(failure.message, message);
      return true;
    });
  }
  lookups.length = 0;
  await assert.rejects(
    secrets.resolve('{{SECRET:[one][k]}}', { type: 'pluggable_scm', name: 'team-a' }),
    /^Error: The SCM 'team-a' may not/,
  );
  assert.deepEqual(lookups, [], 'who may not is not looked up for');
});

describe('rules', () => {
  test('the first matching rule decides, and without one nothing is allowed', () => {
    assert.equal(mayRefer([], team), false);
    assert.equal(mayRefer([rule('deny', 'pipeline_group', 'team-a'), rule('allow', '*', '*')], team), false);
    assert.equal(mayRefer([rule('allow', '*', '*'), rule('deny', 'pipeline_group', 'team-a')], team), true);
    assert.equal(mayRefer([rule('allow', 'environment', '*')], team), false);
    assert.equal(mayRefer([rule('allow', 'Pipeline_Group', 'TEAM-?', '*')], team), true);
  });
});
