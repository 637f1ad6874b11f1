// Jobs that end before their time: cancelled, killed, dropped, and with an agent that ends. Nothing of them is left running.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, type TestContext, test } from 'node:test';
import type { CancelTask, Work } from '../../src/contracts/agent-protocol/work.ts';
import { spawnAgent, startAgent, temporaryFolder } from '../support/builds/agent-process.ts';
import { AgentServer, exec, script, workOf } from '../support/builds/agent-server.ts';
import { isAlive, untilDead } from '../support/server/alive.ts';
import { until } from '../support/until.ts';

const server = new AgentServer();
before(() => server.start());
after(() => server.stop());

/** Leaves processes everywhere: in the group, in another session, without the marker, without a parent, and deaf to TERM. */
const SCATTER = `
sleep 1000 & echo pid $!
setsid sleep 1000 & echo pid $!
setsid sh -c 'trap "" TERM; echo pid $$; while :; do sleep 1; done' &
(setsid env -i /bin/sh -c 'echo pid $$; exec sleep 1000' &)
sleep 0.3
`;

const pidsIn = (job: number) => server.linesOf(job).flatMap((line) => (/^&1\|pid \d+$/.test(line) ? [Number(line.slice(7))] : []));

async function begun(context: TestContext, work: Work, pids: number, graceMs = 300) {
  const agent = startAgent(context, server, { graceMs });
  server.order({ order: 'work', work });
  await until('the processes', () => pidsIn(work.job).length === pids);
  return agent;
}

test('nothing of a task is left running after it', async (context) => {
  const work = workOf([script(SCATTER)]);
  startAgent(context, server);
  server.order({ order: 'work', work });
  assert.equal(await server.completed(work.job), 'Passed');
  assert.equal(pidsIn(work.job).length, 4);
  assert.deepEqual(pidsIn(work.job).filter(isAlive), []);
});

/** A script that starts a process in a session of its own, without its environment, its parent and its output. */
const hidden = (where: string, folder: string) =>
  `(setsid env -i /bin/sh -c 'cd ${where}; echo $$ > ${folder}/hidden; exec sleep 1000' >/dev/null 2>&1 &); while [ ! -s ${folder}/hidden ]; do sleep 0.02; done; cat ${folder}/hidden; sleep 0.1`;
const pidIn = (folder: string) => Number(readFileSync(join(folder, 'hidden'), 'utf8'));
const onlyLinux = { skip: process.platform !== 'linux' && 'only Linux shows where a process works' };

describe('a process that has shed all that it had of its task', onlyLinux, () => {
  test('is ended where it works in the folder of the pipeline', async (context) => {
    const folder = temporaryFolder(context);
    const work = workOf([script(`mkdir -p sub; ${hidden('sub', folder)}`)]);
    startAgent(context, server);
    server.order({ order: 'work', work });
    assert.equal(await server.completed(work.job), 'Passed');
    assert.equal(isAlive(pidIn(folder)), false);
  });

  // As the documentation of the protocol says.
  test('a process that has left its task and the folder of the pipeline is not found', async (context) => {
    const folder = temporaryFolder(context);
    const work = workOf([script(hidden('/', folder))]);
    startAgent(context, server);
    server.order({ order: 'work', work });
    assert.equal(await server.completed(work.job), 'Passed');
    const pid = pidIn(folder);
    assert.equal(isAlive(pid), true);
    process.kill(pid, 'SIGKILL');
  });

  test('a process in the folder of the pipeline that no task has started is not ended', async (context) => {
    const agent = startAgent(context, server);
    const work = workOf([script(`while [ ! -e go ]; do sleep 0.02; done`)]);
    server.order({ order: 'work', work });
    await server.line(work.job, /Task: /);
    const shell = spawn('sleep', ['1000'], { cwd: join(agent.workDir, 'pipelines', 'shop') });
    writeFileSync(join(agent.workDir, 'pipelines', 'shop', 'go'), '');
    assert.equal(await server.completed(work.job), 'Passed');
    assert.equal(isAlive(shell.pid!), true);
    shell.kill('SIGKILL');
  });
});

describe('cancel', () => {
  test('a cancel ends all descendants of the task', async (context) => {
    const work = workOf([script(`${SCATTER} sleep 1000`), exec('echo', ['never'], { run_if: ['any'] })]);
    await begun(context, work, 4);
    server.order({ order: 'cancel', job: work.job });
    assert.equal(await server.completed(work.job), 'Cancelled');
    assert.deepEqual(pidsIn(work.job).filter(isAlive), []);
    const lines = server.linesOf(work.job);
    assert.ok(lines.some((line) => /^\^C\|\[Slipway\] Task status: cancelled \(\d+ ms\)/.test(line)));
    assert.ok(lines.includes('j1|[Slipway] Current job status: cancelled'));
    assert.equal(lines.filter((line) => line.startsWith('!!|[Slipway] Task: ')).length, 1);
    assert.deepEqual(server.statesOf(work.job), ['Preparing', 'Building', 'Completed Cancelled']);
    assert.ok(server.polls.some(({ jobs: [claim] }) => claim?.job === work.job && claim.is_cancelling));
  });

  test('lets a program clean up after TERM', async (context) => {
    const work = workOf([script(`trap 'echo bye; exit' TERM; echo pid $$; while :; do sleep 0.05; done`)]);
    await begun(context, work, 1, 60_000);
    server.order({ order: 'cancel', job: work.job });
    assert.equal(await server.completed(work.job), 'Cancelled');
    assert.ok(server.linesOf(work.job).includes('&1|bye'));
  });

  test('a cancel first runs the task on cancel, with the same environment', async (context) => {
    const onCancel: CancelTask = { type: 'script', script: 'echo "undo $THING"', shell: null, working_directory: null };
    const environment = [{ name: 'THING', value: 'deploy', is_secret: false }];
    const work = workOf([script('echo pid $$; sleep 1000', { on_cancel: onCancel })], { environment });
    await begun(context, work, 1);
    server.order({ order: 'cancel', job: work.job });
    assert.equal(await server.completed(work.job), 'Cancelled');
    const lines = server.linesOf(work.job);
    const from = lines.findIndex((line) => line.startsWith('!x|'));
    assert.deepEqual(lines.slice(from, from + 2), ['!x|[Slipway] On cancel task: echo "undo $THING"', '&1|undo deploy']);
    assert.match(lines[from + 2]!, /^x0\|\[Slipway\] On cancel task status: passed/);
    assert.deepEqual(pidsIn(work.job).filter(isAlive), []);
  });

  test('a cancel leaves processes alone if the task says so', async (context) => {
    const work = workOf([script('echo pid $$; while [ ! -e go ]; do sleep 0.05; done; echo went on', { on_cancel: { type: 'none' } })]);
    const agent = await begun(context, work, 1);
    server.order({ order: 'cancel', job: work.job });
    await until('the next poll', () => server.polls.some(({ jobs: [claim] }) => claim?.job === work.job && claim.is_cancelling));
    writeFileSync(join(agent.workDir, 'pipelines', 'shop', 'go'), '');
    assert.equal(await server.completed(work.job), 'Cancelled');
    assert.ok(server.linesOf(work.job).includes('&1|went on'));
  });

  test('ends a checkout', async (context) => {
    const shared = { fingerprint: 'f', destination: null, revision: 'abc', description: 'URL: /repo', username: null, password: null };
    const material = { type: 'git', url: '/repo', branch: 'main', shallow_clone: false, submodule_folder: null, ...shared } as const;
    const work = workOf([exec('echo', ['never'])], { materials: [material] });
    startAgent(context, server, {
      checkOut: (_, { signal, out }) =>
        new Promise((_resolve, reject) => {
          out('fetching');
          signal.addEventListener('abort', () => reject(new Error('aborted')));
        }),
    });
    server.order({ order: 'work', work });
    await server.line(work.job, /fetching/);
    server.order({ order: 'cancel', job: work.job });
    assert.equal(await server.completed(work.job), 'Cancelled');
    assert.ok(!server.consoleOf(work.job).includes('never'));
  });
});

test('kill ends the task of a cancel at once, and the cancelled task', async (context) => {
  const onCancel: CancelTask = { type: 'script', script: 'trap "" TERM; echo pid $$; sleep 1000', shell: null, working_directory: null };
  const work = workOf([script('trap "" TERM; echo pid $$; while :; do sleep 1; done', { on_cancel: onCancel })]);
  await begun(context, work, 1, 600_000);
  server.order({ order: 'cancel', job: work.job });
  await until('the task of the cancel', () => pidsIn(work.job).length === 2);
  server.order({ order: 'kill', job: work.job });
  assert.equal(await server.completed(work.job), 'Cancelled');
  assert.deepEqual(pidsIn(work.job).filter(isAlive), []);
});

test('a dropped job ends without a word, and the next one begins', async (context) => {
  const work = workOf([script('echo pid $$; sleep 1000')]);
  await begun(context, work, 1);
  server.order({ order: 'drop', job: work.job });
  const next = workOf([exec('echo', ['next'])]);
  server.order({ order: 'work', work: next });
  assert.equal(await server.completed(next.job), 'Passed');
  assert.deepEqual(server.statesOf(work.job), ['Preparing', 'Building']);
  assert.deepEqual(pidsIn(work.job).filter(isAlive), []);
});

test('a report that is refused ends the job, too', async (context) => {
  const work = workOf([script('echo pid $$; sleep 1000')]);
  server.override = (path) => (path === `/agent/v1/jobs/${work.job}/reports` ? { status: 409, body: { message: 'not yours' } } : undefined);
  context.after(() => {
    server.override = () => undefined;
  });
  startAgent(context, server);
  server.order({ order: 'work', work });
  const next = workOf([exec('echo', ['next'])]);
  server.order({ order: 'work', work: next });
  assert.equal(await server.completed(next.job), 'Passed');
  assert.deepEqual([server.statesOf(work.job), pidsIn(work.job).filter(isAlive)], [[], []]);
});

describe('an agent in a process of its own', () => {
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    test(`${signal} ends its task and all descendants, and then the agent`, async (context) => {
      const agent = spawnAgent(context, server, join(temporaryFolder(context), 'agent'));
      const work = workOf([script(`${SCATTER.replace(/.*trap.*\n/, '')} sleep 1000`)]);
      server.order({ order: 'work', work });
      await until('the processes', () => pidsIn(work.job).length === 3);
      agent.child.kill(signal);
      assert.deepEqual(await agent.ended, { code: 0, signal: null }, agent.output());
      assert.deepEqual(pidsIn(work.job).filter(isAlive), []);
      assert.deepEqual(server.statesOf(work.job), ['Preparing', 'Building']);
    });

  test('a task has its time to end, also when the signal comes twice', async (context) => {
    const folder = temporaryFolder(context);
    const [agent, mark] = [spawnAgent(context, server, join(folder, 'agent')), join(folder, 'mark')];
    const work = workOf([script(`trap 'sleep 0.3; echo tidied > ${mark}; exit 1' TERM; echo pid $$; while :; do sleep 0.05; done`)]);
    server.order({ order: 'work', work });
    await until('the process', () => pidsIn(work.job).length === 1);
    agent.child.kill('SIGINT');
    agent.child.kill('SIGTERM');
    assert.deepEqual(await agent.ended, { code: 0, signal: null }, agent.output());
    assert.equal(readFileSync(mark, 'utf8'), 'tidied\n');
  });

  test('processes that a killed agent has left are ended by the next one', async (context) => {
    const workDir = join(temporaryFolder(context), 'agent');
    const first = spawnAgent(context, server, workDir);
    const work = workOf([script('echo pid $$; exec sleep 1000')]);
    server.order({ order: 'work', work });
    await until('the process', () => pidsIn(work.job).length === 1);
    first.child.kill('SIGKILL');
    await first.ended;
    const [pid] = pidsIn(work.job);
    assert.equal(isAlive(pid!), true);
    const { uuid } = JSON.parse(readFileSync(join(workDir, 'agent.json'), 'utf8'));
    startAgent(context, server, { workDir });
    await untilDead(pid!);
    await until('the registration', () => server.registrations.filter((one) => one.uuid === uuid).length === 2);
    assert.equal(existsSync(join(workDir, 'console', `${work.job}-1.log`)), false);
  });
});
