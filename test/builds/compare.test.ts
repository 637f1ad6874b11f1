// Everything that changed between two runs, through the runs they were made from, over HTTP.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { GitOrigin } from '../materials/support/git-origin.ts';
import type { FakeAgent } from '../support/builds/fake-agent.ts';
import { accepted, addUser } from '../support/requests/callers.ts';
import { after as afterStage, BuildLab, git, stage } from './engine/lab.ts';

let lab: BuildLab;
let agent: FakeAgent;
let origin: GitOrigin;
let ann: string;

/** lib (secret) → app: app/1 from the first commit, app/2 from three more, of which lib/2 had one. */
before(async () => {
  lab = await BuildLab.start();
  agent = await lab.agent();
  origin = await lab.origin('lib');
  ann = await addUser(lab.server, 'ann');
  await lab.post('/api/admin/pipeline_groups', { name: 'open', authorization: { view: { users: ['ann'], roles: [] } } });
  await lab.post('/api/admin/pipeline_groups', { name: 'secret', authorization: {} });
  await lab.pipeline('lib', { materials: [git(origin)], stages: [stage()] }, 'secret');
  await lab.pipeline('app', { materials: [afterStage('lib')], stages: [stage()] }, 'open');
  await lab.poll('lib');
  await build(2);
  await lab.result('app', 1, 'build');
  await origin.commit('second', { 'a.txt': '2' });
  await lab.poll('lib');
  lab.pause('app');
  await build(1);
  await lab.result('lib', 2, 'build');
  await origin.commit('third', { 'a.txt': '3' });
  await origin.commit('fourth', { 'a.txt': '4' });
  await lab.poll('lib');
  await build(1);
  await lab.result('lib', 3, 'build');
  await lab.unpause('app');
  await build(1);
  await lab.result('app', 2, 'build');
});
after(() => lab.stop());

async function build(jobs: number): Promise<void> {
  for (let done = 0; done < jobs; done++) await agent.complete(await agent.take());
}

interface Change {
  readonly material: { readonly type: string; readonly fingerprint: string; readonly attributes: Record<string, string> };
  readonly total: number;
  readonly offset: number;
  readonly revision: readonly Record<string, string>[];
}

const compare = (from: number | string, to: number | string, query = '', as?: string) =>
  lab.server.get(`/api/pipelines/app/compare/${from}/${to}${query}`, as ? { as } : {});
const changesIn = (reply: { json: { changes: Change[] } }, type: string) =>
  reply.json.changes.find(({ material }) => material.type === type)!;

test('a comparison shows the upstream runs, and all commits that they were made from', async () => {
  const reply = accepted(await compare(1, 2));
  const { pipeline_name: name, from_counter: from, to_counter: to, is_bisect: isBisect, is_complete: isComplete, total } = reply.json;
  assert.deepEqual([name, from, to, isBisect, isComplete, total], ['app', 1, 2, false, true, 5]);
  const above = changesIn(reply, 'dependency');
  assert.deepEqual([above.material.attributes.pipeline, above.material.attributes.stage], ['lib', 'build']);
  assert.deepEqual(
    above.revision.map(({ revision, pipeline_counter: counter, pipeline_label: label }) => [revision, counter, label]),
    [
      ['lib/3/build/1', '3', '3'],
      ['lib/2/build/1', '2', '2'],
    ],
  );
  assert.match(above.revision[0]!.completed_at!, /^\d{4}-\d\d-\d\dT[\d:]+Z$/);
  const commits = changesIn(reply, 'git');
  assert.deepEqual(
    commits.revision.map(({ commit_message: message }) => message),
    ['fourth', 'third', 'second'],
  );
  assert.equal(commits.revision[0]!.revision_sha, await origin.tip());
});

test('a comparison takes two runs in any order, and finds nothing between a run and itself', async () => {
  assert.deepEqual(accepted(await compare(2, 1)).json, accepted(await compare(1, 2)).json);
  assert.deepEqual(accepted(await compare(2, 2)).json.changes, []);
});

test('a comparison hides the changes behind a pipeline that the user may not see', async () => {
  const { json, text } = accepted(await compare(1, 2, '', ann));
  assert.deepEqual([json.changes, json.total, json.is_complete], [[], 0, false]);
  assert.ok(!text.includes('lib'));
});

test('a comparison with many changes lists a part of them, and their number', async () => {
  for (let number = 1; number <= 12; number++) await origin.commit(`more ${number}`);
  const material = await lab.fingerprintOf('lib');
  await lab.poll('lib');
  await build(2);
  await lab.result('app', 3, 'build');
  const some = changesIn(accepted(await compare(1, 3, '?page_size=10')), 'git');
  assert.deepEqual([some.total, some.offset, some.revision.length], [15, 0, 10]);
  const { json } = accepted(await compare(1, 3, `?page_size=20&fingerprint=${material}&offset=10`));
  assert.equal(json.changes.length, 1);
  assert.deepEqual(
    json.changes[0].revision.slice(-3).map(({ commit_message: message }: Record<string, string>) => message),
    ['fourth', 'third', 'second'],
  );
  assert.equal(json.changes[0].revision.length, 5);
  assert.deepEqual(changesIn(accepted(await compare(1, 3, '?offset=100')), 'git').revision, []);
  assert.equal((await compare(1, 3, '?page_size=1')).status, 400);
});

test('a comparison lists the changes of the later run for a material that the earlier run did not have', async () => {
  const more = await lab.origin('more');
  lab.pause('app');
  await lab.pipeline('app', { materials: [afterStage('lib'), git(more)], stages: [stage()] }, 'open');
  await lab.poll('app');
  await lab.unpause('app');
  await build(1);
  await lab.result('app', 4, 'build');
  const { json } = accepted(await compare(3, 4));
  assert.deepEqual(
    json.changes.map(({ material, total }: Change) => [material.type, total]),
    [['git', 1]],
  );
});

test('a comparison lists what a run takes back that was made from an older revision', async () => {
  const fingerprint = await lab.fingerprintOf('lib');
  const second = await origin.tip('HEAD~1');
  lab.pause('app');
  const order = { materials: [{ fingerprint, revision: second }] };
  assert.equal((await lab.server.post('/api/pipelines/lib/schedule', order)).status, 202);
  await build(1);
  await lab.result('lib', 5, 'build');
  const own = accepted(await lab.server.get('/api/pipelines/lib/compare/4/5')).json;
  assert.deepEqual([own.total, own.changes, own.removed_total, own.is_complete], [0, [], 1, true]);
  const [{ material, total, revision }] = own.removed;
  const { pipelines } = accepted(await lab.server.get('/api/pipelines/lib/history')).json;
  const steps = pipelines.map(({ build_cause: cause }: { build_cause: { material_revisions: Record<string, string>[] } }) =>
    cause.material_revisions.map((one) => one.since_previous_run),
  );
  assert.deepEqual(steps, [['older'], ['newer'], ['newer'], ['newer'], [undefined]]);
  const alone = accepted(await lab.server.get('/api/pipelines/lib/5/instance')).json;
  assert.equal(alone.build_cause.material_revisions[0].since_previous_run, 'older');
  assert.deepEqual([material.type, total, revision[0].revision_sha, revision.length], ['git', 1, await origin.tip(), 1]);
  assert.deepEqual(accepted(await lab.server.get('/api/pipelines/lib/compare/3/5')).json.removed_total, 0);

  await lab.unpause('app');
  await build(1);
  await lab.result('app', 5, 'build');
  const below = accepted(await compare(4, 5)).json;
  const kinds = (list: readonly Change[]) => list.map((one) => [one.material.type, one.total]);
  assert.deepEqual([kinds(below.changes), kinds(below.removed)], [[['dependency', 1]], [['git', 1]]]);
  const hidden = accepted(await compare(4, 5, '', ann)).json;
  assert.deepEqual([hidden.removed, hidden.removed_total, hidden.is_complete], [[], 0, false]);
});

test('a comparison lists a material that only one of the runs has', async () => {
  const other = await lab.origin('other');
  await lab.pipeline(
    'moved',
    { materials: [git(other, { destination: 'other' }), git(origin, { destination: 'lib' })], stages: [stage()] },
    'open',
  );
  await lab.poll('moved');
  await build(1);
  await lab.result('moved', 1, 'build');
  await lab.pipeline('moved', { materials: [git(origin, { destination: 'lib' })], stages: [stage()] }, 'open');
  // A change of its materials triggers it.
  await build(1);
  await lab.result('moved', 2, 'build');
  const { changes, removed, removed_total: total } = accepted(await lab.server.get('/api/pipelines/moved/compare/1/2')).json;
  assert.deepEqual([changes, total, removed[0].revision[0].revision_sha], [[], 1, await other.tip()]);
});

test('an unknown run is named, and an invalid counter refused', async () => {
  const unknown = await compare(1, 99);
  assert.deepEqual([unknown.status, unknown.json.message], [404, 'Pipeline [app/99] not found.']);
  assert.equal((await compare(98, 1)).json.message, 'Pipeline [app/98] not found.');
  assert.equal((await compare('x', 1)).status, 422);
});
