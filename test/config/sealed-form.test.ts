// The form of entities in documents: reading it again, with nothing else at hand, gives the same entity.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, test } from 'node:test';
import { Config } from '../../src/config/current.ts';
import { Draft } from '../../src/config/draft.ts';
import { Cipher } from '../../src/kit/bytes/cipher.ts';
import { PluginHost } from '../../src/plugins/host.ts';
import { bundledPlugins } from '../../src/plugins/installed.ts';
import { registry } from '../../src/resources/index.ts';
import { readEntity, writeSealed } from '../../src/shape/json/entity-json.ts';
import { etagOf } from '../../src/shape/json/etag.ts';
import type { JsonObject } from '../../src/shape/json/json.ts';
import { type Kind, kindsOf } from '../../src/shape/resource.ts';
import { samples } from '../support/configuration/samples.ts';

const kinds = kindsOf(registry);
const cipher = new Cipher(randomBytes(32));
const plugins = new PluginHost(bundledPlugins, cipher, () => ({ contextPath: '', secureSiteUrl: undefined }));
const tools = { cipher, openImported: () => undefined, isSecretSetting: plugins.isSecretSetting.bind(plugins) };
const { ruleView } = new Draft(new Config(kinds));

function read(kind: Kind, body: unknown, isSealed: boolean) {
  const { entity, problems } = readEntity(kind, body as JsonObject, { ruleView, isSealed }, tools);
  assert.deepEqual(problems, []);
  return entity;
}

function staysTheSame(kind: Kind, body: unknown, secrets: readonly string[]): void {
  const entity = read(kind, body, false);
  const document = JSON.stringify(writeSealed(kind, entity));
  for (const secret of secrets) assert.ok(!document.includes(secret), document);
  const again = read(kind, JSON.parse(document), true);
  assert.deepEqual(again, entity);
  assert.equal(etagOf(again), etagOf(entity));
}

const kindNamed = (name: keyof typeof registry) => kinds.find((kind) => kind.name === name)!;

describe('the sample of each kind', () => {
  for (const kind of kinds) {
    const sample = samples[kind.name as keyof typeof registry];
    test(`the sample of ${kind.name} comes back`, () => staysTheSame(kind, sample?.body(1) ?? kind.example, sample?.secrets(1) ?? []));
  }
});

describe('an address with a password', () => {
  const url = 'https://me:hush@scm.example.org/a';
  for (const type of ['git', 'hg', 'svn', 'tfs']) {
    const material = { type, attributes: { url, username: 'me', password: 'hush-2', project_path: '$/a' } };
    test(`an address with a password comes back in a ${type} material of a pipeline`, () =>
      staysTheSame(kindNamed('pipelines'), { name: 'p', group: 'g', materials: [material], template: 't' }, ['hush']));
    test(`an address with a password comes back in a ${type} config repo`, () =>
      staysTheSame(kindNamed('configRepos'), { id: 'r', plugin_id: 'yaml.config.plugin', material }, ['hush']));
  }

  test('an address with a password comes back in a setting for addresses that is not secret', () => {
    const properties = [{ key: 'Endpoint', value: url }];
    staysTheSame(kindNamed('artifactStores'), { id: 's', plugin_id: 'com.example.unknown', properties }, ['hush']);
  });
});

test('the keys of the server come back from the sealed form', () => {
  const keys = { agent_auto_register_key: 'hush-1', webhook_secret: 'hush-2', token_generation_key: 'hush-3' };
  staysTheSame(kindNamed('serverIdentity'), { server_id: 'x', job_starvation_timeout: 7, ...keys }, Object.values(keys));
});
