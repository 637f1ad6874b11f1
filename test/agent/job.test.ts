// An agent runs jobs: folders, environment, tasks, console and results, with a real server and real programs.
import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, type TestContext, test } from 'node:test';
import type { Work, WorkMaterial } from '../../src/contracts/agent-protocol/work.ts';
import { startAgent } from '../support/builds/agent-process.ts';
import { AgentServer, exec, script, workOf } from '../support/builds/agent-server.ts';

const server = new AgentServer();
before(() => server.start());
after(() => server.stop());

type Options = Parameters<typeof startAgent>[2];

/** The agent has ended when it returns. `setUp` is given the folder of the pipeline. */
async function built(context: TestContext, work: Work, { setUp, ...options }: Options & { setUp?: (folder: string) => void } = {}) {
  const agent = startAgent(context, server, options);
  const folder = join(agent.workDir, 'pipelines', 'shop');
  mkdirSync(folder, { recursive: true });
  setUp?.(folder);
  server.order({ order: 'work', work });
  const result = await server.completed(work.job);
  return { result, lines: server.linesOf(work.job), states: server.statesOf(work.job), folder, agent };
}

const of = (lines: readonly string[], tag: string) => lines.filter((line) => line.startsWith(`${tag}|`)).map((line) => line.slice(3));

function git(destination: string | null, more: Partial<WorkMaterial> = {}): WorkMaterial {
  const shared = { fingerprint: 'f'.repeat(64), destination, revision: 'abc', description: 'URL: /repo', username: null, password: null };
  return { type: 'git', url: '/repo', branch: 'main', shallow_clone: false, submodule_folder: null, ...shared, ...more } as WorkMaterial;
}

test('a job from its first line to its last', async (context) => {
  const work = workOf([exec('echo', ['hello', 'two words']), script('echo oops >&2; exit 3'), exec('echo', 'never')]);
  const { result, lines, states, folder, agent } = await built(context, work, { name: 'builder' });
  assert.equal(result, 'Failed');
  assert.deepEqual(states, ['Preparing', 'Building', 'Completing Failed', 'Completed Failed']);
  assert.deepEqual(
    server.reports.filter((one) => one.job === work.job).map(({ number, epoch }) => [number, epoch]),
    [1, 2, 3, 4].map((number) => [number, 1]),
  );
  const where = 'shop/7/test/1/unit on builder';
  assert.deepEqual(
    lines.map((line) => line.replace(/\(\d+ ms\)/, '(9 ms)').replace(/Started: .*/, 'Started: now')),
    [
      '##|[Slipway] Job Started: now',
      `##|[Slipway] Start to prepare ${where} [${folder}]`,
      '##|[Slipway] Start to update materials.',
      `##|[Slipway] Start to build ${where} [${folder}]`,
      '!!|[Slipway] Task: echo hello "two words"',
      '&1|hello two words',
      '?0|[Slipway] Task status: passed (9 ms)',
      '!!|[Slipway] Task: echo oops >&2; exit 3',
      '&2|oops',
      '?1|[Slipway] Task status: failed (9 ms) (exit code: 3)',
      'j1|[Slipway] Current job status: failed',
      `ex|[Slipway] Job completed ${where} [${agent.workDir}]`,
    ],
  );
  for (const line of server.consoleOf(work.job).trimEnd().split('\n')) assert.match(line, /^\S{2}\|\d\d:\d\d:\d\d\.\d{3} /);
});

test('a job that an agent had before says so first', async (context) => {
  const { lines } = await built(context, { ...workOf([exec('true', [])]), epoch: 2 });
  assert.equal(lines[0], '##|[Slipway] Attempt 2: the agent that had the job before was lost, or started again.');
});

test('a task runs when its condition fits', async (context) => {
  const say = (text: string, ...run_if: ('passed' | 'failed' | 'any')[]) => exec('echo', [text], { run_if });
  const work = workOf([
    say('1'),
    say('no', 'failed'),
    exec('false', []),
    say('no'),
    say('2', 'failed'),
    say('3', 'any'),
    say('4', 'passed', 'failed'),
  ]);
  const { result, lines } = await built(context, work);
  assert.equal(result, 'Failed');
  assert.deepEqual(of(lines, '&1'), ['1', '2', '3', '4']);
});

describe('the environment', () => {
  test('is the agent’s, then the job’s in order, with secrets hidden', async (context) => {
    const environment = [
      { name: 'COLOUR', value: 'red', is_secret: false },
      { name: 'COLOUR', value: 'blue', is_secret: false },
      { name: 'PASSWORD', value: 'hunter2', is_secret: true },
      { name: 'OF_AGENT', value: 'job', is_secret: false },
    ];
    const own = { PATH: process.env.PATH, OF_AGENT: 'agent', KEPT: 'yes', SLIPWAY_AGENT_KEY: 'k', SLIPWAY_TOKEN: 't', npm_config_x: 'n' };
    const task = script(
      'echo $COLOUR $OF_AGENT $KEPT; echo "<$PASSWORD>"; env | grep -c "^SLIPWAY_AGENT\\|^SLIPWAY_TOKEN\\|^npm_" || true',
    );
    const { lines } = await built(context, workOf([task], { environment }), { environment: own });
    assert.deepEqual(of(lines, '&1'), ['blue job yes', '<******>', '0']);
    assert.deepEqual(of(lines, 'pr'), [
      "[Slipway] setting environment variable 'COLOUR' to value 'red'",
      "[Slipway] overriding environment variable 'COLOUR' with value 'blue'",
      "[Slipway] setting environment variable 'PASSWORD' to value '********'",
      "[Slipway] overriding environment variable 'OF_AGENT' with value 'job'",
    ]);
  });

  test('no secret reaches the console, however it is printed', async (context) => {
    const environment = [
      { name: 'KEY', value: 'first-line\nsecond-line\n', is_secret: true },
      { name: 'PASSWORD', value: 'hunter2-very-long', is_secret: true },
      { name: 'SHOWN', value: 'with hunter2-very-long in it', is_secret: false },
    ];
    const text =
      'printf hunter2-; sleep 0.4; echo very-long; echo "$KEY"; echo second-line; echo hunter2-very-long >&2; printf "$PASSWORD" | base64';
    const materials = [git(null, { password: 'material-secret' })];
    const checkOut: NonNullable<Options>['checkOut'] = async (_, { out, err }) => {
      out('fetching with material-secret');
      err('material-secret is wrong');
    };
    const work = workOf([script(text), exec('echo', ['hunter2-very-long'])], { environment, materials });
    const { lines } = await built(context, work, { checkOut });
    for (const secret of [
      'hunter2-very-long',
      'first-line',
      'second-line',
      'material-secret',
      Buffer.from('hunter2-very-long').toString('base64').slice(0, 20),
    ])
      assert.ok(!server.consoleOf(work.job).includes(secret), secret);
    assert.ok(of(lines, '&1').includes('******'));
    assert.deepEqual(of(lines, 'pe'), ['****** is wrong']);
  });
});

test('a secret with a zero byte is not revealed by the failure that it causes', async (context) => {
  const environment = [{ name: 'PASSWORD', value: 'hunter2-\0very-long', is_secret: true }];
  const { result, lines } = await built(context, workOf([script('echo never')], { environment }));
  assert.equal(result, 'Failed');
  assert.deepEqual(of(lines, '&2'), [
    '[Slipway] Program "sh" cannot be started: its name, its arguments or its environment variables contain a zero byte.',
  ]);
});

describe('the folder of the pipeline', () => {
  const look = script('find . -mindepth 1 | sort');

  test('is kept from job to job', async (context) => {
    const { lines } = await built(context, workOf([look]), { setUp: (folder) => writeFileSync(join(folder, 'kept.txt'), '') });
    assert.deepEqual(of(lines, '&1'), ['./kept.txt']);
  });

  test('is emptied when the stage wants that, also of read-only folders', async (context) => {
    const setUp = (folder: string) => {
      mkdirSync(join(folder, 'closed'));
      writeFileSync(join(folder, 'closed', 'file'), '');
      chmodSync(join(folder, 'closed'), 0o500);
      symlinkSync('/etc', join(folder, 'link'));
    };
    const { lines } = await built(context, workOf([look], { clean_working_directory: true, fetch_materials: false }), { setUp });
    assert.deepEqual(of(lines, '&1'), []);
    assert.ok(existsSync('/etc/passwd'));
  });

  test('loses folders that belong to no destination, and the outer material comes first', async (context) => {
    const setUp = (folder: string) => {
      for (const path of ['old', 'libs/a', 'libs/old', 'app/deep']) mkdirSync(join(folder, path), { recursive: true });
      writeFileSync(join(folder, 'file'), '');
    };
    const order: (string | null)[] = [];
    const checkOut: NonNullable<Options>['checkOut'] = async ({ destination }) => void order.push(destination);
    const materials = [git('libs/a'), git('app')];
    const { lines } = await built(context, workOf([look], { materials }), { setUp, checkOut });
    assert.deepEqual(of(lines, '&1'), ['./app', './app/deep', './file', './libs', './libs/a']);
    assert.deepEqual(order, ['app', 'libs/a']);
  });

  test('the folders of materials are not touched if no materials are fetched', async (context) => {
    const setUp = (folder: string) => void mkdirSync(join(folder, 'old'));
    const checkOut = () => assert.fail('checked out');
    const { lines, result } = await built(context, workOf([look], { fetch_materials: false, materials: [git('app')] }), {
      setUp,
      checkOut,
    });
    assert.deepEqual([result, of(lines, '&1')], ['Passed', ['./old']]);
  });

  test('a checkout that fails fails the job before its tasks', async (context) => {
    const checkOut = async () => {
      throw new Error('There is no repository at /repo.');
    };
    const work = workOf([exec('echo', ['never'], { run_if: ['any'] })], { materials: [git(null)] });
    const { result, lines, states } = await built(context, work, { checkOut });
    assert.deepEqual([result, of(lines, 'pe'), of(lines, '!!')], ['Failed', ['[Slipway] There is no repository at /repo.'], []]);
    assert.deepEqual(states, ['Preparing', 'Completing Failed', 'Completed Failed']);
  });

  for (const destination of ['../out', '/etc', 'link/below'])
    test(`no destination is outside of the folder of the pipeline: ${destination}`, async (context) => {
      const setUp = (folder: string) => symlinkSync('/tmp', join(folder, 'link'));
      const { result, lines } = await built(context, workOf([], { materials: [git(destination)] }), {
        setUp,
        checkOut: () => assert.fail(),
      });
      assert.equal(result, 'Failed');
      assert.match(of(lines, 'pe')[0]!, /outside of the folder of the pipeline/);
    });
});

describe('tasks', () => {
  const WHAT_TO_DO = 'Correct the task, or make the directory in a task before it.';
  const inFolder = (working_directory: string) => ({ ...exec('pwd', []), working_directory });

  test('work where they are told to', async (context) => {
    const setUp = (path: string) => void mkdirSync(join(path, 'sub'));
    const { lines, folder } = await built(context, workOf([inFolder('sub')], { fetch_materials: false }), { setUp });
    assert.deepEqual([of(lines, '&1'), of(lines, '&2')], [[join(folder, 'sub')], []]);
  });

  for (const [directory, sentence] of [
    ['nowhere', `Working directory "nowhere" is not a directory! ${WHAT_TO_DO}`],
    ['file', `Working directory "file" is not a directory! ${WHAT_TO_DO}`],
    ['../..', 'Working directory "../.." is outside of the folder of the pipeline.'],
    ['/etc', 'Working directory "/etc" is outside of the folder of the pipeline.'],
    ['link', 'Working directory "link" is a link that leads outside of the folder of the pipeline.'],
  ] as const)
    test(`do not work in ${directory}`, async (context) => {
      const setUp = (folder: string) => {
        writeFileSync(join(folder, 'file'), '');
        symlinkSync('/etc', join(folder, 'link'));
      };
      const { result, lines } = await built(context, workOf([inFolder(directory)], { fetch_materials: false }), { setUp });
      assert.deepEqual([result, of(lines, '&2')], ['Failed', [`[Slipway] ${sentence}`]]);
    });

  test('tasks that cannot be started fail with a sentence', async (context) => {
    const setUp = (folder: string) => writeFileSync(join(folder, 'text.sh'), 'echo');
    const tasks = [exec('no-such-program', []), exec('./text.sh', [], { run_if: ['any'] }), exec('echo', '"open', { run_if: ['any'] })];
    const { result, lines } = await built(context, workOf(tasks), { setUp });
    assert.equal(result, 'Failed');
    const [missing, closed, quote] = of(lines, '&2');
    assert.match(missing!, /Program "no-such-program" was not found\./);
    assert.match(closed!, /Program "\.\/text\.sh" may not be executed/);
    assert.match(quote!, /a quote \("\) that is never closed/);
  });

  test('tasks that this agent cannot run say why', async (context) => {
    const conditions = { run_if: ['any'], on_cancel: null } as const;
    const tasks = [{ type: 'unsupported', reason: 'There is no plugin docker.', ...conditions }] as const;
    const { result, lines } = await built(context, workOf(tasks));
    assert.deepEqual([result, of(lines, '&2')], ['Failed', ['[Slipway] There is no plugin docker.']]);
  });

  test('tasks of ant fail by their words', async (context) => {
    const setUp = (folder: string) => {
      writeFileSync(join(folder, 'ant'), '#!/bin/sh\necho "$# $*"\necho BUILD FAILED\n', { mode: 0o755 });
      writeFileSync(join(folder, 'rake'), '#!/bin/sh\necho "$# $*"\necho BUILD FAILED\n', { mode: 0o755 });
    };
    const common = { target: 'clean "my test"', working_directory: null, run_if: ['any'], on_cancel: null } as const;
    const tasks = [
      { type: 'rake', build_file: null, ...common },
      { type: 'ant', build_file: 'my build.xml', ...common },
    ] as const;
    const { result, lines } = await built(context, workOf(tasks), { setUp, environment: { PATH: `.:${process.env.PATH}` } });
    assert.equal(result, 'Failed');
    assert.deepEqual(of(lines, '&1'), ['2 clean my test', 'BUILD FAILED', '4 -f my build.xml clean my test', 'BUILD FAILED']);
    assert.deepEqual([of(lines, '?0').length, of(lines, '?1').length], [1, 1]);
  });

  test('tasks that are killed say so', async (context) => {
    const { result, lines } = await built(context, workOf([script('kill -9 $$')]));
    assert.equal(result, 'Failed');
    assert.deepEqual(of(lines, '&2'), ['[Slipway] Program "sh" was ended from outside by the signal SIGKILL.']);
    assert.match(of(lines, '?1')[0]!, /exit code: 137/);
  });

  test('a vanished work directory fails the job, and the next one works again', async (context) => {
    const agent = startAgent(context, server);
    const first = workOf([script('rm -rf "$PWD"'), exec('echo', ['never'])]);
    server.order({ order: 'work', work: first });
    assert.equal(await server.completed(first.job), 'Failed');
    assert.match(of(server.linesOf(first.job), '&2')[0]!, /is not a directory!/);
    rmSync(agent.workDir, { recursive: true });
    const second = workOf([exec('echo', ['here'])]);
    server.order({ order: 'work', work: second });
    assert.equal(await server.completed(second.job), 'Passed');
    assert.deepEqual(of(server.linesOf(second.job), '&1'), ['here']);
  });
});

test('the name of a pipeline cannot lead out', async (context) => {
  const work = workOf([exec('pwd', [])]);
  const agent = startAgent(context, server);
  server.order({ order: 'work', work: { ...work, locator: { ...work.locator, pipeline: '..' } } });
  assert.equal(await server.completed(work.job), 'Failed');
  assert.match(of(server.linesOf(work.job), 'pe')[0]!, /cannot be the name of a pipeline/);
  assert.ok(readFileSync(join(agent.workDir, 'agent.json')));
});
