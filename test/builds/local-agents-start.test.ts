// How local agents are started: where the server has TLS only, where another user does not get to its programs, and when they fail.
import assert from 'node:assert/strict';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { test } from 'node:test';
import { HealthMessages } from '../../src/health/messages.ts';
import { startAgent } from '../../src/server/builds/local-agents/agent-process.ts';
import { WatchedAgent } from '../../src/server/builds/local-agents/watched-agent.ts';
import { isAlive } from '../support/server/alive.ts';
import { SERVER } from '../support/server/programs.ts';
import { startAsItIs } from '../support/server/server-process.ts';
import { makeCertificates } from '../support/services/certificates.ts';
import { until } from '../support/until.ts';
import { AS_ROOT, LocalAgentLab, ON_LINUX } from './local-agents-lab.ts';

const READY = /is enabled, and waits for work/;

test('a server with TLS only, for another name, has a local agent', ON_LINUX, async (context) => {
  const [certificates, lab] = [await makeCertificates('DNS:cd.example.org'), new LocalAgentLab()];
  context.after(() => Promise.all([certificates.remove(), lab.close()]));
  const [cert, key] = ['cert', 'key'].map((name) => join(lab.folder, `${name}.pem`)) as [string, string];
  writeFileSync(cert, certificates.cert);
  writeFileSync(key, certificates.key, { mode: 0o600 });
  const tls = ['--tls-cert', cert, '--tls-key', key, '--tls-port', '0', '--tls-plain', 'closed'];
  await lab.start('--log-level', 'debug', ...tls);
  await until('the registration', () => READY.test(lab.server.output()));
  assert.equal(await lab.server.end('SIGTERM'), 0);
});

test('the agent gets a copy of a program that its user cannot reach', { ...AS_ROOT }, async (context) => {
  const lab = new LocalAgentLab();
  context.after(() => lab.close());
  const installation = join(lab.folder, 'closed');
  mkdirSync(installation, { mode: 0o700 });
  const root = join(import.meta.dirname, '..', '..');
  const copy = join(installation, basename(dirname(SERVER)));
  cpSync(dirname(SERVER), copy, { recursive: true });
  cpSync(join(root, 'package.json'), join(installation, 'package.json'));
  symlinkSync(join(root, 'node_modules'), join(installation, 'node_modules'));
  const flags = ['--local-agents', '2', '--log-level', 'debug'];
  const server = await startAsItIs(lab.dataDir, flags, 'secret', join(copy, basename(SERVER)), [], { TEST_BUILD: '' });
  lab.server = server;
  await until('the registrations', () => server.output().match(new RegExp(READY, 'g'))?.length === 2);
  const pid = lab.pid()!;
  const args = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  assert.ok(args[1]?.startsWith(join(lab.dataDir, 'agents', 'runtime', 'program')), args.join(' '));
  assert.equal(statSync(`/proc/${pid}`).uid, 65534);
  assert.equal(await server.end('SIGTERM'), 0);
  assert.equal(isAlive(pid), false);
});

test('a process that an agent leaves behind does not hold its output open', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-left-'));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  const program = join(folder, 'program.mjs');
  const left = `spawn('sleep', ['600'], { detached: true, stdio: ['ignore', 'inherit', 'inherit'] })`;
  writeFileSync(
    program,
    `import { spawn } from 'node:child_process'; const left = ${left}; left.unref(); console.log(left.pid); process.stdin.resume();`,
  );
  const server = { url: 'http://127.0.0.1:1', certificate: undefined };
  const pipes = () => process.getActiveResourcesInfo().filter((name) => name === 'PipeWrap').length;
  const before = pipes();
  const lines: string[] = [];
  const runtime = { node: process.execPath, program };
  const { ended } = startAgent({ runtime, server, workDir: folder, account: undefined, key: '', onLine: (line) => lines.push(line) });
  assert.match(await ended, /^It ended with status 0\./);
  const pid = Number(lines[0]);
  context.after(() => process.kill(pid, 'SIGKILL'));
  assert.ok(isAlive(pid));
  await until('the end of its pipes', () => pipes() <= before);
});

test('a local agent that does not stay up is started again, and after three times administrators get its output', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-watched-'));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  const program = join(folder, 'program.mjs');
  writeFileSync(
    program,
    'process.stdin.once("data", (key) => { console.log("no use for " + String(key).trim()); process.exitCode = 3; });',
  );
  chmodSync(program, 0o644);
  mkdirSync(join(folder, 'agents'));
  const [health, warnings] = [new HealthMessages(), [] as object[]];
  const agent = new WatchedAgent({
    number: 1,
    dataDir: folder,
    runtime: { node: process.execPath, program },
    account: undefined,
    server: { url: 'http://127.0.0.1:1', certificate: undefined },
    newKey: () => 'this-key',
    markersOf: () => [],
    health,
    log: { info: () => {}, warn: (facts) => warnings.push(facts), error: () => {} },
    pauseAfter: () => 1,
  });
  context.after(() => agent.stop());
  agent.run();
  const { message, detail } = await until('the message', () => health.find('local agent 1'));
  assert.equal(message, 'The local agent 1 does not stay up');
  assert.match(detail, /It has ended 3 times in a row\..* It ended with status 3\.\nno use for this-key$/);
  assert.ok(warnings.length >= 3);
  await agent.stop();
  assert.deepEqual([health.all(), existsSync(join(folder, 'agents', 'local-1.json'))], [[], false]);
});
