// The oldest list of pipelines: by group, with materials and stages, without versions.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { fingerprintOf } from '../../../src/materials/catalogue/fingerprint.ts';
import { accepted, addUser } from '../../support/requests/callers.ts';
import { TestServer } from '../../support/server/server.ts';
import { addNeighbours, create, dependency, git, pipeline, stage } from './bodies.ts';

const PATH = '/api/config/pipeline_groups';

let server: TestServer;
let viewer: string;
before(async () => {
  server = await TestServer.start();
  viewer = await addUser(server, 'viewer');
  await addNeighbours(server);
  for (const [name, users] of [
    ['first', ['viewer']],
    ['empty', ['viewer']],
    ['hidden', []],
  ] as const)
    accepted(await server.post('/api/admin/pipeline_groups', { name, authorization: { view: { users } } }));
  const secret = git({ url: 'https://me:not-to-be-seen@scm.example.org/web.git', branch: 'main' });
  accepted(await create(server, pipeline('web', { materials: [secret], stages: [stage('build'), stage('test')] }), 'first'));
  accepted(await server.post('/api/admin/templates', { name: 't', stages: [stage('from-template')] }));
  const materials = [
    { type: 'plugin', attributes: { ref: 'scm-id', destination: 'tools' } },
    { type: 'package', attributes: { ref: 'pkg' } },
    dependency('web', 'test'),
  ];
  accepted(await create(server, pipeline('deploy', { materials, template: 't', stages: null, parameters: [] }), 'hidden'));
});
after(() => server.stop());

test('groups, pipelines, materials and stages are listed in order, with any Accept header', async () => {
  for (const accept of ['application/json', 'text/html', null]) {
    const { json, headers } = accepted(await server.get(PATH, { accept }));
    assert.equal(headers.get('content-type'), 'application/json; charset=utf-8');
    assert.deepEqual(
      json.map(({ name }: { name: string }) => name),
      ['first', 'empty', 'hidden'],
    );
    const [{ pipelines }] = json;
    const url = 'https://me:not-to-be-seen@scm.example.org/web.git';
    assert.deepEqual(pipelines, [
      {
        name: 'web',
        label: `\${COUNT}`,
        materials: [
          {
            description: 'URL: https://me:******@scm.example.org/web.git, Branch: main',
            fingerprint: fingerprintOf({ type: 'git', url, branch: 'main' }),
            type: 'Git',
          },
        ],
        stages: [{ name: 'build' }, { name: 'test' }],
      },
    ]);
  }
});

test('a pipeline before this one is named by its name alone; stages of a template are those of the pipeline', async () => {
  const [deploy] = accepted(await server.get(PATH)).json[2].pipelines;
  assert.deepEqual(
    deploy.materials.map(({ type, description }: Record<string, string>) => [type, description]),
    [
      ['SCM', 'SCM: [tools]'],
      ['Package', 'Package: [repo: pkg]'],
      ['Pipeline', 'web'],
    ],
  );
  assert.deepEqual(deploy.stages, [{ name: 'from-template' }]);
});

test('each user sees the groups they may see', async () => {
  const { json } = accepted(await server.get(PATH, { as: viewer }));
  assert.deepEqual(
    json.map(({ name }: { name: string }) => name),
    ['first', 'empty'],
  );
});
