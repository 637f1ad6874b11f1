// A server, an agent that really runs programs, a repository, and a command line that is logged in.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runAgent } from '../../../src/agent/main.ts';
import { GitOrigin } from '../../materials/support/git-origin.ts';
import { accepted } from '../../support/requests/callers.ts';
import { type Ending, slipway, type Terminal } from '../../support/server/command-line.ts';
import { ADMIN_PASSWORD, TestServer } from '../../support/server/server.ts';
import { until } from '../../support/until.ts';

type Tasks = readonly object[];

export const shell = (script: string, more: object = {}) => ({
  type: 'exec',
  attributes: { command: 'sh', arguments: ['-c', script], ...more },
});
export const job = (name: string, tasks: Tasks, more: object = {}) => ({ name, tasks, ...more });
export const stage = (name: string, jobs: readonly object[], more: object = {}) => ({ name, jobs, ...more });
export const BY_HAND = { approval: { type: 'manual' } };

export class BuildLab {
  readonly server: TestServer;
  readonly folder: string;
  readonly origin: GitOrigin;
  readonly #agents: (() => Promise<unknown>)[] = [];

  private constructor(server: TestServer, folder: string, origin: GitOrigin) {
    this.server = server;
    this.folder = folder;
    this.origin = origin;
  }

  /** Starts a server on a port that it keeps when it is started again. */
  static async start(): Promise<BuildLab> {
    const folder = mkdtempSync(join(tmpdir(), 'slipway-cli-builds-'));
    const origin = await GitOrigin.make(join(folder, 'origin'));
    await origin.commit('first', { 'hello.txt': 'hello from the repository\n' });
    return new BuildLab(await TestServer.start({ port: String(await freePort()) }), folder, origin);
  }

  async stop(): Promise<void> {
    await Promise.all(this.#agents.map((stop) => stop()));
    await this.server.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Starts an enabled agent, which is ended with the lab, or before. */
  async startAgent(name: string, more: { readonly isStranger?: boolean; readonly resources?: readonly string[] } = {}) {
    const { auto_register_key: key } = accepted(await this.server.get('/api/admin/agent_registration')).json;
    // A test may end the agent before it is ready to be stopped.
    const { promise: ready, resolve: isReady } = Promise.withResolvers<() => void>();
    const ended = runAgent({
      server: this.server.url,
      workDir: join(this.folder, name),
      ...(!more.isStranger && { key }),
      name,
      resources: more.resources ?? [],
      environments: [],
      environment: process.env,
      print: () => {},
      printFailure: () => {},
      onStop: isReady,
      graceMs: 500,
    });
    const end = async () => {
      // One that could not start is never ready.
      (await Promise.race([ready, ended.then(() => () => {})]))();
      return ended;
    };
    this.#agents.push(end);
    await until(`the agent ${name}`, async () =>
      accepted(await this.server.get('/api/agents')).json._embedded.agents.find((agent: { hostname: string }) => agent.hostname === name),
    );
    return end;
  }

  /** A pipeline of the repository, which only runs when it is told to. */
  async pipeline(name: string, stages: readonly object[], more: object = {}): Promise<void> {
    const [first, ...rest] = stages;
    const material = { type: 'git', attributes: { url: this.origin.path, branch: 'main', auto_update: false, name: 'source' } };
    const body = { name, materials: [material], stages: [{ ...BY_HAND, ...first }, ...rest], ...more };
    accepted(await this.server.post('/api/admin/pipelines', { group: 'lab', pipeline: body }));
  }

  run(...args: readonly string[]): Promise<Ending> {
    return this.runIn(this.folder, ...args);
  }

  runIn(directory: string, ...args: readonly string[]): Promise<Ending> {
    return slipway(args, { environment: this.login(), directory });
  }

  /** Runs a command at a terminal. */
  runAtTerminal(args: readonly string[], onErr?: (text: string) => void): Promise<Ending> {
    return slipway(args, { environment: this.login(), isTTY: true, onErr });
  }

  /** Runs it, and starts an agent as soon as it has printed that it waits for one. */
  async runUntilAgent(agent: string, resources: readonly string[], args: readonly string[], terminal: Pick<Terminal, 'isTTY'> = {}) {
    let output = '';
    const ending = slipway(args, { environment: this.login(), ...terminal, onErr: (text) => (output += text) });
    await until('the words that it waits for an agent', () => output.includes('waits for an agent'));
    const stop = await this.startAgent(agent, { resources });
    return { ...(await ending), stop };
  }

  login(user = 'admin', password = ADMIN_PASSWORD) {
    return { ...process.env, SLIPWAY_URL: this.server.url, SLIPWAY_USER: user, SLIPWAY_PASSWORD: password };
  }

  /** Runs it, and expects this exit code. */
  async expect(status: number, ...args: readonly string[]): Promise<Ending> {
    const ending = await this.run(...args);
    assert.equal(ending.status, status, `${args.join(' ')}\n${ending.out}\n${ending.err}`);
    return ending;
  }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => probe.once('listening', resolve));
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  assert.ok(address !== null && typeof address === 'object');
  return address.port;
}
