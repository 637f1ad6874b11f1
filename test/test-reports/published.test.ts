// Reports on their way from the agent to the answer: sent, published and read on a real server.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, test } from 'node:test';
import { ARTIFACT_FILE_PATH, ARTIFACT_PUBLICATION_PATH, type Publication } from '../../src/contracts/agent-protocol/messages.ts';
import type { Work } from '../../src/contracts/agent-protocol/work.ts';
import { BuildLab, git, stage } from '../builds/engine/lab.ts';
import type { FakeAgent } from '../support/builds/fake-agent.ts';
import { until } from '../support/until.ts';
import { suite } from './reports-lab.ts';

let lab: BuildLab;
let agent: FakeAgent;
before(async () => {
  lab = await BuildLab.start();
  agent = await lab.agent();
  const origin = await lab.origin('shop');
  await lab.pipeline('shop', { materials: [git(origin)], stages: [stage('test')] });
  await lab.poll('shop');
});
after(() => lab.stop());

const digest = (algorithm: string, text: string) => createHash(algorithm).update(text).digest('hex');

async function publish({ job, epoch }: Work, type: Publication['type'], files: Readonly<Record<string, string>>): Promise<void> {
  const at = (path: string) => path.replace(':job', String(job));
  for (const [path, text] of Object.entries(files)) {
    const sent = await agent.send('PUT', `${at(ARTIFACT_FILE_PATH)}?epoch=${epoch}&offset=0&path=${encodeURIComponent(path)}`, text);
    assert.equal(sent.status, 200, sent.text);
  }
  const publication: Publication = {
    instance: agent.instance,
    epoch,
    type,
    files: Object.entries(files).map(([path, text]) => ({
      path,
      bytes: Buffer.byteLength(text),
      sha256: digest('sha256', text),
      md5: digest('md5', text),
    })),
    folders: [],
  };
  const answer = await agent.send('POST', at(ARTIFACT_PUBLICATION_PATH), publication);
  assert.deepEqual([answer.status, JSON.parse(answer.text)], [200, { missing: [] }]);
}

const testsOf = async (work: Work) => {
  const { pipeline, pipeline_counter: counter, stage: name, stage_counter: stageCounter, job } = work.locator;
  return lab.server.get(`/api/jobs/${pipeline}/${counter}/${name}/${stageCounter}/${job}/tests`);
};

test('reports of a job are read, and nothing else', async () => {
  const first = await agent.take();
  await agent.begin(first);
  await publish(first, 'build', { 'dist/TEST-not.xml': suite('never') });
  await publish(first, 'test', { 'reports/a.xml': suite('one', '!two'), 'reports/index.html': '<html>' });
  await agent.complete(first, 'Failed');
  const { json } = await until('the results', async () => {
    const reply = await testsOf(first);
    return reply.status === 200 ? reply : undefined;
  });
  assert.deepEqual([json.total, json.failed, json.problems, json.failures[0].name], [2, 1, [], 'two']);
  await lab.result('shop', 1, 'test');

  await lab.request('shop');
  const second = await agent.take();
  await agent.begin(second);
  await publish(second, 'test', { 'reports/a.xml': suite('!one', 'two'), 'reports/b.xml': 'broken' });
  await agent.complete(second);
  const again = await until('the results', async () => {
    const reply = await testsOf(second);
    return reply.status === 200 ? reply : undefined;
  });
  assert.deepEqual(again.json.problems, [{ file: 'reports/b.xml', message: 'Text data outside of root node. (line 1)' }]);
  const { flaky } = (await lab.server.get('/api/pipelines/shop/tests')).json;
  assert.deepEqual(flaky.map(({ name }: { name: string }) => name).toSorted(), ['one', 'two']);
  const { runs } = (await lab.server.get('/api/pipelines/shop/tests/history?class=s&name=two')).json;
  assert.deepEqual(
    runs.map(({ counter, result }: { counter: number; result: string }) => [counter, result]),
    [
      [2, 'passed'],
      [1, 'failed'],
    ],
  );
});
