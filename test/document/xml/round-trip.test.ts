// A configuration with everything in it: its document is valid, holds no secret, and gives the very same entities again.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { readXml } from '../../../src/kit/xml/read-xml.ts';
import type { XmlElement } from '../../../src/kit/xml/tree.ts';
import { registry } from '../../../src/resources/index.ts';
import type { KindName } from '../../../src/shape/configuration.ts';
import { etagOf } from '../../../src/shape/json/etag.ts';
import type { JsonObject } from '../../../src/shape/json/json.ts';
import { kindsOf } from '../../../src/shape/resource.ts';
import { documentOf, find, jsonOf, plain, readText, type Stored, storedFrom, storedOf } from './entities.ts';
import { everything } from './everything.ts';
import { namesOfSchema, namesUsed, schemaProblems } from './schema.ts';

const stored = storedOf(everything);
const text = documentOf(stored);
const rest = readFileSync(join(import.meta.dirname, 'rest.xml'), 'utf8');
/** The format has no place for these. */
const NOT_IN_DOCUMENTS: readonly KindName[] = [
  'artifactRetention',
  'backupExtensions',
  'environmentParts',
  'pluginSettings',
  'publishedRevisions',
  'outgoingWebhooks',
];

/** The entities by kind, in the order of the document, which within a kind is the order they had. */
function byKind(entities: readonly Stored[]): Map<KindName, Stored[]> {
  return Map.groupBy(entities, ({ kind }) => kind);
}

describe('a configuration with everything in it', () => {
  test('the configuration has an entity of every kind', () => {
    assert.deepEqual(
      Object.keys(everything).toSorted(),
      kindsOf(registry)
        .map(({ name }) => name)
        .filter((kind) => !NOT_IN_DOCUMENTS.includes(kind))
        .toSorted(),
    );
  });

  test('the document is valid', () => assert.deepEqual(schemaProblems(text), []));

  test('the two documents together use every word of the schema', () => {
    const used = namesUsed(readXml(text).root!);
    const unused = [...namesOfSchema()].filter((name) => !used.has(name)).toSorted();
    const neverWritten = [
      // secrets
      ...['configRepoGit', 'configRepoHg', 'configRepoP4', 'configRepoSvn', 'configRepoTfs'].map((type) => `${type}Type@password`),
      ...['git', 'hg', 'mailhost', 'p4', 'svn', 'tfs'].map((type) => `${type}Type@password`),
      ...['agentAutoRegisterKey', 'tokenGenerationKey', 'webhookSecret'].map((key) => `serverType@${key}`),
      // elements and attributes that this server has no place for
      ...['configRepoType/scm', 'configRepoScmType@ref'],
      ...['pipelineType/dependencies', 'dependenciesType/depends', 'dependsType@pipeline', 'dependsType@stage'],
      ...['pluginTaskType@description', 'securityType@anonymous'],
    ];
    assert.deepEqual(unused, neverWritten.toSorted());
    assert.deepEqual(schemaProblems(rest), []);
    const usedByRest = namesUsed(readXml(rest).root!);
    assert.deepEqual(
      neverWritten.filter((name) => !usedByRest.has(name)),
      [],
    );
  });

  test('the document has no secret in clear', () => assert.doesNotMatch(text, /hush/));

  test('the document read again gives the same JSON', () => {
    const { entities, problems, ignored } = readText(text);
    assert.deepEqual([problems, ignored], [[], []]);
    const read = Map.groupBy(entities, ({ kind }) => kind);
    for (const [kind, list] of byKind(stored)) {
      const expected = list.map(jsonOf).map((json) => (kind === 'serverIdentity' ? withoutKeys(json) : json));
      assert.deepEqual(
        read.get(kind)?.map(({ json }) => plain(json)),
        expected,
        kind,
      );
    }
    assert.equal(entities.length, stored.length);
  });

  test('the entities read again have the same ETags, and give the same bytes', () => {
    const again = storedFrom(readText(text));
    const etags = (entities: readonly Stored[]) =>
      Object.fromEntries(
        [...byKind(entities.filter(({ kind }) => kind !== 'serverIdentity'))].map(([kind, list]) => [
          kind,
          list.map(({ entity }) => etagOf(entity)),
        ]),
      );
    assert.deepEqual(etags(again), etags(stored));
    assert.equal(documentOf(again), text);
  });
});

test('attributes and children stand in the order of GoCD', () => {
  const common = 'invertFilter dest autoUpdate username encryptedPassword materialName';
  const attributes: Readonly<Record<string, string>> = {
    server: 'jobTimeout serverId',
    mailhost: 'hostname port username encryptedPassword tls from admin',
    backup: 'schedule postBackupScript emailOnSuccess emailOnFailure',
    'materials/git': `url branch shallowClone ${common}`,
    'materials/svn': `url checkexternals ${common}`,
    'materials/hg': `url branch ${common}`,
    'materials/p4': `port useTickets ${common}`,
    'materials/tfs': `url domain projectPath ${common}`,
    'materials/pipeline': 'pipelineName stageName ignoreForScheduling materialName',
    'materials/scm': 'ref invertFilter dest',
    'config-repo/tfs': 'url domain projectPath autoUpdate username encryptedPassword',
    'pipelines/pipeline': 'name labeltemplate lockBehavior',
    'pipeline/stage': 'name fetchMaterials cleanWorkingDir artifactCleanupProhibited',
    job: 'name runInstanceCount timeout',
    'tasks/fetchartifact': 'artifactOrigin srcfile dest pipeline stage job',
    artifact: 'type src dest',
    exec: 'command workingdir',
    nant: 'nantpath buildfile target workingdir',
  };
  const children: Readonly<Record<string, string>> = {
    server: 'siteUrls security mailhost backup artifacts',
    security: 'authConfigs roles admins',
    elastic: 'agentProfiles clusterProfiles',
    cruise:
      'server elastic repositories scms config-repos artifactStores secretConfigs pipelines pipelines pipelines templates environments',
    role: 'users policy',
    pluginRole: 'policy property property property',
    'pipelines/pipeline': 'params trackingtool timer environmentvariables materials stage stage stage',
    'pipeline/stage': 'approval environmentvariables jobs',
    job: 'environmentvariables tasks tabs resources artifacts',
    secretConfig: 'description configuration rules',
    'materials/p4': 'view filter',
  };
  const elements = [...everyElement(readXml(text).root!)];
  const first = (path: string) => elements.find((one) => `/${one.path}`.endsWith(`/${path}`))!.element;
  for (const [path, names] of Object.entries(attributes)) assert.equal([...first(path).attributes.keys()].join(' '), names, path);
  for (const [path, names] of Object.entries(children))
    assert.equal(
      elementsIn(first(path))
        .map(({ name }) => name)
        .join(' '),
      names,
      path,
    );
});

function elementsIn({ children }: XmlElement): XmlElement[] {
  return children.filter((child) => typeof child !== 'string').filter(({ name }) => !name.startsWith('?'));
}

function* everyElement(element: XmlElement, path = element.name): Generator<{ path: string; element: XmlElement }> {
  yield { path, element };
  for (const child of elementsIn(element)) yield* everyElement(child, `${path}/${child.name}`);
}

/** The keys of the server never leave it. */
function withoutKeys({ server_id, job_starvation_timeout }: JsonObject): JsonObject {
  return { server_id: server_id!, job_starvation_timeout: job_starvation_timeout! };
}

test('an empty configuration gives the empty document, which gives no entities', () => {
  const empty = documentOf([]);
  assert.match(empty, /^<\?xml version="1.0" encoding="utf-8"\?>\n<cruise [^>]*schemaVersion="139">\n<\/cruise>\n$/);
  assert.deepEqual(schemaProblems(empty), []);
  assert.deepEqual(readText(empty).entities, [
    { kind: 'serverIdentity', json: { job_starvation_timeout: 2 }, line: 2, lines: new Map(), isFaulty: false },
  ]);
});

test('singletons that equal their defaults are not written', () => {
  const unset = storedOf({
    jobTimeout: [{ default_job_timeout: '0' }],
    siteUrls: [{}],
    backupConfig: [{}],
    serverIdentity: [{ server_id: 'x', job_starvation_timeout: 2 }],
  });
  assert.match(documentOf(unset), /<cruise [^>]*>\n {2}<server serverId="x" \/>\n<\/cruise>\n$/);
});

test('the usual artifacts directory is written, like GoCD does', () => {
  assert.match(documentOf(storedOf({ artifactsConfig: [{ artifacts_dir: 'artifacts' }] })), /<artifactsDir>artifacts<\/artifactsDir>/);
  const { json } = find(readText('<cruise schemaVersion="139"><server><artifacts /></server></cruise>'), 'artifactsConfig');
  assert.deepEqual(json, { artifacts_dir: 'artifacts' });
});

test('only a timeout for starved jobs still makes an element for elastic agents', () => {
  const identity = storedOf({ serverIdentity: [{ server_id: 'x', job_starvation_timeout: 7 }] });
  assert.match(documentOf(identity), /<elastic jobStarvationTimeout="7" \/>\n<\/cruise>\n$/);
});

test('the skeleton of GoCD is read without problems, and comes back pretty printed', () => {
  const skeleton = readFileSync(join(import.meta.dirname, 'skeleton.xml'), 'utf8');
  const read = readText(skeleton);
  assert.deepEqual([read.problems, read.ignored], [[], []]);
  assert.deepEqual(schemaProblems(skeleton), []);
  const kinds = Object.fromEntries([...Map.groupBy(read.entities, ({ kind }) => kind)].map(([kind, list]) => [kind, list.length]));
  assert.deepEqual(kinds, {
    jobTimeout: 1,
    serverIdentity: 1,
    siteUrls: 1,
    authConfigs: 1,
    roles: 2,
    systemAdmins: 1,
    mailServer: 1,
    backupConfig: 1,
    artifactsConfig: 1,
    elasticProfiles: 1,
    clusterProfiles: 1,
    configRepos: 1,
    artifactStores: 1,
    pipelineGroups: 1,
    pipelines: 1,
    environments: 1,
  });
  assert.deepEqual(find(read, 'serverIdentity').json, {
    agent_auto_register_key: 'k',
    webhook_secret: 'w',
    server_id: 's',
    token_generation_key: 't',
    job_starvation_timeout: 2,
  });
});
