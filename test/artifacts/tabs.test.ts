// Tabs of jobs, as the API gives them: each with the address of its file, once that is published.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { job, stage } from '../builds/engine/lab.ts';
import { accepted } from '../support/requests/callers.ts';
import { AgentLab } from './agent-lab.ts';

const TABS = [
  { name: 'report', path: './reports/%C3%A4-index.html' },
  { name: 'folder', path: 'reports' },
  { name: 'elsewhere', path: '../other/file' },
  { name: 'missing', path: 'reports/none.html' },
];
const REPORT = 'reports/%C3%A4-index.html';

let lab: AgentLab;
before(async () => {
  lab = await AgentLab.start();
});
after(() => lab.stop());

const tabsOf = async (locator: string) => accepted(await lab.builds.server.get(`/api/jobs/${locator}`)).json.tabs;
const none = (tabs: readonly { name: string; path: string }[]) => tabs.map((tab) => ({ ...tab, url: null }));

test('a tab has the address of its file, once it is published, until it is purged', async () => {
  const stages = [stage('build', { jobs: [job('compile', { tabs: TABS }), job('lint')] })];
  const work = await lab.work(stages, 'Tabbed');
  const locator = 'tabbed/1/BUILD/1/Compile';
  assert.deepEqual(await tabsOf(locator), none(TABS));
  await lab.send(work, REPORT, 'fine');
  assert.deepEqual(await tabsOf(locator), none(TABS));
  assert.equal((await lab.leave(work, { [REPORT]: 'fine', 'reports/other.html': 'x' })).status, 200);

  const [report, ...others] = await tabsOf(locator);
  assert.deepEqual(others, none(TABS.slice(1)));
  assert.equal(report.url, `${lab.builds.server.url}/files/Tabbed/1/build/1/compile/reports/%25C3%25A4-index.html`);
  const path = report.url.slice(lab.builds.server.url.length);
  assert.equal((await lab.builds.server.get(path, { accept: null })).text, 'fine');
  assert.deepEqual(await tabsOf('tabbed/1/build/1/lint'), []);

  // The others are run again, this one stands as it is.
  await lab.agent.complete(work);
  const lint = await lab.take();
  await lab.agent.complete(lint, 'Failed');
  await lab.builds.result('Tabbed', 1, 'build');
  const again = await lab.builds.server.post('/api/stages/Tabbed/1/build/1/run-failed-jobs', undefined, {
    headers: { 'X-Svc-Confirm': 'true' },
  });
  assert.equal(again.status, 202, again.text);
  await lab.agent.complete(await lab.take());
  await lab.builds.result('Tabbed', 1, 'build', 2);
  const [same] = await tabsOf('Tabbed/1/build/2/compile');
  assert.equal(same.url, report.url.replace('/build/1/', '/build/2/'));
  assert.equal((await lab.builds.server.get(same.url.slice(lab.builds.server.url.length), { accept: null })).text, 'fine');

  const rows = lab.builds.parts.builds.artifacts.rows;
  await lab.builds.parts.database.writeTransaction(rows.removeOfJob(work.job, 'tabbed'));
  assert.deepEqual(await tabsOf(locator), none(TABS));
});

test('every instance of a job has its tabs, as they are configured now', async () => {
  const jobs = (tabs: readonly object[]) => [stage('build', { jobs: [job('compile', { run_instance_count: 2, tabs })] })];
  const work = await lab.work(jobs([]), 'Many');
  const locator = `Many/1/build/1/${work.locator.job}`;
  assert.equal((await lab.leave(work, { 'a.html': 'a' })).status, 200);
  assert.deepEqual(await tabsOf(locator), []);
  const { json } = await lab.builds.server.get('/api/admin/pipelines/Many');
  await lab.builds.pipeline('Many', { materials: json.materials, stages: jobs([{ name: 'a', path: 'a.html' }]) });
  const url = `${lab.builds.server.url}/files/${locator}/a.html`;
  assert.deepEqual(await tabsOf(locator), [{ name: 'a', path: 'a.html', url }]);
});
