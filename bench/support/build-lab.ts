// A server that builds, for measurements: repositories, pipelines, agents that run jobs and agents that only say so.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { FakeAgent } from '../../test/support/builds/fake-agent.ts';
import { addCommits, makeRepositories } from './datasets/git-repositories.ts';
import type { Lab } from './lab.ts';
import type { Program } from './process.ts';

const root = join(import.meta.dirname, '..', '..');
/** As local agents run it: the bundle, where there is one. */
const bundledAgent = join(root, 'build', 'program.js');
const agentProgram = () => (existsSync(bundledAgent) ? bundledAgent : join(root, 'src', 'agent', 'program.ts'));

export interface BuildJob {
  readonly name: string;
  readonly count?: number;
  readonly argv: readonly string[];
}

export interface BuildPipeline {
  readonly path: string;
  commit(): void;
  notify(): Promise<void>;
}

export class BuildBench {
  readonly lab: Lab;
  readonly server: Program;
  readonly dataDir: string;
  /** Of real agents. */
  readonly workDirs: string[] = [];
  readonly #root: string;
  readonly #agents: ChildProcess[] = [];
  readonly #fakes: FakeAgent[] = [];

  private constructor(lab: Lab, server: Program, dataDir: string) {
    this.lab = lab;
    this.server = server;
    this.dataDir = dataDir;
    this.#root = lab.newPath();
    mkdirSync(this.#root);
  }

  static async start(lab: Lab, dataDir = lab.newPath()): Promise<BuildBench> {
    const settings = ['--material-interval', '0', '--allow-loopback', 'true', '--local-repositories', '/'];
    return new BuildBench(lab, await lab.startServer(dataDir, settings), dataDir);
  }

  async stop(): Promise<void> {
    await Promise.all(this.#fakes.map((fake) => fake.stop()));
    for (const agent of this.#agents) agent.kill('SIGTERM');
    await this.server.stop();
  }

  /** A repository with a pipeline on it. Gives a function that makes a commit in it and notifies the server of it. */
  pipeline(name: string, jobs: readonly BuildJob[]): Promise<BuildPipeline> {
    const stage = {
      name: 'build',
      jobs: jobs.map(({ name: job, count, argv: [command, ...args] }) => ({
        name: job,
        ...(count !== undefined && { run_instance_count: count }),
        tasks: [{ type: 'exec', attributes: { command, arguments: args } }],
      })),
    };
    return this.pipelineOf(name, [stage]);
  }

  /** Makes a pipeline with stages as the API takes them. */
  async pipelineOf(name: string, stages: readonly object[]): Promise<BuildPipeline> {
    const [path = ''] = makeRepositories(join(this.#root, name), 1);
    const materials = [{ type: 'git', attributes: { url: path, branch: 'main', auto_update: false } }];
    await this.ask('POST', '/api/admin/pipelines', { group: 'bench', pipeline: { name, materials, stages } });
    return {
      path,
      commit: () => addCommits([path]),
      notify: async () => void (await this.ask('POST', '/api/admin/materials/git/notify', { repository_url: path })),
    };
  }

  async key(): Promise<string> {
    return ((await this.ask('GET', '/api/admin/agent_registration')) as { auto_register_key: string }).auto_register_key;
  }

  /** Gives their process ids. */
  async realAgents(count: number): Promise<readonly number[]> {
    const key = await this.key();
    for (let index = 0; index < count; index++) {
      const workDir = this.lab.newPath();
      this.workDirs.push(workDir);
      const env = { PATH: process.env.PATH, SLIPWAY_AGENT_SERVER: this.server.url, SLIPWAY_AGENT_WORK_DIR: workDir };
      const agent = spawn(process.execPath, [agentProgram()], { env, stdio: ['pipe', 'ignore', 'ignore'] });
      agent.stdin.end(`${key}\n`);
      this.#agents.push(agent);
    }
    process.once('exit', () => {
      for (const agent of this.#agents) agent.kill('SIGKILL');
    });
    return this.#agents.map(({ pid }) => pid!);
  }

  async fakeAgents(count: number): Promise<readonly FakeAgent[]> {
    const key = await this.key();
    for (let index = 0; index < count; index++) this.#fakes.push(await FakeAgent.start({ url: this.server.url, key }));
    return this.#fakes;
  }

  consoleOf(pipeline: string, counter: number, job: string, stage = 'build'): string {
    return join(this.dataDir, 'artifacts', 'pipelines', pipeline, String(counter), stage, '1', job, 'cruise-output', 'console.log');
  }

  async ask(method: string, path: string, body?: object): Promise<unknown> {
    const reply = await fetch(this.server.url + path, {
      method,
      headers: { Accept: 'application/vnd.svc+json', Authorization: this.lab.basic, ...(body && { 'Content-Type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!reply.ok) throw new Error(`${method} ${path} was answered with status ${reply.status}: ${await reply.text()}`);
    return reply.json();
  }
}
