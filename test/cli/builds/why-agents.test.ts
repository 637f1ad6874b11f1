// The commands `why` and `agents`.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { accepted } from '../../support/requests/callers.ts';
import { until } from '../../support/until.ts';
import { BuildLab, job, shell, stage } from './lab.ts';

let lab: BuildLab;
before(async () => {
  lab = await BuildLab.start();
  await lab.startAgent('one', { resources: ['linux', 'jdk'] });
});
after(() => lab.stop());

describe('why', () => {
  test('prints for a pipeline every reason with its rule, the last run, and the revisions', async () => {
    await lab.pipeline('up42', [stage('build', [job('compile', [shell('true')])])]);
    const never = await lab.expect(0, 'why', 'up42');
    assert.match(never.out, /^up42 does not run by itself now:\n- .* \[manual_first_stage\]\n/);
    assert.match(never.out, /\nIt has not been run yet\.\nGit: .*origin.*\n {2}last run from nothing, newest not known yet\n$/);
    await lab.expect(0, 'run', 'up42', '--follow');
    accepted(await lab.server.post('/api/pipelines/up42/pause', { pause_cause: 'spring cleaning' }));
    const { out } = await lab.expect(0, 'why', 'up42');
    assert.match(out, /\n- .*spring cleaning.* \[paused\]\n/);
    assert.match(out, /\nLast run: up42\/1 \(1\), scheduled \d{4}-/);
    const tip = await lab.origin.tip();
    assert.ok(out.includes(`last run from ${tip}, newest ${tip}`), out);
  });

  test('prints for a waiting job the reasons, and those of each agent', async () => {
    await lab.pipeline('needy', [stage('build', [job('compile', [shell('true')], { resources: ['gpu'] })])]);
    await lab.expect(0, 'run', 'needy');
    const { out } = await lab.expect(0, 'why', 'needy/latest/build/latest/compile');
    assert.match(out, /^needy\/1\/build\/1\/compile is scheduled\. It does not run because:\n- .* \[no_agent\]\n- .*gpu.* \[resources\]\n/);
    assert.match(out, /\nAgents\n {2}one: .*gpu/);
    const { out: json } = await lab.expect(0, 'why', 'needy/1/build/1/compile', '--json');
    assert.equal(JSON.parse(json).will_run, false);
  });

  test('ends with 1 for an unknown pipeline, and with 2 for a wrong argument', async () => {
    assert.match((await lab.expect(1, 'why', 'none')).err, /\(404\)/);
    assert.match((await lab.expect(2, 'why', 'needy/1')).err, /JOB must be/);
  });
});

describe('agents', () => {
  const row = async (name: string) => (await lab.expect(0, 'agents')).out.split('\n').find((line) => line.startsWith(`${name} `));

  test('prints a table, or the JSON of the server', async () => {
    const { out } = await lab.expect(0, 'agents');
    assert.match(out, /^NAME +STATE +CONFIG +RESOURCES +ENVIRONMENTS +FREE +BUILDS +UUID\n/);
    assert.match((await row('one'))!, /^one +Idle +Enabled +jdk,linux|^one +Idle +Enabled +linux,jdk/);
    assert.match((await row('one'))!, / - +\d+\.\d [MGT]B +- +[0-9a-f-]{36}$/);
    const json = JSON.parse((await lab.expect(0, 'agents', '--json')).out);
    assert.equal(json._embedded.agents[0].hostname, 'one');
  });

  test('shows the job that an agent builds', async () => {
    await lab.pipeline('slow', [stage('build', [job('compile', [shell('exec sleep 600')])])]);
    await lab.expect(0, 'run', 'slow');
    await until('the job', async () => /^one +Building +Enabled .* slow\/build\/compile /.test((await row('one'))!));
    accepted(await lab.server.post('/api/stages/slow/1/build/1/cancel', {}));
    await until('its end', async () => / Idle /.test((await row('one'))!));
  });

  test('enables, disables and deletes agents by name or uuid', async () => {
    await lab.startAgent('stranger', { isStranger: true });
    assert.match((await row('stranger'))!, / Pending /);
    const uuid = (await row('stranger'))!.split(' ').at(-1)!;
    assert.match((await lab.expect(0, 'agents', 'enable', 'STRANGER')).out, new RegExp(`^Updated .*${uuid}`));
    assert.match((await row('stranger'))!, / Enabled /);
    assert.match(
      (await lab.expect(1, 'agents', 'delete', uuid)).err,
      /not be disabled or are still building.*\(422\)|not in a disabled state/,
    );
    await lab.expect(0, 'agents', 'disable', uuid, 'stranger');
    assert.match((await row('stranger'))!, / Disabled /);
    assert.equal((await lab.expect(0, 'agents', 'delete', uuid)).out, 'Deleted 1 agent(s).\n');
    assert.match((await lab.expect(1, 'agents', 'disable', 'nobody')).err, /There is no agent nobody\./);
    assert.match((await lab.expect(2, 'agents', 'enable')).err, /AGENT is missing/);
    assert.match((await lab.expect(2, 'agents', 'enabel')).err, /Unexpected: enabel/);
  });
});
