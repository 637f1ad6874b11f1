// A server that is killed between the files and the commit of a publication: no client sees any of it, and a second try succeeds.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { GitOrigin } from '../materials/support/git-origin.ts';
import { FakeAgent } from '../support/builds/fake-agent.ts';
import { rowsIn } from '../support/database/sql.ts';
import { basic } from '../support/requests/basic.ts';
import { untilKeeper } from '../support/server/keeper.ts';
import { SERVER } from '../support/server/programs.ts';
import { setQuickPassword } from '../support/server/quick-login.ts';
import { type ServerProcess, startAsItIs } from '../support/server/server-process.ts';
import { tarOf } from './agent-lab.ts';
import { factsOf } from './publication-lab.ts';

const PASSWORD = 'secret';
const FILES = { 'dist/a.txt': 'first', 'dist/deep/b.txt': 'second', c: '' };
const LOCATOR = 'web/1/build/1/compile';
const directory = mkdtempSync(join(tmpdir(), 'slipway-publication-kill-'));
const dataDir = join(directory, 'data');
const killFile = join(directory, 'kill-after');
let server: ServerProcess;
let agent: FakeAgent;

before(async () => {
  writeFileSync(killFile, '');
  const origin = await GitOrigin.make(join(directory, 'origin'));
  await origin.commit('first', { file: '0' });
  await start();
  setQuickPassword(dataDir, 'admin', PASSWORD);
  const materials = [{ type: 'git', attributes: { url: origin.path, branch: 'main', auto_update: false } }];
  const jobs = [{ name: 'compile', tasks: [{ type: 'exec', attributes: { command: 'true' } }] }];
  const pipeline = { name: 'web', materials, stages: [{ name: 'build', jobs }] };
  await ask('POST', '/api/admin/pipelines', { group: 'g', pipeline });
  const { auto_register_key: key } = (await ask('GET', '/api/admin/agent_registration')).json;
  agent = await FakeAgent.start({ url: server.url, key });
  await ask('POST', '/api/admin/materials/git/notify', { repository_url: origin.path });
});
after(async () => {
  await agent?.stop();
  await server?.end('SIGKILL');
  rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
});

async function start(): Promise<void> {
  const flags = ['--local-repositories', directory, '--allow-loopback', 'true'];
  const preload = ['--import', join(import.meta.dirname, 'kill-after-rename.mjs')];
  server = await startAsItIs(dataDir, flags, PASSWORD, SERVER, preload, { KILL_FILE: killFile });
  await untilKeeper(dataDir, server);
  if (agent) agent.url = server.url;
}

async function ask(method: string, path: string, body?: object) {
  const response = await fetch(server.url + path, {
    method,
    headers: { Authorization: basic('admin', PASSWORD), ...(body && { 'Content-Type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  assert.ok(response.status < 300 || response.status === 404, `${response.status} ${text}`);
  return { status: response.status, text, json: response.headers.get('content-type')?.includes('json') ? JSON.parse(text) : undefined };
}

function send(method: string, path: string, body: Buffer | string, type: string): Promise<Response> {
  const headers = { Authorization: agent.authorization, 'Content-Type': type };
  return fetch(`${server.url}/agent/v1/jobs/${path}`, { method, headers, body: Buffer.from(body) });
}

const publishedState = async () => {
  const files = await rowsIn(dataDir, 'select path from artifacts order by path');
  const [usage] = await rowsIn(dataDir, "select files, bytes from artifact_usage where pipeline_key = 'web'");
  const events = await rowsIn(dataDir, "select 1 from events where body like '%artifacts.published%'");
  return { files: files.map(({ path }) => path), usage: usage && [Number(usage.files), Number(usage.bytes)], events: events.length };
};

test('after a kill during a publication nothing is seen until the agent has sent the publication again', async () => {
  const work = await agent.take();
  await agent.begin(work);
  const { job, epoch } = work;
  const files = Object.entries(FILES).map(([path, content]) => factsOf(path, content));
  const publication = JSON.stringify({ instance: agent.instance, epoch, type: 'build', files, folders: ['empty'] });
  const publish = () => send('POST', `${job}/artifacts/publication?epoch=${epoch}`, publication, 'application/json');
  const sendAll = () => send('PUT', `${job}/artifacts/archive?epoch=${epoch}`, tarOf(FILES), 'application/x-tar');

  for (const wanted of [1, 3]) {
    assert.equal((await sendAll()).status, 200);
    writeFileSync(killFile, String(wanted));
    const gone = new Promise((resolve) => server.child.once('exit', (_, signal) => resolve(signal)));
    await assert.rejects(publish());
    assert.equal(await gone, 'SIGKILL');
    writeFileSync(killFile, '');
    await start();
    const moved = Object.keys(FILES).filter((path) => existsSync(join(dataDir, 'artifacts/pipelines', LOCATOR, path)));
    assert.ok(moved.length >= wanted, moved.join());
    assert.deepEqual(await publishedState(), { files: [], usage: undefined, events: 0 });
    for (const path of Object.keys(FILES)) assert.equal((await ask('GET', `/files/${LOCATOR}/${path}`)).status, 404);
    assert.equal((await ask('GET', `/files/${LOCATOR}/dist.zip`)).status, 404);
    assert.doesNotMatch((await ask('GET', `/files/${LOCATOR}.json`)).text, /dist|empty|"c"/);
  }

  const answer = await publish();
  assert.deepEqual([answer.status, await answer.json()], [200, { missing: [] }]);
  assert.deepEqual(await (await publish()).json(), { missing: [] });
  assert.deepEqual(await publishedState(), { files: ['c', 'dist/a.txt', 'dist/deep/b.txt', 'empty/'], usage: [3, 11], events: 1 });
  for (const [path, content] of Object.entries(FILES)) assert.equal((await ask('GET', `/files/${LOCATOR}/${path}`)).text, content);
  await agent.complete(work);
});
