// Speaks as gocd-sdk-go does about runs, stages, jobs and agents: its paths, Accept headers and bodies, and the members it reads.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Agent, RunLab, stage } from '../builds/run-lab.ts';
import { accepted } from '../support/requests/callers.ts';
import type { Reply } from '../support/server/server.ts';

const V1 = 'application/vnd.go.cd.v1+json';
const V2 = 'application/vnd.go.cd.v2+json';
const V3 = 'application/vnd.go.cd.v3+json';
const V7 = 'application/vnd.go.cd.v7+json';
const CONFIRM = { 'X-GoCD-Confirm': 'true' };

let lab: RunLab;
let agent: Agent;
before(async () => {
  lab = await RunLab.start({ 'context-path': '/go' });
  agent = await lab.agent();
  await lab.pipeline('web', {
    stages: [stage('test')],
    materials: [{ type: 'git', attributes: { ...lab.material.attributes, auto_update: false } }],
  });
  for (const counter of [1, 2]) {
    await schedule();
    await lab.run('web', counter);
    await agent.build('Failed');
    await lab.stageResult(`web/${counter}/test/1`, 'Failed');
  }
});
after(() => lab.stop());

const get = (path: string, accept: string | null) => lab.get(path, { accept });
const confirm = (path: string, accept: string, body?: object) =>
  lab.server.ask('POST', path, { accept, headers: CONFIRM, ...(body && { body }) });
const messageOf = ({ status, json }: Reply) => [status, json.message];

async function schedule(): Promise<void> {
  const body = { environment_variables: [], materials: [], update_materials_before_scheduling: true };
  assert.equal((await lab.server.post('/api/pipelines/web/schedule', body, { accept: V1 })).status, 202);
}

test('the client reads the whole history, page after page, from after=0 on', async () => {
  const { json } = accepted(await get('/api/pipelines/web/history?page_size=10&after=0', V1));
  assert.deepEqual(
    json.pipelines.map(({ counter }: { counter: number }) => counter),
    [2, 1],
  );
  assert.equal(json._links.next, undefined);
  const older = accepted(await get('/api/pipelines/web/history?page_size=10&after=2', V1));
  assert.deepEqual(
    older.json.pipelines.map(({ counter }: { counter: number }) => counter),
    [1],
  );
  const newest = accepted(await get('/api/stages/web/test/history?before=0', V3));
  assert.equal(newest.json.stages.length, 2);
});

test('the client reads a run by its counter alone, comments it, and gets its value stream map', async () => {
  const comment = await lab.server.post('/api/pipelines/web/1/comment', { comment: 'shown to the customer' }, { accept: V1 });
  assert.equal(comment.status, 200);
  const { json } = accepted(await get('/api/pipelines/web/1', V1));
  assert.deepEqual([json.name, json.counter, json.comment], ['web', 1, 'shown to the customer']);
  assert.equal((await get('/api/pipelines/web/99', V1)).status, 404);
  const map = accepted(await get('/pipelines/value_stream_map/web/1.json', null)).json;
  assert.equal(map.current_pipeline, 'web');
  assert.deepEqual(
    map.levels.map(({ nodes }: { nodes: { node_type: string }[] }) => nodes.map(({ node_type: type }) => type)),
    [['GIT'], ['PIPELINE']],
  );
});

test('the client pauses, unpauses and unlocks a pipeline, and reads its state', async () => {
  const paused = await lab.server.post('/api/pipelines/web/pause', { pause_cause: 'not now' }, { accept: V1 });
  assert.equal(paused.status, 200);
  const { json } = accepted(await get('/api/pipelines/web/status', V1));
  assert.deepEqual([json.paused, json.paused_by, json.locked, typeof json.schedulable], [true, 'admin', false, 'boolean']);
  assert.equal((await confirm('/api/pipelines/web/unpause', V1)).status, 200);
  assert.equal((await confirm('/api/pipelines/web/unlock', V1)).status, 409);
});

test('the client runs stages and jobs again, and cancels them', async () => {
  assert.deepEqual(messageOf(await confirm('/api/stages/web/2/test/1/run-failed-jobs', V3)), [
    202,
    'Request to rerun jobs for web/2/test/1 accepted',
  ]);
  await agent.build();
  await lab.stageResult('web/2/test/2', 'Passed');
  // It sends the whole stage as it knows it, in which only the jobs count.
  const stageBody = { pipeline_name: 'web', pipeline_instance: '2', stage_name: 'test', stage_counter: '2', jobs: ['unit'] };
  const selected = await confirm('/api/stages/web/2/test/2/run-selected-jobs', V3, stageBody);
  assert.equal(selected.status, 202, selected.text);
  await agent.build();
  await lab.stageResult('web/2/test/3', 'Passed');
  assert.equal((await confirm('/api/stages/web/2/test/run', V2)).status, 202);
  const cancelled = await confirm('/api/stages/web/2/test/4/cancel', V3);
  assert.equal(cancelled.status, 200, cancelled.text);
  assert.equal(typeof cancelled.json.message, 'string');
});

test('the client lists agents, changes one and many, and reads the job history of an agent', async () => {
  const [found] = accepted(await get('/api/agents', V7)).json._embedded.agents;
  assert.equal(found.uuid, agent.uuid);
  for (const member of ['hostname', 'agent_state', 'agent_config_state', 'operating_system', 'sandbox', 'free_space'])
    assert.ok(member in found, member);
  // It sends back the whole agent that it read.
  const one = await lab.server.ask('PATCH', `/api/agents/${agent.uuid}`, { accept: V7, body: { ...found, resources: ['linux'] } });
  assert.equal(one.status, 200, one.text);
  const many = await lab.server.ask('PATCH', '/api/agents', {
    accept: V7,
    body: { uuids: [agent.uuid], operations: { resources: { add: ['docker'], remove: [] } } },
  });
  assert.equal(many.status, 200, many.text);
  assert.deepEqual(accepted(await get(`/api/agents/${agent.uuid}`, V7)).json.resources.toSorted(), ['docker', 'linux']);
  const { json } = accepted(await get(`/api/agents/${agent.uuid}/job_run_history?sort_order=DESC`, V1));
  assert.equal(json.jobs[0].pipeline_name, 'web');
  assert.equal((await confirm(`/api/agents/${agent.uuid}/kill_running_tasks`, V7)).status, 409);
});

test('the client reads feeds: all pipelines, scheduled jobs, and cctray.xml', async () => {
  const pipelines = accepted(await get('/api/feed/pipelines.xml', null)).text;
  assert.match(pipelines, /<pipeline href="[^"]+\/go\/api\/feed\/pipelines\/web\/stages\.xml" ?\/>/);
  assert.match(accepted(await get('/api/feed/jobs/scheduled.xml', null)).text, /<scheduledJobs/);
  assert.match(accepted(await get('/cctray.xml', null)).text, /<Project name="web :: test"/);
});
