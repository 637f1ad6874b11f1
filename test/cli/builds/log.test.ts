// The command `log`: it prints consoles, and follows them across restarts of the server.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { accepted } from '../../support/requests/callers.ts';
import { until } from '../../support/until.ts';
import { BuildLab, job, shell, stage } from './lab.ts';

let lab: BuildLab;
before(async () => {
  lab = await BuildLab.start();
  await lab.startAgent('one');
  await lab.pipeline('up42', [stage('build', [job('compile', [shell('for i in 1 2 3; do echo "line $i"; done')])])]);
  await lab.expect(0, 'run', 'up42', '--follow');
});
after(() => lab.stop());

const lines = (text: string) => text.split('\n').slice(0, -1);

describe('log', () => {
  test('prints the text of all lines, or from one on', async () => {
    const all = lines((await lab.expect(0, 'log', 'up42/1/build/1/compile')).out);
    const at = all.indexOf('line 1');
    assert.deepEqual(all.slice(at, at + 3), ['line 1', 'line 2', 'line 3']);
    assert.match(all[0]!, /^\[Slipway\] Job Started/);
    assert.deepEqual(lines((await lab.expect(0, 'log', 'UP42/1/build/1/compile', '--from', String(at))).out), all.slice(at));
    assert.equal((await lab.expect(0, 'log', 'up42/1/build/1/compile', '--from', '100000')).out, '');
  });

  test('prints raw lines as they are in the file', async () => {
    const file = accepted(await lab.server.get('/files/up42/1/build/1/compile/cruise-output/console.log')).text;
    assert.equal((await lab.expect(0, 'log', 'up42/1/build/1/compile', '--raw')).out, file);
    assert.match(file, /^&1\|\d\d:\d\d:\d\d\.\d{3} line 1$/m);
  });

  test('takes `latest` for a run and for a stage run', async () => {
    const { out } = await lab.expect(0, 'log', 'up42/1/build/1/compile');
    for (const address of ['up42/latest/build/latest/compile', 'up42/1/build/latest/compile', 'up42/latest/build/1/compile'])
      assert.equal((await lab.expect(0, 'log', address)).out, out);
  });

  test('ends with 1 for an unknown job, and with 2 for wrong arguments', async () => {
    await lab.pipeline('never', [stage('build', [job('compile', [shell('true')])])]);
    for (const [args, status, message] of [
      [['up42/9/build/1/compile'], 1, /No job instance was found for 'up42\/9\/build\/1\/compile'\. \(404\)/],
      [['up42/9/build/1/compile', '--follow'], 1, /No job instance was found/],
      [['up42/latest/test/latest/compile'], 1, /The run up42\/1 has no stage test\. It has: build\./],
      [['never/latest/build/latest/compile'], 1, /The pipeline never has not been run yet\./],
      [['none/latest/build/latest/compile'], 1, /\(404\)/],
      [['up42'], 2, /JOB must be PIPELINE\/COUNTER/],
      [['up42/x/build/1/compile'], 2, /A counter must be a number above 0 or latest, not 'x'/],
      [['up42/1/build/1/compile', '--from', '-1'], 2, /--from needs a value|--from must be/],
      [['up42/1/build/1/compile', '--from', 'x'], 2, /--from must be a number/],
    ] as const)
      assert.match((await lab.expect(status, 'log', ...args)).err, message);
  });
});

describe('log --follow', () => {
  test('prints all lines of a completed job, and ends as the job did', async () => {
    const { out } = await lab.expect(0, 'log', 'up42/1/build/1/compile');
    assert.equal((await lab.expect(0, 'log', 'up42/1/build/1/compile', '--follow')).out, out);
    await lab.pipeline('bad', [stage('build', [job('compile', [shell('exit 1')])])]);
    await lab.expect(3, 'run', 'bad', '--follow');
    assert.equal((await lab.expect(3, 'log', 'bad/1/build/1/compile', '--follow')).err, 'bad/1/build/1/compile: Failed.\n');
  });

  test('a job that was cancelled before an agent took it has no console', async () => {
    await lab.pipeline('needy', [stage('build', [job('compile', [shell('true')], { resources: ['gpu'] })])]);
    await lab.expect(0, 'run', 'needy');
    const following = lab.run('log', 'needy/1/build/1/compile', '--follow');
    accepted(await lab.server.post('/api/stages/needy/1/build/1/cancel', {}));
    const { status, err } = await following;
    assert.equal(status, 4, err);
    assert.ok(err.endsWith('needy/1/build/1/compile: Cancelled.\n'));
  });

  test('prints why the job waits, until an agent has it', async () => {
    await lab.pipeline('later', [stage('build', [job('compile', [shell('echo ">one"')], { resources: ['fpga'] })])]);
    await lab.expect(0, 'run', 'later');
    const args = ['log', 'later/1/build/1/compile', '--follow'];
    const { status, out, err, stop } = await lab.runUntilAgent('two', ['fpga'], args, { isTTY: true });
    assert.equal(status, 0, err);
    assert.ok(out.includes('\n>one\n'));
    assert.match(err, /later\/1\/build\/1\/compile waits for an agent\./);
    assert.ok(!err.includes('\n') && err.endsWith('\r\u001b[2K'), JSON.stringify(err));
    await stop();
  });

  test('prints each line once and in order, though the server is restarted twice', async () => {
    const go = join(lab.folder, 'go');
    const script = `for i in $(seq 1 200); do echo "line $i"; sleep 0.01; done; until [ -e ${go} ]; do sleep 0.05; done; echo last`;
    await lab.pipeline('long', [stage('build', [job('compile', [shell(script)])])]);
    await lab.expect(0, 'run', 'long');
    const following = lab.run('log', 'long/1/build/1/compile', '--follow');
    const hasLine = (text: string) => until(text, async () => (await lab.run('log', 'long/1/build/1/compile')).out.includes(text));
    await hasLine('line 20');
    await lab.server.restart();
    await hasLine('line 200');
    await lab.server.restart();
    writeFileSync(go, '');
    const { status, out, err } = await following;
    assert.equal(status, 0, err);
    const wanted = [...Array.from({ length: 200 }, (_, index) => `line ${index + 1}`), 'last'];
    assert.deepEqual(
      lines(out).filter((line) => /^(?:line|last)/.test(line)),
      wanted,
    );
    assert.equal(out, (await lab.expect(0, 'log', 'long/1/build/1/compile')).out);
    assert.match(err, /Trying again\./);
  });
});
