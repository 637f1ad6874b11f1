// Facts of a job besides its commands: the time limits of tasks, and variables of materials that only the agent knows.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { p4ClientName } from '../../src/agent/checkout/p4.ts';
import { startAgent } from '../support/builds/agent-process.ts';
import { AgentServer, exec, script, workOf } from '../support/builds/agent-server.ts';
import { isAlive } from '../support/server/alive.ts';
import { until } from '../support/until.ts';
import { p4Work } from './checkout/support.ts';

const server = new AgentServer();
before(() => server.start());
after(() => server.stop());

test('a task that takes longer than it may is ended with all it has started, and has failed', async (context) => {
  startAgent(context, server, { graceMs: 200 });
  const slow = exec('sh', ['-c', 'sleep 1000 & echo pid $!; echo pid $$; wait'], { timeout_seconds: 1 });
  const work = workOf([slow, script('echo not reached'), exec('echo', ['cleaned'], { run_if: ['failed'] })]);
  server.order({ order: 'work', work });
  assert.equal(await server.completed(work.job), 'Failed');
  const lines = server.linesOf(work.job);
  assert.ok(lines.includes('&2|[Slipway] The task has taken longer than 1 second, and is ended.'), lines.join('\n'));
  const pids = lines.flatMap((line) => /^&1\|pid (\d+)$/.exec(line)?.slice(1) ?? []).map(Number);
  assert.equal(pids.length, 2);
  assert.deepEqual(pids.filter(isAlive), []);
  assert.ok(lines.includes('&1|cleaned'));
  assert.ok(!lines.includes('&1|not reached'));
});

test('a task that ends in time is left alone', async (context) => {
  startAgent(context, server);
  const work = workOf([exec('echo', ['quick'], { timeout_seconds: 60 })]);
  server.order({ order: 'work', work });
  assert.equal(await server.completed(work.job), 'Passed');
});

test('the client workspace of each Perforce material overrides variables of the pipeline', async (context) => {
  const agent = startAgent(context, server);
  const folder = join(agent.workDir, 'pipelines', 'shop');
  const work = {
    ...workOf([script('echo "$GO_P4_CLIENT_LIB"; echo "$GO_P4_CLIENT"')]),
    fetch_materials: false,
    environment: [{ name: 'GO_P4_CLIENT', value: 'of the pipeline', is_secret: false }],
    materials: [p4Work('7', { destination: 'lib', client_variable: 'GO_P4_CLIENT_LIB' }), p4Work('8', { destination: null })],
  };
  server.order({ order: 'work', work });
  assert.equal(await server.completed(work.job), 'Passed');
  const printed = server.linesOf(work.job).filter((line) => line.startsWith('&1|'));
  assert.deepEqual(printed, [`&1|${p4ClientName(folder, 'lib')}`, `&1|${p4ClientName(folder, null)}`]);
});

test('a console whose file cannot be removed does not end the agent: it says so, and takes the next job', async (context) => {
  const agent = startAgent(context, server);
  const work = workOf([script('file=$(echo ../../console/*.log); rm "$file"; mkdir -p "$file/sub"')]);
  server.order({ order: 'work', work });
  assert.equal(await server.completed(work.job), 'Passed');
  const next = workOf([exec('echo', ['next'])]);
  server.order({ order: 'work', work: next });
  assert.equal(await server.completed(next.job), 'Passed');
  assert.ok(
    agent.output.some((line) =>
      /^The console of shop\/7\/test\/1\/unit could not be removed\. The agent cannot work with its files: /.test(line),
    ),
    agent.output.join('\n'),
  );
});

test('a console whose file is cut fails its job, and says why there and here', async (context) => {
  const agent = startAgent(context, server);
  const work = workOf([script('for i in 1 2 3 4; do echo line $i; : > "$(echo ../../console/*.log)"; done; sleep 1000')]);
  let isUnavailable = true;
  server.override = (path) => (isUnavailable && path.endsWith('/console') ? { status: 503, body: {} } : undefined);
  context.after(() => {
    server.override = () => undefined;
  });
  server.order({ order: 'work', work });
  await until('the cut', () => {
    const folder = join(agent.workDir, 'console');
    return existsSync(folder) && readdirSync(folder).some((name) => statSync(join(folder, name)).size === 0);
  });
  isUnavailable = false;
  assert.equal(await server.completed(work.job), 'Failed');
  assert.match(server.consoleOf(work.job), /has become shorter/);
  assert.ok(
    agent.output.some((line) => /is not whole\..*has become shorter/.test(line)),
    agent.output.join('\n'),
  );
});
