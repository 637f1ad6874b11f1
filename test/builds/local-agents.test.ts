// The agents that come with the server: they build, outlive a server that is killed, and end with one that is stopped.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { GitOrigin } from '../materials/support/git-origin.ts';
import { isAlive, untilDead } from '../support/server/alive.ts';
import { until } from '../support/until.ts';
import { AS_ROOT, isRoot, LocalAgentLab, ON_LINUX } from './local-agents-lab.ts';

describe('a server with a local agent', ON_LINUX, () => {
  const lab = new LocalAgentLab();
  let origin: GitOrigin;
  let console = '';
  before(async () => {
    origin = await GitOrigin.make(join(lab.folder, 'origin'));
    await origin.commit('one', { 'greeting.txt': 'hello from git\n' });
    // The agent is another user, and servers that ran in this process before have made its files private.
    execFileSync('chmod', ['-R', 'go+rX', lab.folder]);
    await lab.start();
  });
  after(() => lab.close());

  const modeOf = (path: string) => statSync(path).mode & 0o7777;
  const pidsIn = (text: string) => [...text.matchAll(/ pid (\d+)$/gm)].map(([, pid]) => Number(pid));

  test('the local agent builds, and is shown as any other', async () => {
    const script = [
      'cat greeting.txt',
      'id',
      'umask',
      'echo "home $HOME"',
      'env | sed "s/^/variable /"',
      `cat ${join(lab.dataDir, 'cipher.key')} ${lab.dataDir}/agents/local-1.json 2>&1 && echo "not closed"`,
      `ls ${lab.dataDir} && echo "not closed"`,
      'echo all said',
    ].join('\n');
    await lab.createPipeline('shop', origin.path, script);
    console = await lab.console('shop', /^&1.* all said$/m);
    assert.match(console, / hello from git$/m);
    const [agent, ...others] = await lab.agents();
    assert.deepEqual([others.length, agent?.sandbox, agent?.agent_config_state], [0, lab.workDir, 'Enabled']);
  });

  test('jobs inherit nothing of the settings of the server', () => {
    assert.doesNotMatch(console, /SLIPWAY_(?!JOB)/);
    assert.doesNotMatch(console, / variable .*secret/);
    assert.match(console, / 0022$/m);
  });

  test('jobs run as another user if the server is root, without its groups, and cannot read its files', AS_ROOT, async () => {
    assert.match(console, / uid=65534\(nobody\) gid=65534\(nogroup\) groups=65534\(nogroup\)$/m);
    assert.doesNotMatch(console, /^&1.* not closed$/m);
    assert.match(console, /cipher\.key: Permission denied/);
    assert.match(console, new RegExp(` home ${lab.workDir}$`, 'm'));
    assert.equal(modeOf(lab.dataDir), 0o711);
    assert.equal(statSync(lab.workDir).uid, 65534);
    assert.equal(await lab.message(), undefined);
  });

  test('administrators are warned that jobs can read files of a server without root', { skip: isRoot && 'it is root' }, async () => {
    assert.match((await lab.message())?.detail ?? '', /Only root can start them as another user\./);
  });

  test('an agent that was killed is started again, as the same one', async () => {
    const [{ uuid }, pid] = [(await lab.agents())[0]!, lab.pid()!];
    process.kill(pid, 'SIGKILL');
    const next = await until('another process', () => lab.pid() !== pid && lab.pid());
    await until('its registration', async () => (await lab.agents())[0]?.agent_state === 'Idle' && isAlive(next));
    assert.deepEqual(
      (await lab.agents()).map((agent) => agent.uuid),
      [uuid],
    );
  });

  test('the local agent outlives a killed server, with its job, and the next server keeps it', async () => {
    const flag = join(lab.folder, 'go-on');
    await lab.createPipeline('long', origin.path, `echo begun; while ! [ -e ${flag} ]; do sleep 0.1; done; echo went on`);
    await lab.console('long', /^&1.* begun$/m);
    const pid = lab.pid()!;
    await lab.server.end('SIGKILL');
    await lab.start();
    assert.ok(isAlive(pid), 'the agent goes on');
    writeFileSync(flag, '');
    const text = await lab.console('long', /^&1.* went on$/m);
    assert.equal(text.match(/ begun$/gm)?.length, 1, 'the job was not begun anew');
    await lab.idle();
    assert.deepEqual([lab.pid(), (await lab.agents()).length], [pid, 1]);
    assert.match(lab.server.output(), /a local agent of an earlier start goes on/);
  });

  test('a server with another address does not keep the local agent', async () => {
    const pid = lab.pid()!;
    await lab.server.end('SIGKILL');
    await lab.start('--context-path', '/cd');
    await untilDead(pid);
    await lab.idle();
    assert.notEqual(lab.pid(), pid);
  });

  test('SIGTERM to the server ends the local agent, and everything that its jobs run', async () => {
    const script = 'echo pid $$; setsid sleep 1000 & echo pid $!; setsid sh -c \'trap "" TERM; echo pid $$; sleep 1000\' & sleep 1000';
    await lab.createPipeline('scattered', origin.path, script);
    const text = await lab.console('scattered', /(?:^&1.* pid \d+\n){3}/m);
    const pids = [lab.pid()!, ...pidsIn(text)];
    assert.deepEqual([pids.length, pids.filter(isAlive).length], [4, 4]);
    assert.equal(await lab.server.end('SIGTERM'), 0);
    assert.deepEqual(pids.filter(isAlive), []);
  });

  test('a server without local agents starts none, and ends one of a killed server', async () => {
    await lab.start();
    await lab.building();
    const pid = lab.pid()!;
    await lab.server.end('SIGKILL');
    await lab.start('--local-agents', '0');
    await untilDead(pid);
    await until('its record to be gone', () => lab.pid() === undefined);
    await until('the data directory to be closed', () => modeOf(lab.dataDir) === 0o700);
    assert.ok(readFileSync(join(lab.dataDir, 'cipher.key')).length > 0);
    await lab.server.end('SIGTERM');
  });

  test('the local agent runs as the user of the server if its own does not exist, and administrators are warned', AS_ROOT, async () => {
    await lab.start('--local-agent-user', 'no-such-user');
    const { detail, level } = await until('the message', () => lab.message());
    assert.equal(level, 'WARNING');
    assert.match(detail, /run as the user of the server \(root\).*There is no user no-such-user.*SLIPWAY_LOCAL_AGENTS=0/);
    await lab.idle();
    const pid = lab.pid()!;
    assert.deepEqual([modeOf(lab.dataDir), statSync(lab.workDir).uid], [0o700, 0]);
    assert.equal(await lab.server.end('SIGTERM'), 0);
    assert.equal(isAlive(pid), false);
  });
});
