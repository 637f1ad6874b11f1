// An agent and its server: registration, states, a server that is away, and work directories that belong to one agent.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { spawnAgent, startAgent, temporaryFolder } from '../support/builds/agent-process.ts';
import { AgentServer, exec, script, workOf } from '../support/builds/agent-server.ts';
import { slipway } from '../support/server/command-line.ts';
import { makeCertificates } from '../support/services/certificates.ts';
import { until } from '../support/until.ts';

async function startServer(context: TestContext, options?: ConstructorParameters<typeof AgentServer>[0]): Promise<AgentServer> {
  const server = await new AgentServer(options).start();
  context.after(() => server.stop());
  return server;
}

const identityIn = (workDir: string) => JSON.parse(readFileSync(join(workDir, 'agent.json'), 'utf8')) as { uuid: string; token?: string };

describe('registration', () => {
  test('sends the identity of the agent, which keeps the token for itself', async (context) => {
    const server = await startServer(context, { contextPath: '/cd' });
    const more = { key: 'sesame', name: 'builder', resources: ['linux'], environments: ['uat'], elasticAgentId: 'e', elasticPluginId: 'p' };
    const { workDir, stop } = startAgent(context, server, more);
    await until('a poll', () => server.polls.length > 0);
    const [registration] = server.registrations;
    const { uuid, token } = identityIn(workDir);
    assert.ok(token !== undefined && server.tokens.has(token));
    assert.equal(statSync(join(workDir, 'agent.json')).mode & 0o777, 0o600);
    const { free_space, instance, operating_system, version, ...said } = registration!;
    assert.ok(free_space! > 0 && instance && operating_system && version);
    const reported = {
      protocol: 1,
      uuid,
      hostname: 'builder',
      sandbox: workDir,
      key: 'sesame',
      resources: ['linux'],
      environments: ['uat'],
    };
    assert.deepEqual(said, { ...reported, elastic_agent_id: 'e', elastic_plugin_id: 'p' });
    assert.equal(await stop(), 0);
    startAgent(context, server, { workDir });
    await until('the second registration', () => server.registrations.length === 2);
    assert.equal(server.registrations[1]!.uuid, uuid);
    assert.notEqual(server.registrations[1]!.instance, instance);
    assert.equal(server.tokens.size, 1);
  });

  test('a pending agent waits, and works when it is enabled', async (context) => {
    const server = await startServer(context);
    server.state = 'Pending';
    const { output } = startAgent(context, server);
    await until('a poll', () => server.polls.some(({ state }) => state === 'Pending'));
    assert.match(output[0]!, /waits for an administrator/);
    const other = startAgent(context, server, { key: 'wrong' });
    await until('its words', () => other.output.length > 1);
    assert.match(other.output[0]!, /^The key is not the auto-register key of this server/);
    await other.stop();
    server.setState('Enabled');
    const work = workOf([exec('echo', ['hi'])]);
    server.order({ order: 'work', work });
    assert.equal(await server.completed(work.job), 'Passed');
  });

  test('a token that is refused is replaced', async (context) => {
    const server = await startServer(context);
    const { workDir } = startAgent(context, server);
    await until('a poll', () => server.polls.length > 0);
    const { uuid, token } = identityIn(workDir);
    server.tokens.clear();
    server.setState('Disabled'); // ends the poll
    await until('another token', () => identityIn(workDir).token !== token);
    assert.equal(identityIn(workDir).uuid, uuid);
  });

  test('a refusal ends the agent, and it says why', async (context) => {
    const server = await startServer(context);
    server.override = () => ({ status: 422, body: { message: 'This agent is too old: upgrade it.' } });
    const agent = startAgent(context, server);
    assert.equal(await agent.ended, 1);
    assert.deepEqual(agent.output, ['This agent is too old: upgrade it.']);
  });

  test('a redirect is not followed: the agent ends, and names the address', async (context) => {
    const server = await startServer(context, { contextPath: '/cd' });
    server.override = (path) => ({ status: 308, body: {}, headers: { Location: `https://cd.example.org:8154/cd${path}` } });
    const agent = startAgent(context, server);
    assert.equal(await agent.ended, 1);
    assert.match(agent.output.join('\n'), /redirects to another address\. .* --server https:\/\/cd\.example\.org:8154\/cd$/);
  });

  test('an agent whose first token was lost becomes another one, once', async (context) => {
    const server = await startServer(context);
    const uuids: string[] = [];
    server.override = (_, body) => {
      uuids.push(JSON.parse(body.toString()).uuid);
      return { status: 409, body: { message: 'A token has already been issued for this agent.' } };
    };
    const agent = startAgent(context, server);
    assert.equal(await agent.ended, 1);
    assert.equal(new Set(uuids).size, 2);
    assert.deepEqual(agent.output, ['A token has already been issued for this agent.']);
  });

  test('an agent ends when another process has taken its place', async (context) => {
    const server = await startServer(context);
    server.override = (path) =>
      path.endsWith('/poll') ? { status: 409, body: { message: 'Another process works as this agent.' } } : undefined;
    const agent = startAgent(context, server);
    assert.equal(await agent.ended, 1);
    assert.equal(agent.output.at(-1), 'Another process works as this agent.');
  });
});

describe('a server that is away', () => {
  test('is waited for at the start', async (context) => {
    const server = await startServer(context);
    await server.stop();
    const agent = startAgent(context, server);
    await until('a word about it', () => agent.output.some((line) => line.includes('cannot be reached')));
    await server.start();
    await until('a poll', () => server.polls.length > 0);
  });

  test('gets the console and all reports when it is back; nothing is lost, nothing is built twice', async (context) => {
    const server = await startServer(context);
    const agent = startAgent(context, server);
    const folder = join(agent.workDir, 'pipelines', 'shop');
    const text = 'echo start; echo x >> runs; while [ ! -e go ]; do sleep 0.05; done; seq 1 200000; echo done > finished';
    const work = workOf([script(text), exec('echo', ['last'])]);
    server.order({ order: 'work', work });
    await server.line(work.job, /start/);
    await server.stop();
    writeFileSync(join(folder, 'go'), '');
    await until('the end of the task', () => statSync(join(folder, 'finished'), { throwIfNoEntry: false }));
    await server.start();
    assert.equal(await server.completed(work.job), 'Passed');
    const out = server.linesOf(work.job).filter((line) => line.startsWith('&1|'));
    assert.deepEqual(
      out,
      ['start', ...Array.from({ length: 200_000 }, (_, index) => String(index + 1)), 'last'].map((line) => `&1|${line}`),
    );
    assert.deepEqual(server.statesOf(work.job), ['Preparing', 'Building', 'Completing Passed', 'Completed Passed']);
    assert.equal(readFileSync(join(folder, 'runs'), 'utf8'), 'x\n');
  });

  test('a server that has lost a part of the console gets it again', async (context) => {
    const server = await startServer(context);
    let isAsked = false;
    server.override = (path, body) => {
      if (!path.endsWith('/console') || isAsked || !/^&1\|\S+ second$/m.test(body.toString())) return undefined;
      isAsked = true;
      return { status: 409, body: { length: 0 } };
    };
    startAgent(context, server);
    const work = workOf([script('echo first; sleep 0.5; echo second')]);
    server.order({ order: 'work', work });
    assert.equal(await server.completed(work.job), 'Passed');
    assert.ok(isAsked);
    assert.deepEqual(
      server.linesOf(work.job).filter((line) => line.startsWith('&1|')),
      ['&1|first', '&1|second'],
    );
  });
});

test('an agent connects to a server with a private authority only if it is told to trust it', async (context) => {
  const certificates = await makeCertificates();
  context.after(() => certificates.remove());
  const server = await startServer(context, { contextPath: '/cd', tls: certificates });
  const distrustful = startAgent(context, server);
  await until('the advice', () => distrustful.output.some((line) => /not trusted \(.+\)\. Set NODE_EXTRA_CA_CERTS to the file/.test(line)));
  await distrustful.stop();
  const environment = { NODE_EXTRA_CA_CERTS: certificates.caFile };
  spawnAgent(context, server, join(temporaryFolder(context), 'agent'), { key: 'one-time', environment });
  const work = workOf([exec('echo', ['hi'])]);
  server.order({ order: 'work', work });
  assert.equal(await server.completed(work.job), 'Passed');
  assert.equal(server.registrations[0]!.key, 'one-time');
});

test('the agent trusts the one certificate it was given, with any names in it', async (context) => {
  const [certificates, others] = [await makeCertificates('DNS:cd.example.org'), await makeCertificates()];
  context.after(() => Promise.all([certificates.remove(), others.remove()]));
  const server = await startServer(context, { tls: certificates });
  startAgent(context, server, { certificate: certificates.cert });
  await until('the registration', () => server.registrations.length === 1);
  const misled = startAgent(context, server, { certificate: others.cert });
  await until('the failure', () => misled.output.some((line) => /cannot be reached: .*certificate/.test(line)));
  assert.equal(server.registrations.length, 1);
});

describe('a work directory', () => {
  test('belongs to one agent; after kill -9 the next one takes it', async (context) => {
    const server = await startServer(context);
    const workDir = join(temporaryFolder(context), 'agent');
    const first = spawnAgent(context, server, workDir);
    await until('a poll', () => server.polls.length > 0);
    const second = await slipway(['agent', '--server', server.url, '--work-dir', workDir]);
    assert.equal(second.status, 1);
    assert.match(second.err, new RegExp(`^Another agent works in .* \\(process ${first.child.pid}\\).*\\n$`));
    assert.equal(second.out, '');
    first.child.kill('SIGKILL');
    await first.ended;
    startAgent(context, server, { workDir });
    await until('the next registration', () => server.registrations.length === 2);
  });

  test('a work directory whose lock is damaged, or of a process with the same number, can be used', async (context) => {
    const server = await startServer(context);
    for (const text of ['', '{"pid":', JSON.stringify({ pid: process.pid, started: 1, boot: 'another' })]) {
      const workDir = temporaryFolder(context);
      writeFileSync(join(workDir, 'agent.lock'), text);
      const count = server.registrations.length;
      startAgent(context, server, { workDir });
      await until('the registration', () => server.registrations.length > count);
    }
  });

  test('a work directory whose identity is damaged is reported', async (context) => {
    const workDir = temporaryFolder(context);
    writeFileSync(join(workDir, 'agent.json'), '{"uu');
    const agent = startAgent(context, { url: 'http://127.0.0.1:1' }, { workDir });
    assert.equal(await agent.ended, 1);
    assert.match(agent.output[0]!, /agent\.json is damaged\. Delete it/);
  });

  test('a work directory that cannot be made is reported', async (context) => {
    const folder = temporaryFolder(context);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'file'), '');
    const agent = startAgent(context, { url: 'http://127.0.0.1:1' }, { workDir: join(folder, 'file', 'agent') });
    assert.equal(await agent.ended, 1);
    assert.match(agent.output[0]!, /cannot work with its files/);
  });
});

describe('the command', () => {
  for (const [args, message] of [
    [[], /Name the server with --server \(SLIPWAY_SERVER\)/],
    [['--server', 'ftp://x'], /must be an address such as/],
    [['--server', 'http://a:b@x'], /must not contain a name or password/],
    [['--server', 'http://x', '--elastic-agent-id', '1'], /or neither/],
  ] as const)
    test(`refuses ${args.join(' ')}`, async () => {
      const { status, err } = await slipway(['agent', ...args]);
      assert.equal(status, 2);
      assert.match(err, message);
    });
});
