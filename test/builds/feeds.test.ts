// Feeds and cctray over HTTP, on a real server with real runs.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: labels of GoCD are written with ${…}
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { readXml } from '../../src/kit/xml/read-xml.ts';
import { accepted, addUser } from '../support/requests/callers.ts';
import { type Agent, RunLab, stage } from './run-lab.ts';

let lab: RunLab;
let agent: Agent;
let stranger: string;
before(async () => {
  lab = await RunLab.start();
  agent = await lab.agent();
  stranger = await addUser(lab.server, 'stranger');
  await lab.origin.commit('Cut <b> & "c"', { 'readme.md': '2' });
  await lab.pipeline('web', {
    stages: [stage('test', {}, ['unit', 'lint'])],
    label_template: '${COUNT}-${env:KIND}',
    environment_variables: [{ name: 'KIND', value: '<b>' }],
  });
  await lab.poll();
  await lab.run('web', 1);
});
after(() => lab.stop());

async function xml(path: string, as?: string): Promise<string> {
  const reply = accepted(await lab.get(path, { accept: null, ...(as && { as }) }));
  readXml(reply.text); // it is well formed
  return reply.text;
}
const projects = (text: string) =>
  [...text.matchAll(/<Project name="([^"]*)" activity="([^"]*)" lastBuildStatus="([^"]*)" lastBuildLabel="([^"]*)"/g)].map(
    ([, ...all]) => all,
  );

describe('feeds while a stage runs', () => {
  test('the feed of scheduled jobs lists the jobs that wait', async () => {
    const text = await xml('/api/feed/jobs/scheduled.xml');
    assert.match(text, /<job name="unit" id="\d+">/);
    assert.match(text, /<buildLocator>web\/1\/test\/1\/lint<\/buildLocator>/);
    assert.doesNotMatch(await xml('/api/feed/jobs/scheduled.xml', stranger), /web/);
  });

  test('the projects in cctray.xml are building, and nothing is known to be wrong', async () => {
    assert.deepEqual(projects(await xml('/cctray.xml')), [
      ['web :: test', 'Building', 'Success', '1-&lt;b&gt;'],
      ['web :: test :: unit', 'Building', 'Success', '1-&lt;b&gt;'],
      ['web :: test :: lint', 'Building', 'Success', '1-&lt;b&gt;'],
    ]);
  });

  test('a job that has ended is shown before its stage', async () => {
    await agent.build('Failed');
    const shown = projects(await xml('/cctray.xml'));
    assert.deepEqual(
      shown.map(([, activity, status]) => [activity, status]),
      [
        ['Building', 'Success'],
        ['Sleeping', 'Failure'],
        ['Building', 'Success'],
      ],
    );
  });
});

describe('feeds after a stage has run', () => {
  before(async () => {
    await agent.build('Passed');
    await lab.stageResult('web/1/test/1', 'Failed');
  });

  test('cctray.xml has the result of the run, and the authors of its changes', async () => {
    const text = await xml('/cctray.xml');
    const [first] = projects(text);
    assert.deepEqual(first, ['web :: test', 'Sleeping', 'Failure', '1-&lt;b&gt;']);
    assert.match(text, /webUrl="http[^"]*\/pipelines\/web\/1\/test\/1"/);
    assert.match(text, /webUrl="http[^"]*\/tab\/build\/detail\/web\/1\/test\/1\/unit"/);
    assert.match(text, /<message text="[^"]+" kind="Breakers" \/>/);
    assert.equal(projects(await xml('/cctray.xml', stranger)).length, 0);
  });

  test('all feeds are found from the list of pipelines', async () => {
    const follow = async (text: string, pattern: RegExp) => {
      const [, href = ''] = pattern.exec(text) ?? [];
      assert.match(href, /^http/, `${pattern} in ${text}`);
      return xml(new URL(href).pathname);
    };
    const pipelines = await xml('/api/feed/pipelines.xml');
    const stages = await follow(pipelines, /<pipeline href="([^"]*)"/);
    assert.match(stages, /<title>web\(1-&lt;b&gt;\) stage test\(1\) Failed<\/title>/);
    assert.match(stages, /<category term="failed" \/>/);
    const run = await follow(stages, /<link rel="related"[^>]*href="([^"]*)"/);
    assert.match(run, /<message>Cut &lt;b&gt; &amp; "c"<\/message>/);
    assert.match(run, /<approvedBy>changes<\/approvedBy>/);
    const one = await follow(run, /<stage href="([^"]*)"/);
    assert.match(one, /<result>Failed<\/result>\n<state>Failed<\/state>/);
    const job = await follow(one, /<job href="([^"]*)"/);
    assert.match(job, new RegExp(`<state>Completed</state>\n<agent uuid="${agent.uuid}" />`));
    assert.match(job, /<artifacts baseUri="http[^"]*\/files\/web\/1\/test\/1\/unit" \/>/);
    assert.doesNotMatch(await xml('/api/feed/pipelines.xml', stranger), /web/);
  });

  test('users without view rights get 403, and unknown paths 404', async () => {
    const status = async (path: string, as?: string) =>
      (await lab.get(`/api/feed/pipelines/${path}`, { accept: null, ...(as && { as }) })).status;
    for (const path of ['web/stages.xml', 'web/1.xml', 'web/1/test/1.xml', 'web/1/test/1/unit.xml'])
      assert.equal(await status(path, stranger), 403);
    for (const path of ['no/stages.xml', 'web/9.xml', 'web/1/test/9.xml', 'web/1/no/1.xml', 'web/1/test/1/no.xml'])
      assert.equal(await status(path), 404, path);
    assert.equal(await status('web/x.xml'), 422);
    assert.equal(await status('web/stages.xml?format=x'), 200, 'an unknown query parameter is ignored');
  });

  test('the feed of stages takes cursors as histories do', async () => {
    const feed = async (query: string) => lab.get(`/api/feed/pipelines/web/stages.xml${query}`, { accept: null });
    const { status, text } = await feed('?before=x');
    assert.deepEqual([status, JSON.parse(text).message], [400, "The query parameter 'before', if specified, must be a positive integer."]);
    assert.equal((await feed('?before=0')).text, (await feed('')).text, 'public clients send 0 for the first page');
  });

  test('an answer that is the same is not sent again', async () => {
    for (const path of ['/cctray.xml', '/api/feed/pipelines.xml', '/api/feed/pipelines/web/stages.xml']) {
      const { etag } = await lab.get(path, { accept: null });
      assert.equal((await lab.get(path, { accept: null, headers: { 'If-None-Match': etag! } })).status, 304, path);
    }
  });

  test('the feed of stages goes on with older ones, page by page', async () => {
    for (let counter = 2; counter <= 27; counter++) {
      assert.equal((await lab.post('/api/stages/web/1/test/run')).status, 202);
      await agent.build();
      await agent.build();
      await lab.stageResult(`web/1/test/${counter}`, 'Passed');
    }
    const first = await xml('/api/feed/pipelines/web/stages.xml');
    const [, next = ''] = /<link rel="next" href="([^"]*)"/.exec(first) ?? [];
    const { pathname, search } = new URL(next);
    const second = await xml(pathname + search);
    const counters = (text: string) => [...text.matchAll(/stage test\((\d+)\)/g)].map(([, counter]) => Number(counter));
    assert.deepEqual(
      counters(first),
      Array.from({ length: 25 }, (_, index) => 27 - index),
    );
    assert.deepEqual(counters(second), [2, 1]);
    assert.doesNotMatch(second, /rel="next"/);
    assert.equal(projects(await xml('/cctray.xml'))[0]?.[3], '1-&lt;b&gt; :: 27');
  });
});
