// The command `run`: it triggers, follows and ends as the run does.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { accepted } from '../../support/requests/callers.ts';
import { slipway } from '../../support/server/command-line.ts';
import { until } from '../../support/until.ts';
import { BuildLab, BY_HAND, job, shell, stage } from './lab.ts';

let lab: BuildLab;
before(async () => {
  lab = await BuildLab.start();
  await lab.startAgent('one');
});
after(() => lab.stop());

/** Lines that tasks have printed, without those of the agent. */
const printed = (out: string) => out.split('\n').filter((line) => /^(?:\S+ \| )?>/.test(line));

describe('run', () => {
  test('schedules a run, and says where it is', async () => {
    await lab.pipeline('plain', [stage('build', [job('compile', [shell('echo ">hello"')])])]);
    const { out } = await lab.expect(0, 'run', 'plain');
    assert.equal(out, `Run plain/1: ${lab.server.url}/pipelines/value_stream_map/plain/1\n`);
    const run = accepted(await lab.server.get('/api/pipelines/plain/1/instance')).json;
    assert.equal(run.build_cause.approver, 'admin');
  });

  test('schedules a run with other variables and an older revision', async () => {
    const tasks = [shell('echo ">$MODE at $GO_REVISION_SOURCE"; cat hello.txt')];
    const variables = { environment_variables: [{ name: 'MODE', value: 'slow' }] };
    await lab.pipeline('told', [stage('build', [job('compile', tasks)])], variables);
    await lab.expect(0, 'run', 'told', '--follow');
    const first = await lab.origin.tip();
    const second = await lab.origin.commit('second', { 'hello.txt': 'changed\n' });
    const newest = await lab.expect(0, 'run', 'told', '--follow', '--variable', 'MODE=a=b');
    assert.deepEqual(printed(newest.out), [`>a=b at ${second}`]);
    assert.ok(newest.out.includes('\nchanged\n'));
    for (const material of ['source', 'SOURCE']) {
      const older = await lab.expect(0, 'run', 'told', '--no-update', '--follow', '--revision', `${material}=${first}`);
      assert.deepEqual(printed(older.out), [`>slow at ${first}`]);
    }
  });

  test('refuses unknown names, wrong arguments and a paused pipeline', async () => {
    await lab.pipeline('strict', [stage('build', [job('compile', [shell('true')])])]);
    for (const [args, status, message] of [
      [['none'], 1, /'none'.*\(404\)/],
      [['strict', '--variable', 'COLOUR=red'], 1, /Variable 'COLOUR' has not been configured for pipeline 'strict'.*\(422\)/],
      [['strict', '--revision', 'other=1'], 1, /has no material 'other'\. Its materials are:\n {2}[0-9a-f]{64} {2}source/],
      [['strict', '--revision', 'source=1234'], 1, /no revision '1234'/],
      [['strict', '--variable', 'COLOUR'], 2, /--variable must be NAME=VALUE/],
      [['strict', '--revision', 'source='], 2, /--revision must be MATERIAL=REVISION/],
      [[], 2, /PIPELINE is missing/],
    ] as const) {
      const { err, out } = await lab.expect(status, 'run', ...args);
      assert.match(err, message);
      assert.equal(out, '');
    }
    accepted(await lab.server.post('/api/pipelines/strict/pause', { pause_cause: 'x' }));
    assert.match((await lab.expect(1, 'run', 'strict')).err, /strict is paused.*\(409\)/);
  });

  test('says why there is no run if the repository cannot be read', async () => {
    const material = { type: 'git', attributes: { url: `${lab.folder}/missing`, branch: 'main', auto_update: false } };
    await lab.pipeline('broken', [stage('build', [job('compile', [shell('true')])])], { materials: [material] });
    const { err } = await lab.expect(1, 'run', 'broken');
    assert.match(err, /^broken could not be run: .*missing/m);
  });
});

describe('run --follow', () => {
  test('prints the lines of a single job as they are, the result, and progress on standard error', async () => {
    const signalFile = join(lab.folder, 'seen');
    const script = `until [ -e ${signalFile} ]; do sleep 0.05; done; echo ">one"; echo ">two" >&2`;
    await lab.pipeline('small', [stage('build', [job('compile', [shell(script)])])]);
    const onErr = (text: string) => text.includes('small/1/build/1: compile ') && writeFileSync(signalFile, '');
    const { status, out, err } = await slipway(['run', 'small', '--follow'], { environment: lab.login(), onErr });
    assert.equal(status, 0, err);
    assert.match(out, /^Run small\/1: http/);
    assert.deepEqual(printed(out).sort(), ['>one', '>two']);
    assert.ok(out.endsWith('\nRun small/1 has passed.\n'), out);
  });

  test('shows progress on a terminal in one line that goes before output comes', async () => {
    const signalFile = join(lab.folder, 'seen-building');
    const script = `echo ">one"; until [ -e ${signalFile} ]; do sleep 0.05; done; echo ">two"`;
    await lab.pipeline('seen', [stage('build', [job('compile', [shell(script)])])]);
    const onErr = (text: string) => text.includes('seen/1/build/1: compile building') && writeFileSync(signalFile, '');
    const { status, out, err } = await lab.runAtTerminal(['run', 'seen', '--follow'], onErr);
    assert.equal(status, 0, err);
    assert.deepEqual(printed(out), ['>one', '>two']);
    assert.ok(!err.includes('\n') && err.endsWith('\r\u001b[2K'), JSON.stringify(err));
  });

  test('prints each line of several jobs with its job, one stage after the other', async () => {
    const both = [job('a', [shell('echo ">a"')]), job('b', [shell('echo ">b"')])];
    await lab.pipeline('large', [stage('build', both), stage('deploy', [job('copy', [shell('echo ">c"')])])]);
    const { out } = await lab.expect(0, 'run', 'large', '--follow');
    const lines = printed(out);
    assert.deepEqual([lines.slice(0, 2).sort(), lines.slice(2)], [['build/a | >a', 'build/b | >b'], ['deploy/copy | >c']]);
  });

  test('ends with 3 after a failure, and names the job', async () => {
    await lab.pipeline('bad', [stage('build', [job('compile', [shell('exit 9')])]), stage('deploy', [job('copy', [shell('true')])])]);
    const { err, out } = await lab.expect(3, 'run', 'bad', '--follow');
    assert.ok(err.endsWith('\nRun bad/1 has failed in build (compile).\n'), err);
    assert.match(out, /exit code: 9/);
  });

  test('ends with 4 after a cancelled stage', async () => {
    await lab.pipeline('slow', [stage('build', [job('compile', [shell('echo ">begun"; exec sleep 600')])])]);
    const following = lab.run('run', 'slow', '--follow');
    await until('the job', async () => (await lab.run('log', 'slow/1/build/1/compile')).out.includes('>begun'));
    accepted(await lab.server.post('/api/stages/slow/1/build/1/cancel', {}));
    const { status, err } = await following;
    assert.equal(status, 4, err);
    assert.ok(err.endsWith('Run slow/1 was cancelled in build (compile).\n'), err);
  });

  test('ends with 5 at a stage that is started by hand', async () => {
    await lab.pipeline('gated', [
      stage('build', [job('compile', [shell('true')])]),
      stage('deploy', [job('copy', [shell('true')])], BY_HAND),
    ]);
    const { err } = await lab.expect(5, 'run', 'gated', '--follow');
    assert.ok(err.endsWith('Run gated/1 has passed so far, and waits: the stage deploy is started by hand.\n'), err);
  });

  test('ends with 5 if the pipeline is paused meanwhile', async () => {
    await lab.pipeline('halted', [stage('build', [job('compile', [shell('sleep 1')])]), stage('deploy', [job('copy', [shell('true')])])]);
    const following = lab.run('run', 'halted', '--follow');
    await until('the run', async () => (await lab.server.get('/api/pipelines/halted/1/instance')).status === 200);
    accepted(await lab.server.post('/api/pipelines/halted/pause', {}));
    const { status, err } = await following;
    assert.equal(status, 5, err);
    assert.ok(err.endsWith('waits: the pipeline is paused.\n'), err);
  });

  test('says why a job waits if no agent takes it', async () => {
    await lab.pipeline('needy', [stage('build', [job('compile', [shell('true')], { resources: ['gpu'] })])]);
    const { status, err, stop } = await lab.runUntilAgent('two', ['gpu'], ['run', 'needy', '--follow']);
    assert.equal(status, 0, err);
    assert.match(err, /needy\/1\/build\/1\/compile waits for an agent\. .*gpu/);
    await stop();
  });

  test('ends with 5 if a newer run takes its place in a stage', async () => {
    const stop = await lab.startAgent('three');
    const go = join(lab.folder, 'go');
    const waiting = shell(`until [ -e ${go} ]; do sleep 0.05; done`);
    await lab.pipeline('busy', [stage('build', [job('compile', [shell('true')])]), stage('deploy', [job('copy', [waiting])])]);
    const hasPassed = (counter: number) =>
      until(`the build of ${counter}`, async () => {
        const { json } = await lab.server.get(`/api/pipelines/busy/${counter}/instance`);
        return json.stages?.[0].result === 'Passed';
      });
    await lab.expect(0, 'run', 'busy');
    await hasPassed(1);
    const second = lab.run('run', 'busy', '--follow');
    await hasPassed(2);
    await lab.expect(0, 'run', 'busy');
    await hasPassed(3);
    writeFileSync(go, '');
    const { status, err } = await second;
    assert.equal(status, 5, err);
    assert.ok(err.endsWith('goes no further: the newer run busy/3 took its place in deploy.\n'), err);
    await stop();
  });
});
