// The environments of agents: put there by administrators, and by config repos.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { accepted } from '../support/requests/callers.ts';
import { AgentLab } from './lab.ts';

let lab: AgentLab;
before(async () => {
  lab = await AgentLab.start();
  for (const name of ['Dev', 'Prod']) accepted(await lab.server.post('/api/admin/environments', { name }));
});
after(() => lab.stop());

const AUTHOR = { actor: 'admin', token: null, address: null, reason: null, authConfigId: '' };

/** Puts agents into an environment as a file of a config repo does. */
async function applyPart(environment: string, agents: readonly string[], isGone = false): Promise<void> {
  const { changes, config } = lab.parts;
  const id = `team/${environment}/file`;
  const part = { id, environment, origin: { repo: 'team', file: 'file' }, pipelines: [], agents, environmentVariables: [] };
  const kind = config.kind('environmentParts');
  await changes.apply(AUTHOR, (draft) => {
    draft.publisher = 'team';
    if (isGone) draft.remove(kind, id);
    else draft.put(kind, id, part);
  });
}

const shown = async (uuid: string) => accepted(await lab.server.get(`/api/agents/${uuid}`)).json.environments;
const facts = (uuid: string) => lab.registry.environments.factsOf(lab.registry.find(uuid)!).environments;

test('an agent is in the environments of administrators and of config repos, and gets work of both', async () => {
  const { uuid } = await lab.enabled({ environments: ['dev'] });
  assert.deepEqual(facts(uuid), ['Dev']);
  await applyPart('prod', [uuid.toUpperCase()]);
  assert.deepEqual(facts(uuid), ['Dev', 'Prod']);
  const [own, remote] = await shown(uuid);
  assert.deepEqual(own, { name: 'Dev', origin: { type: 'gocd' } });
  assert.deepEqual([remote.name, remote.origin.type, remote.origin.id], ['Prod', 'config_repo', 'team']);
  assert.equal(remote.origin._links.self.href, `${lab.server.url}/api/admin/config_repos/team`);
});

test('an environment that a config repo assigns cannot be taken away here, and goes with the repo', async () => {
  const { uuid } = await lab.enabled();
  await applyPart('prod', [uuid]);
  const reply = accepted(await lab.server.patch(`/api/agents/${uuid}`, { environments: ['dev', 'prod'] }));
  const names = reply.json.environments.map(({ name, origin }: { name: string; origin: { type: string } }) => `${name} ${origin.type}`);
  assert.deepEqual(names, ['Dev gocd', 'Prod config_repo']);
  accepted(await lab.server.patch(`/api/agents/${uuid}`, { environments: [] }));
  assert.deepEqual(facts(uuid), ['Prod']);
  await applyPart('prod', [], true);
  assert.deepEqual(facts(uuid), []);
});

test('an agent that both put into an environment is in it once', async () => {
  const { uuid } = await lab.enabled({ environments: ['prod'] });
  await applyPart('prod', [uuid]);
  assert.deepEqual(await shown(uuid), [{ name: 'Prod', origin: { type: 'gocd' } }]);
});
