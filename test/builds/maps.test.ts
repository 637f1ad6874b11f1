// Value stream maps over HTTP: of runs and of revisions, up and down, with states, and for users who may not see all of it.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { GitOrigin } from '../materials/support/git-origin.ts';
import type { FakeAgent } from '../support/builds/fake-agent.ts';
import { accepted, addUser } from '../support/requests/callers.ts';
import { after as afterStage, BuildLab, git, stage } from './engine/lab.ts';

interface Node {
  readonly id: string;
  readonly name: string;
  readonly node_type: string;
  readonly can_view: boolean;
  readonly view_type: string | null;
  readonly parents: readonly string[];
  readonly dependents: readonly string[];
  readonly instances: readonly { counter: number; locator: string; stages: readonly { name: string; status: string; locator: string }[] }[];
  readonly modifications?: readonly { revision: string; comment: string }[];
}

let lab: BuildLab;
let agent: FakeAgent;
let origin: GitOrigin;
let fingerprint: string;
let ann: string;

/** lib → app → ship, lib → vault (secret) → safe, and ship also from tools, a repository of its own. */
before(async () => {
  lab = await BuildLab.start();
  agent = await lab.agent();
  origin = await lab.origin('lib');
  const tools = await lab.origin('tools');
  ann = await addUser(lab.server, 'ann');
  const authorization = { view: { users: ['ann'], roles: [] } };
  for (const name of ['open', 'secret']) {
    await lab.post('/api/admin/pipeline_groups', { name, authorization: name === 'open' ? authorization : {} });
  }
  await lab.pipeline('lib', { materials: [git(origin)], stages: [stage()] }, 'open');
  await lab.pipeline('app', { materials: [afterStage('lib')], stages: [stage()] }, 'open');
  await lab.pipeline('ship', { materials: [afterStage('app'), git(tools)], stages: [stage(), stage('release')] }, 'open');
  await lab.pipeline('vault', { materials: [afterStage('lib')], stages: [stage()] }, 'secret');
  await lab.pipeline('safe', { materials: [afterStage('vault')], stages: [stage()] }, 'open');
  await lab.poll('ship');
  await lab.poll('lib');
  fingerprint = await lab.fingerprintOf('lib');
  // One wave after the other: a job of `ship` that comes early would be taken before that of `safe`.
  for (const wave of [['lib'], ['app', 'vault'], ['ship', 'safe']]) {
    for (const name of wave) await lab.stage(name, 1, 'build');
    for (const _ of wave) await agent.complete(await agent.take());
  }
  for (const name of ['lib', 'app', 'ship', 'vault', 'safe']) assert.equal(await lab.result(name, 1, 'build'), 'Passed');
});
after(() => lab.stop());

const mapOf = async (run: string, as?: string) =>
  accepted(await lab.server.get(`/api/pipelines/${run}/value_stream_map`, as ? { as } : {}));
const names = ({ json }: { json: { levels: { nodes: Node[] }[] } }) =>
  json.levels.map(({ nodes }) => nodes.map(({ name }) => name).toSorted());
const nodesIn = ({ json }: { json: { levels: { nodes: Node[] }[] } }) => json.levels.flatMap(({ nodes }) => nodes);
const nodeOf = (reply: Parameters<typeof nodesIn>[0], id: string) => nodesIn(reply).find((node) => node.id === id)!;

describe('the map of a run', () => {
  test('has its upstream and downstream nodes, column by column', async () => {
    const reply = await mapOf('app/1');
    const [first, ...others] = names(reply);
    assert.equal(first?.length, 1);
    assert.deepEqual(others, [['lib'], ['app'], ['ship']]);
    assert.deepEqual(nodeOf(reply, 'app').parents, ['lib']);
    assert.deepEqual(nodeOf(reply, 'lib').dependents, ['app']);
    assert.deepEqual(nodeOf(reply, fingerprint).dependents, ['lib']);
    assert.equal(nodeOf(reply, fingerprint).node_type, 'GIT');
    assert.deepEqual(
      nodeOf(reply, fingerprint).modifications!.map(({ revision, comment }) => [revision, comment]),
      [[await origin.tip(), 'first']],
    );
  });

  test('shows how far every stage of every run is', async () => {
    const [ship] = nodeOf(await mapOf('lib/1'), 'ship').instances;
    assert.equal(ship!.locator, '/pipelines/value_stream_map/ship/1');
    assert.deepEqual(
      ship!.stages.map(({ name, status, locator }) => [name, status, locator]),
      [
        ['build', 'Passed', '/pipelines/ship/1/build/1'],
        ['release', 'Building', '/pipelines/ship/1/release/1'],
      ],
    );
  });
});

describe('a pipeline that the user may not see', () => {
  test('keeps its place, and nothing else is shown of it', async () => {
    const reply = await mapOf('safe/1', ann);
    assert.ok(!reply.text.includes('vault'), reply.text);
    const hidden = nodesIn(reply).filter(({ can_view: canView }) => !canView);
    assert.deepEqual(
      hidden.map(({ id, name, node_type: type, view_type: view, instances }) => [id, name, type, view, instances]),
      [['hidden:1', '', 'PIPELINE', 'NO_PERMISSION', []]],
    );
    assert.deepEqual(nodeOf(reply, 'safe').parents, ['hidden:1']);
    assert.deepEqual(nodeOf(reply, 'lib').dependents, ['hidden:1']);
    assert.equal(nodeOf(reply, fingerprint).can_view, true, 'lib is built from it');
    assert.equal(nodeOf(await mapOf('safe/1'), 'vault').can_view, true, 'administrators see all');
  });

  test('hides the repositories that only hidden pipelines are built from', async () => {
    const hush = await lab.origin('hush');
    await lab.pipeline('keeper', { materials: [git(hush)], stages: [stage()] }, 'secret');
    await lab.pipeline('front', { materials: [afterStage('keeper')], stages: [stage()] }, 'open');
    await lab.poll('keeper');
    await agent.complete(await agent.take()); // the release of ship
    await agent.complete(await agent.take());
    await lab.run('front', 1);
    const reply = await mapOf('front/1', ann);
    assert.ok(!reply.text.includes('hush') && !reply.text.includes(await hush.tip()), reply.text);
    assert.deepEqual(
      reply.json.levels[0].nodes.map(({ id, node_type: type }: Node) => [id, type]),
      [['hidden:2', 'MATERIAL']],
    );
    await agent.complete(await agent.take());
  });

  test('has no map, and neither have hidden materials', async () => {
    const run = await lab.server.get('/api/pipelines/vault/1/value_stream_map', { as: ann });
    assert.equal(run.status, 403);
    const of = await lab.fingerprintOf('keeper');
    const material = await lab.server.get(`/api/materials/${of}/value_stream_map/x`, { as: ann });
    assert.deepEqual([material.status, material.json.message], [403, 'Unauthorized { Do not have view permission to this material }']);
    const unknown = await lab.server.get('/api/materials/unknown/value_stream_map/x', { as: ann });
    assert.deepEqual([unknown.status, unknown.text], [material.status, material.text]);
  });
});

describe('the map of a revision', () => {
  const at = (revision: string) => lab.server.get(`/api/materials/${fingerprint}/value_stream_map/${revision}`);

  test('has the runs it was built in, and all that came from them', async () => {
    const reply = accepted(await at(await origin.tip()));
    assert.deepEqual(names(reply).slice(1), [['lib'], ['app', 'vault'], ['safe', 'ship']]);
    assert.equal(reply.json.current_material, fingerprint);
    assert.deepEqual(
      nodeOf(reply, 'lib').instances.map(({ counter }) => counter),
      [1],
    );
  });

  test('finds the run that was made from newer ones, too, and shows pipelines that have not run yet', async () => {
    const first = await origin.tip();
    await origin.commit('second', { 'a.txt': '2' });
    const second = await origin.tip();
    await origin.commit('third', { 'a.txt': '3' });
    await lab.poll('lib');
    await lab.run('lib', 2);
    const reply = accepted(await at(second));
    assert.deepEqual(
      nodeOf(reply, 'lib').instances.map(({ counter, stages }) => [counter, stages[0]!.status]),
      [[2, 'Building']],
    );
    assert.deepEqual(nodeOf(reply, 'app').instances, [
      { counter: 0, label: '', locator: '', stages: [{ name: 'build', status: 'Unknown', duration: null, locator: '' }] },
    ]);
    assert.deepEqual(
      nodeOf(accepted(await at(first)), 'lib').instances.map(({ counter }) => counter),
      [1],
    );
  });

  test('the map of a revision that is unknown is refused', async () => {
    const reply = await at('nothing');
    assert.deepEqual([reply.status, reply.json.message], [404, "Not Found { Revision 'nothing' of the material not found }"]);
    const unknown = await lab.server.get('/api/materials/unknown/value_stream_map/x');
    assert.deepEqual([unknown.status, unknown.json.message], [404, 'Not Found { Material not found }']);
  });
});

test('a map is not sent again until something happens', async () => {
  const { etag } = await mapOf('lib/2');
  const again = () => lab.server.get('/api/pipelines/lib/2/value_stream_map', { headers: { 'If-None-Match': etag! } });
  assert.equal((await again()).status, 304);
  await agent.complete(await agent.take(), 'Failed');
  await lab.result('lib', 2, 'build');
  const changed = accepted(await again());
  assert.equal(nodeOf(changed, 'lib').instances[0]!.stages[0]!.status, 'Failed');
});

test('only the newest of many runs with the same revision are shown, and that there are more', async () => {
  for (let counter = 2; counter <= 12; counter++) {
    await lab.request('ship');
    await lab.run('ship', counter);
    await agent.complete(await agent.take(), 'Failed');
    await lab.result('ship', counter, 'build');
  }
  const reply = await mapOf('lib/1');
  const ship = nodeOf(reply, 'ship') as Node & { readonly has_more_instances: boolean };
  assert.deepEqual(
    ship.instances.map(({ counter }) => counter),
    [12, 11, 10, 9, 8, 7, 6, 5, 4, 3],
  );
  assert.equal(ship.has_more_instances, true);
});

test('a pipeline that is gone is shown to administrators as such, and to others as hidden', async () => {
  accepted(await lab.server.delete('/api/admin/pipelines/safe'));
  await lab.pipeline('ship', { materials: [git(origin)], stages: [stage()] }, 'open');
  accepted(await lab.server.delete('/api/admin/pipelines/app'));
  const gone = nodeOf(await mapOf('ship/1'), 'app');
  assert.deepEqual([gone.view_type, gone.can_view, gone.instances.length], ['DELETED', true, 1]);
  assert.ok(!nodesIn(await mapOf('ship/1', ann)).some(({ name }) => name === 'app'));
});

test('an unknown run, or an invalid counter, is refused', async () => {
  const at = (counter: string) => lab.server.get(`/api/pipelines/lib/${counter}/value_stream_map`);
  assert.deepEqual([(await at('99')).status, (await at('99')).json.message], [404, 'Pipeline [lib/99] not found.']);
  assert.equal((await at('x')).status, 422);
});
