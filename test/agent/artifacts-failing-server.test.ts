// A server that answers each request about artifacts with a failure: the agent tries for a while, and then the job fails with a sentence.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, afterEach, before, type TestContext, test } from 'node:test';
import type { Work, WorkTask } from '../../src/contracts/agent-protocol/work.ts';
import { startAgent } from '../support/builds/agent-process.ts';
import { AgentServer, workOf } from '../support/builds/agent-server.ts';

const MB = 1024 * 1024;
const ATTEMPTS = 4;
const GIVES_UP = { ms: { fault: 0, unavailable: 0 }, answers: ATTEMPTS };
const SENTENCE =
  'The server has failed to do this for 0 minutes, so the agent gives up. Its last answer has status 500: There is a fault. Look for the cause in the log of the server, and run the job again when it is mended.';

const server = new AgentServer();
const artifactServer = server.artifacts;
before(() => server.start());
after(() => server.stop());
afterEach(() => {
  artifactServer.fetched.clear();
  artifactServer.override = () => undefined;
});

const requestsOf = (job: number, what: string) => artifactServer.requests.filter((one) => one.job === job && one.what === what);
const failAlways = (...whats: readonly string[]) => {
  artifactServer.override = ({ what }) => (whats.includes(what) ? { status: 500, body: { message: 'There is a fault.' } } : undefined);
};

async function run(context: TestContext, tasks: readonly WorkTask[], artifacts: Work['artifacts']) {
  const agent = startAgent(context, server, { retryLimits: GIVES_UP });
  const folder = join(agent.workDir, 'pipelines', 'shop');
  mkdirSync(folder, { recursive: true });
  for (const name of ['one', 'two']) writeFileSync(join(folder, name), name);
  writeFileSync(join(folder, 'large'), Buffer.alloc(3 * MB));
  const { job, ...work } = workOf([...tasks], { artifacts, fetch_materials: false });
  server.order({ order: 'work', work: { ...work, job } });
  const result = await server.completed(job);
  const said = server.linesOf(job).map((line) => line.slice(3).replace('[Slipway] ', ''));
  return { job, result, said };
}

const build = (source: string) => ({ type: 'build', source, destination: null }) as const;

for (const [what, source] of [
  ['archive', 'one'],
  ['file', 'large'],
  ['publication', 'one'],
] as const)
  test(`a job fails with a sentence when the server fails each request of an upload: ${what}`, async (context) => {
    failAlways(what);
    const { job, result, said } = await run(context, [], [build(source)]);
    assert.equal(result, 'Failed');
    assert.deepEqual(said.slice(-3, -1), [SENTENCE, `Uploading finished. Failed to upload [${source}].`], said.join('\n'));
    const asked = requestsOf(job, what);
    assert.ok(asked.length >= ATTEMPTS && asked.length <= 2 * ATTEMPTS, String(asked.length));
  });

test('a large file that arrives to a part and then fails each time', async (context) => {
  artifactServer.override = ({ what, query }) => {
    if (what !== 'file') return undefined;
    // Asked how much is there, the server knows; what is sent from there fails.
    return Number(query.offset) === 3 * MB
      ? { status: 409, body: { length: MB } }
      : { status: 500, body: { message: 'There is a fault.' } };
  };
  const { result, said } = await run(context, [], [build('large')]);
  assert.equal(result, 'Failed');
  assert.ok(said.includes(SENTENCE), said.join('\n'));
});

test('after a failed artifact others are tried for less time, and sent as soon as the server works', async (context) => {
  let failures = 0;
  artifactServer.override = ({ what }) =>
    what === 'archive' && ++failures <= ATTEMPTS + 1 ? { status: 500, body: { message: 'There is a fault.' } } : undefined;
  const { job, result, said } = await run(context, [], [build('one'), build('two'), build('large'), build('one')]);
  assert.equal(result, 'Failed');
  assert.equal(said.filter((line) => line === SENTENCE).length, 2);
  assert.ok(said.includes('Uploading finished. Failed to upload [one, two].'), said.join('\n'));
  assert.deepEqual(artifactServer.tree(job), ['large', 'one']);
});

for (const [what, source, is_file, files] of [
  ['fetch files', 'pkg', false, ['a']],
  ['fetch file', 'pkg/library', true, ['library']],
  ['fetch archive', 'pkg', false, ['a', 'b']],
] as const)
  test(`a job fails with a sentence when the server fails each request of a fetch task: ${what}`, async (context) => {
    failAlways(what);
    for (const name of files) artifactServer.fetched.set(name, Buffer.alloc(name === 'library' ? 3 * MB : 1));
    const from = { pipeline: 'libs', pipeline_counter: 3, stage: 'dist', stage_counter: 2, job: 'pack' };
    const task: WorkTask = { type: 'fetch', id: 4, from, source, is_file, destination: null, run_if: [], on_cancel: null };
    const { job, result, said } = await run(context, [task], []);
    assert.equal(result, 'Failed');
    assert.ok(said.includes(SENTENCE), said.join('\n'));
    assert.equal(requestsOf(job, what).length, ATTEMPTS);
  });
