// Files of GoCD, old and new, as this server takes them over.
import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { FileRefused } from '../../src/document/save/refused.ts';
import { readImportedKey } from '../../src/document/upgrade/imported-cipher.ts';
import type { KindName } from '../../src/shape/configuration.ts';
import type { Secret } from '../../src/shape/secrets/secret.ts';
import { TestConfiguration } from '../support/configuration/configuration.ts';

const fixture = (name: string) => readFileSync(join(import.meta.dirname, 'fixtures', name));
const KEYS = { aes: readImportedKey(fixture('cipher.aes').toString()), des: readImportedKey(fixture('cipher').toString()) };

const opened: TestConfiguration[] = [];
after(() => Promise.all(opened.map((one) => one.close())));

async function configuration(dataDir?: string): Promise<TestConfiguration> {
  const made = await TestConfiguration.open(dataDir);
  opened.push(made);
  return made;
}

/** Every secret in an entity, in clear. */
function secretsIn({ cipher }: TestConfiguration, value: unknown): (string | undefined)[] {
  if (typeof value !== 'object' || value === null) return [];
  if ('cipherText' in value) return [cipher.decrypt((value as Secret).cipherText)];
  return Object.values(value).flatMap((member) => secretsIn({ cipher } as TestConfiguration, member));
}

const entity = <K extends KindName>({ config }: TestConfiguration, kind: K, id = '') => config.of(kind).find(id)?.value;

describe('files of every age', { concurrency: false }, () => {
  test('schema 100 is imported', async () => {
    const world = await configuration();
    const { plan } = await world.save(fixture('schema-100.xml'), { mode: 'import' });
    assert.deepEqual(
      plan.ignored.map(({ what }) => what),
      ['1 agent'],
    );
    assert.equal(entity(world, 'serverIdentity')?.jobStarvationTimeout, 4);
    assert.deepEqual(entity(world, 'elasticProfiles', 'unit')?.clusterProfileId, 'no-op-cluster-for-com.example.elastic');
    const pipeline = JSON.stringify(entity(world, 'pipelines', 'old'));
    assert.match(pipeline, /"urlPattern":"http:\/\/tracker\.example\.com/);
    assert.match(pipeline, /"type":"test"/);
    assert.deepEqual(secretsIn(world, entity(world, 'pipelines', 'old')), ['in clear']);
  });

  test('schema 108 is imported, with secrets of the old cipher', async () => {
    const world = await configuration();
    await world.save(fixture('schema-108.xml'), { mode: 'import', open: KEYS.des });
    assert.deepEqual(secretsIn(world, entity(world, 'mailServer')), ['user-password!']);
    assert.deepEqual(secretsIn(world, entity(world, 'pipelines', 'downstream')), ['user-password!']);
    assert.deepEqual(secretsIn(world, entity(world, 'pipelines', 'upstream')), []);
    const { emailOnSuccess, emailOnFailure } = entity(world, 'backupConfig')!;
    assert.deepEqual([emailOnSuccess, emailOnFailure], [true, true]);
  });

  test('schema 119 is imported', async () => {
    const world = await configuration();
    await world.save(fixture('schema-119.xml'), { mode: 'import' });
    assert.deepEqual(entity(world, 'siteUrls'), { siteUrl: 'http://ci.example.com', secureSiteUrl: 'https://ci.example.com' });
    assert.equal(entity(world, 'artifactsConfig')?.artifactsDir, '/var/lib/artifacts');
    assert.equal(entity(world, 'mailServer')?.tls, false);
  });

  test('schema 127 is imported', async () => {
    const world = await configuration();
    const { plan } = await world.save(fixture('schema-127.xml'), { mode: 'import', open: KEYS.aes });
    assert.equal(plan.ignored.length, 5);
    assert.deepEqual(secretsIn(world, entity(world, 'authConfigs', 'ldap')), ['ldap secret']);
    assert.equal(entity(world, 'pipelines', 'web')?.labelTemplate, `\${COUNT}-\${app_git}`);
    assert.match(JSON.stringify(entity(world, 'configRepos', 'r1')), /"action":"refer","type":"\*","resource":"\*"/);
  });

  test('schema 139 is imported', async () => {
    const world = await configuration();
    const { plan, revision } = await world.save(fixture('schema-139.xml'), { mode: 'import', open: KEYS.aes });
    assert.deepEqual([revision, plan.created.length, plan.changed, plan.removed, plan.ignored], [1, 24, [], [], []]);
    assert.deepEqual(secretsIn(world, entity(world, 'authConfigs', 'github')), ['client', 'badger']);
    assert.deepEqual(secretsIn(world, entity(world, 'artifactStores', 's3')), ['s3 secret']);
    assert.deepEqual(secretsIn(world, entity(world, 'mailServer')), ['mail secret']);
    assert.deepEqual(secretsIn(world, entity(world, 'pipelines', 'build')).sort(), ['git secret', 'variable secret']);
    assert.equal(secretsIn(world, entity(world, 'serverIdentity')).length, 3);
    assert.doesNotMatch(world.document, /AES:|badger|secret<|0b8c1f5e/);
  });
});

describe('settings that a plugin does not accept', { concurrency: false }, () => {
  const property = (key: string, value: string) => `<property><key>${key}</key><value>${value}</value></property>`;
  const DOCKER = 'cd.go.contrib.elastic-agent.docker';

  test('settings that a plugin refuses are reported with line and name, and do not refuse the file', async () => {
    const world = await configuration();
    const old = `<cruise schemaVersion="118"><server serverId="abc" artifactsdir="artifacts"/><elastic><profiles>
      <profile id="small" pluginId="${DOCKER}">${property('Image', 'alpine')}${property('Mood', 'good')}${property('Size', 'huge')}</profile>
    </profiles></elastic></cruise>`;
    const { plan } = await world.save(old, { mode: 'import' });
    assert.deepEqual(
      plan.warnings.filter(({ message }) => message.startsWith('Elastic')).map(({ line, message }) => `${line} ${message}`),
      ['Mood', 'Size'].map((key) => `2 Elastic agent profile 'small', property '${key}': Is an unknown property`),
    );
    assert.ok(
      plan.warnings.some(({ message }) => message.startsWith(`Cluster profile 'no-op-cluster-for-${DOCKER}', property 'go_server_url': `)),
    );
    assert.equal(entity(world, 'elasticProfiles', 'small')?.clusterProfileId, `no-op-cluster-for-${DOCKER}`);
    // Saved whole again, nothing is to be done; a change gets the warnings again.
    assert.equal((await world.save(world.document, { base: world.document })).revision, undefined);
    const changed = await world.save(world.document.replace('huge', 'tiny'), { base: world.document });
    assert.deepEqual([changed.plan.changed.length, changed.plan.warnings.length], [1, 2]);
  });

  test('settings that a plugin refuses are reported for external artifacts in jobs, too', async () => {
    const world = await configuration();
    const file = (store: string) => `<cruise schemaVersion="139"><artifactStores>
      <artifactStore id="hub" pluginId="cd.go.artifact.docker.registry">${property('RegistryURL', 'https://hub.example.com')}</artifactStore>
    </artifactStores><pipelines group="g"><pipeline name="p"><materials><git url="https://example.com/p.git" /></materials>
      <stage name="s"><jobs><job name="j"><tasks><exec command="make" /></tasks><artifacts>
        <artifact type="external" id="image" storeId="${store}"><configuration>${property('Mood', 'good')}</configuration></artifact>
      </artifacts></job></jobs></stage></pipeline></pipelines></cruise>`;
    const { plan } = await world.save(file('hub'), { mode: 'import' });
    const warnings = plan.warnings.map(({ message }) => message).join('\n');
    assert.match(warnings, /Artifact store 'hub', property 'RegistryType': /);
    assert.match(warnings, /Pipeline 'p', property 'BuildFile': /);
    assert.ok(entity(world, 'pipelines', 'p'));
    await assert.rejects((await configuration()).save(file('nowhere'), { mode: 'import' }), (failure: FileRefused) => {
      assert.deepEqual(
        failure.problems.map(({ message }) => message.includes('nowhere')),
        [true],
      );
      return failure instanceof FileRefused;
    });
  });
});

test('a written document can be read into an empty server with the same key, and is written the same', async () => {
  const first = await configuration();
  await first.save(fixture('schema-139.xml'), { mode: 'import', open: KEYS.aes });
  const directory = mkdtempSync(join(tmpdir(), 'slipway-round-trip-'));
  copyFileSync(join(first.dataDir, 'cipher.key'), join(directory, 'cipher.key'));
  const second = await configuration(directory);
  await second.save(first.document, { mode: 'import' });
  assert.equal(second.document, first.document);
  // Saved whole it changes nothing, with or without a base to compare with.
  for (const more of [{}, { base: first.document }]) {
    const { plan, revision } = await second.save(first.document, { mode: 'whole', ...more });
    assert.deepEqual([plan.created, plan.changed, plan.removed, plan.ignored, revision], [[], [], [], [], undefined]);
  }
  rmSync(directory, { recursive: true });
});

test('secrets of a document cannot be read with another key, and each is named', async () => {
  const [first, second] = [await configuration(), await configuration()];
  await first.save(fixture('schema-139.xml'), { mode: 'import', open: KEYS.aes });
  await assert.rejects(second.save(first.document, { mode: 'import' }), (failure: FileRefused) => {
    assert.equal(failure.problems.filter(({ message }) => /encrypted by another server\. Give the key file/.test(message)).length, 6);
    return failure instanceof FileRefused;
  });
  const third = readImportedKey('0'.repeat(64));
  await assert.rejects(second.save(first.document, { mode: 'import', open: third }), (failure: FileRefused) => {
    assert.equal(failure.problems.filter(({ message }) => /cannot be opened with the given key file/.test(message)).length, 6);
    return failure instanceof FileRefused;
  });
  assert.equal(second.config.revision, 0);
});

test('a document of another Slipway comes with its secrets by the key of that server, also in addresses', async () => {
  const [first, second] = [await configuration(), await configuration()];
  await first.save(fixture('schema-139.xml'), { mode: 'import', open: KEYS.aes });
  const withAddress = first.document.replace(/<git url="[^"]*"/, '<git url="https://me:badger@example.com/sealed.git"');
  await first.save(withAddress, { base: first.document });
  const open = readImportedKey(readFileSync(join(first.dataDir, 'cipher.key'), 'utf8'));
  await second.save(first.document, { mode: 'import', open });
  const kinds: readonly KindName[] = ['authConfigs', 'artifactStores', 'mailServer', 'pipelines', 'configRepos'];
  const secrets = (world: TestConfiguration) =>
    kinds.flatMap((kind) => Array.from(world.config.of(kind).all(), ({ value }) => secretsIn(world, value))).flat();
  assert.deepEqual(secrets(second), secrets(first));
  assert.ok(secrets(second).includes('https://me:badger@example.com/sealed.git'));
  const again = await second.save(first.document, { mode: 'import', open });
  assert.deepEqual([again.plan.created, again.plan.changed, again.revision], [[], [], undefined]);
});

test('a second import changes only what differs, and removes nothing', async () => {
  const world = await configuration();
  await world.save(fixture('schema-139.xml'), { mode: 'import', open: KEYS.aes });
  const again = await world.save(fixture('schema-139.xml'), { mode: 'import', open: KEYS.aes });
  assert.deepEqual([again.revision, again.plan.unchanged], [undefined, 24]);
  const other = await world.save(fixture('schema-119.xml'), { mode: 'import' });
  assert.deepEqual(other.plan.removed, []);
  assert.deepEqual(
    other.plan.ignored.map(({ what }) => what),
    ['the server id a3f2a1b0-0000-4000-8000-000000000119', 'the key for agents and the webhook secret of that server'],
  );
  assert.equal(entity(world, 'serverIdentity')?.serverId, '0ad1b7a6-92f5-4be3-8f4f-3a5d8b1e7c33');
  assert.ok(entity(world, 'pipelines', 'build'));
});

test('administrators of this server stay administrators', async () => {
  const world = await configuration();
  await world.save(fixture('schema-100.xml'), { mode: 'import' });
  await world.save(fixture('schema-139.xml'), { mode: 'import', open: KEYS.aes });
  assert.deepEqual(entity(world, 'systemAdmins'), { roles: ['ops'], users: ['admin', 'root'] });
});

test('a second import leaves the administrators in their order', async () => {
  const world = await configuration();
  const admins = (...users: string[]) =>
    `<cruise schemaVersion="139"><server><security><admins>${users.map((user) => `<user>${user}</user>`).join('')}</admins></security></server></cruise>`;
  await world.save(admins('zed', 'root', 'admin'), { mode: 'import' });
  const { plan, revision } = await world.save(admins('Root', 'zed'), { mode: 'import' });
  assert.deepEqual([plan.changed, revision], [[], undefined]);
  await world.save(admins('eve', 'root'), { mode: 'import' });
  assert.deepEqual(entity(world, 'systemAdmins'), { roles: [], users: ['zed', 'root', 'admin', 'eve'] });
});

describe('settings that this server keeps for itself, or has no place for', { concurrency: false }, () => {
  const identity = (attributes: string) => `<cruise schemaVersion="139"><server ${attributes} /></cruise>`;

  test('the key for tokens stays, which is reported only if the file has another one', async () => {
    const world = await configuration();
    await world.save(identity('serverId="s" tokenGenerationKey="ours" webhookSecret="first-webhook-secret"'), { mode: 'import' });
    const same = await world.save(identity('serverId="s" tokenGenerationKey="ours"'), { mode: 'import' });
    assert.deepEqual([same.plan.ignored, same.revision], [[], undefined]);
    const other = await world.save(identity('serverId="s" tokenGenerationKey="theirs" webhookSecret="other-webhook-secret"'), {
      mode: 'import',
    });
    assert.deepEqual(
      other.plan.ignored.map(({ what }) => what),
      ['the key for tokens of agents'],
    );
    const { tokenGenerationKey, webhookSecret } = entity(world, 'serverIdentity')!;
    assert.deepEqual(secretsIn(world, { tokenGenerationKey, webhookSecret }), ['ours', 'other-webhook-secret']);
  });

  test('a webhook secret that can be guessed is not taken over, which is reported; the rest comes', async () => {
    const world = await configuration();
    const secretOf = () => secretsIn(world, { webhookSecret: entity(world, 'serverIdentity')!.webhookSecret });
    const first = await world.save(identity('serverId="s" webhookSecret="short" jobTimeout="7"'), { mode: 'import' });
    assert.deepEqual(
      first.plan.ignored.map(({ what, why }) => `${what}. ${why.split('. ').slice(0, 2).join('. ')}`),
      [
        'the webhook secret. The webhook secret must have 16 to 255 characters: letters, digits and ASCII punctuation other than the colon. This server keeps its own, or makes one',
      ],
    );
    assert.equal(entity(world, 'serverIdentity')!.webhookSecret, null);
    assert.equal(entity(world, 'jobTimeout')!.defaultJobTimeout, '7');
    await world.save(identity('serverId="s" webhookSecret="first-webhook-secret"'), { mode: 'import' });
    const second = await world.save(identity('serverId="s" webhookSecret="with a:colon-and-more"'), { mode: 'import' });
    assert.deepEqual([second.plan.ignored.length, second.revision, secretOf()], [1, undefined, ['first-webhook-secret']]);
  });

  test('a config repo that is an SCM of a plugin is left out, and the rest comes', async () => {
    const world = await configuration();
    const repos = `<cruise schemaVersion="139"><config-repos>
      <config-repo id="by-plugin" pluginId="yaml.config.plugin"><scm ref="some" /></config-repo>
      <config-repo id="by-git" pluginId="yaml.config.plugin"><git url="https://example.com/r.git" /></config-repo>
    </config-repos></cruise>`;
    const { plan } = await world.save(repos, { mode: 'import' });
    assert.deepEqual(plan.created, [
      { kind: 'serverIdentity', id: '' },
      { kind: 'configRepos', id: 'by-git' },
    ]);
    assert.deepEqual(plan.ignored, [
      {
        what: "the config repo 'by-plugin', which is the SCM 'some'",
        why: 'Config repos of this server are read from git, hg, svn, p4 or tfs, not through an SCM plugin.',
      },
    ]);
    await assert.rejects(
      world.save(repos),
      /line 2: Config repo 'by-plugin': .*Unsupported material type: plugin/,
      'a saved file is not an import',
    );
  });
});

test('ids that a file leaves out are the same in the plan, in the import, and the next time', async () => {
  const settings = '<configuration><property><key>k</key><value>v</value></property></configuration>';
  const plugin = '<pluginConfiguration id="x" version="1" />';
  const file = (name: string) => `<cruise schemaVersion="139"><repositories>
      <repository name="${name}">${plugin}${settings}<packages><package name="p">${settings}</package></packages></repository>
    </repositories><scms><scm name="s">${plugin}${settings}</scm></scms></cruise>`;
  const world = await configuration();
  const planned = await world.save(file('r'), { mode: 'import', dryRun: true });
  const done = await world.save(file('r'), { mode: 'import' });
  assert.deepEqual(done.plan, planned.plan);
  const again = await world.save(file('R'), { mode: 'import' });
  assert.deepEqual(again.plan.created, []);
  assert.equal(new Set(done.plan.created.map(({ id }) => id)).size, 4);
});

test('a plan says what would happen, and nothing happens', async () => {
  const world = await configuration();
  const { plan } = await world.save(fixture('schema-139.xml'), { mode: 'import', open: KEYS.aes, dryRun: true });
  assert.equal(plan.created.length, 24);
  assert.equal(world.config.revision, 0);
});

describe('hostile and broken files', { concurrency: false }, () => {
  const good = fixture('schema-119.xml').toString();
  const laughs = Array.from({ length: 20 }, (_, index) => `<!ENTITY l${index + 1} "${`&l${index};`.repeat(10)}">`).join('');
  const withType = (type: string, content: string) =>
    good.replace('<cruise ', `<!DOCTYPE cruise ${type}>\n<cruise `).replace('service', content);
  const files: Readonly<Record<string, [content: string | Buffer, message: RegExp]>> = {
    'an external entity': [withType('[<!ENTITY x SYSTEM "file:///etc/passwd">]', '&x;'), /DOCTYPE/],
    'an external document type': [withType('SYSTEM "http://127.0.0.1:1/x.dtd"', 'service'), /DOCTYPE/],
    'an entity bomb': [withType(`[<!ENTITY l0 "lol">${laughs}]`, '&l20;'), /DOCTYPE/],
    'an entity nobody declared': [good.replace('service', '&x;'), /entity/i],
    'UTF-16': [Buffer.from(good, 'utf16le'), /UTF-8/],
    'UTF-16 with a mark': [Buffer.from(`\uFEFF${good}`, 'utf16le'), /UTF-8/],
    'Latin-1 in disguise': [Buffer.from(good.replace('service', 'ümlaut'), 'latin1'), /UTF-8/],
    'another encoding, and it says so': [good.replace('utf-8', 'iso-8859-1'), /UTF-8/],
    'a truncated file': [good.slice(0, good.length / 2), /unclosed|end|cut|closed/i],
    'a truncated end': [good.slice(0, -4), /unclosed|end|cut|closed/i],
    'an empty file': ['', /./],
    nonsense: [Buffer.from([0, 1, 2, 3, 255, 254]), /./],
    JSON: ['{"cruise": true}', /./],
    'a file that goes deep': [good.replace('<pipelines', `${'<a>'.repeat(100_000)}<pipelines`), /deep|nest/i],
    'another root': ['<project schemaVersion="139"/>', /Invalid XML tag "project" found/],
    'a version that is too old': [good.replace('"119"', '"95"'), /Go config file with version 95 is invalid\. Unable to upgrade\./],
    'a version that is too new': [good.replace('"119"', '"140"'), /Go config file with version 140 is invalid\. Unable to upgrade\./],
    'an element that nobody knows': [good.replace('<materials>', '<weapons/><materials>'), /Invalid XML tag "weapons" found/],
  };
  for (const [title, [content, message]] of Object.entries(files)) {
    test(`a hostile or broken file is refused: ${title}`, async () => {
      const world = await configuration();
      for (const mode of ['import', 'whole'] as const) {
        await assert.rejects(world.save(content, { mode }), (failure: FileRefused) => {
          assert.ok(failure instanceof FileRefused, String(failure));
          assert.match(failure.message, message);
          assert.ok(failure.problems.every(({ line, column }) => line >= 1 && column >= 1));
          assert.doesNotMatch(failure.message, /root:|lollol/);
          return true;
        });
      }
      assert.deepEqual([world.config.revision, world.config.of('pipelines').size], [0, 0]);
    });
  }
});
