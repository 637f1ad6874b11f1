// The environments with the place where each of their parts is defined.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ConfigRepoServer, yaml } from '../../config-repos/support/config-repo-server.ts';
import { GitOrigin } from '../../materials/support/git-origin.ts';
import { Lab } from '../../materials/support/polling.ts';
import { accepted, addRole, addUser, startServer } from '../../support/requests/callers.ts';
import type { TestServer } from '../../support/server/server.ts';
import { create, pipeline } from './bodies.ts';

const PATH = '/api/admin/internal/environments/merged';
const ENVIRONMENTS = '/api/admin/environments';
const accept = 'application/vnd.go.cd.v1+json';

let server: TestServer;
const lab = new Lab();
before(async () => {
  server = await startServer();
  accepted(await create(server, pipeline('own')));
  accepted(
    await server.post(ENVIRONMENTS, {
      name: 'prod',
      pipelines: [{ name: 'own' }],
      environment_variables: [
        { name: 'REGION', value: 'north' },
        { name: 'KEY', value: 'not-to-be-seen', secure: true },
      ],
    }),
  );
  accepted(await server.post(ENVIRONMENTS, { name: 'empty' }));
  const parts = [
    'environments:',
    '  prod: {pipelines: [remote], environment_variables: {ZONE: a}}',
    '  remote-only: {environment_variables: {ZONE: b}}',
  ].join('\n');
  const origin = await GitOrigin.make(lab.newPath('origin'));
  await origin.commit('first', { 'a.gocd.yaml': yaml('remote-group', { remote: undefined }, parts) });
  await new ConfigRepoServer(server).add('source', origin.path);
});
after(async () => {
  await server.stop();
  lab.remove();
});

const SERVER_ORIGIN = { type: 'gocd' };
const SOURCE = () => ({
  _links: {
    self: { href: `${server.url}/api/admin/config_repos/source` },
    doc: { href: `${server.url}/api/docs#config-repos` },
    find: { href: `${server.url}/api/admin/config_repos/:id` },
  },
  type: 'config_repo',
  id: 'source',
});

test('each pipeline and variable says where it is defined; secrets are as the environment itself shows them', async () => {
  const { json } = accepted(await server.get(PATH, { accept }));
  const [, secret] = accepted(await server.get(`${ENVIRONMENTS}/prod`)).json.environment_variables;
  assert.ok(secret.encrypted_value);
  assert.deepEqual(json, {
    _embedded: {
      environments: [
        { name: 'empty', origins: [SERVER_ORIGIN], pipelines: [], agents: [], environment_variables: [] },
        {
          name: 'prod',
          origins: [SERVER_ORIGIN, SOURCE()],
          pipelines: [
            { name: 'own', origin: SERVER_ORIGIN },
            { name: 'remote', origin: SOURCE() },
          ],
          agents: [],
          environment_variables: [
            { secure: false, name: 'REGION', value: 'north', origin: SERVER_ORIGIN },
            { ...secret, origin: SERVER_ORIGIN },
            { secure: false, name: 'ZONE', value: 'a', origin: SOURCE() },
          ],
        },
        {
          name: 'remote-only',
          origins: [SOURCE()],
          pipelines: [],
          agents: [],
          environment_variables: [{ secure: false, name: 'ZONE', value: 'b', origin: SOURCE() }],
        },
      ],
    },
  });
});

test('each user sees the environments they may see', async () => {
  const viewer = await addUser(server, 'viewer');
  await addRole(server, 'viewers', ['viewer'], 'allow view environment empty');
  const { json } = accepted(await server.get(PATH, { accept, as: viewer }));
  assert.deepEqual(
    json._embedded.environments.map(({ name }: { name: string }) => name),
    ['empty'],
  );
});
