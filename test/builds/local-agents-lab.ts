// A server in a process of its own with local agents, in a folder that every user gets to.
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { basic } from '../support/requests/basic.ts';
import { isAlive } from '../support/server/alive.ts';
import { type ServerProcess, startProcess } from '../support/server/server-process.ts';
import { until } from '../support/until.ts';

const PASSWORD = 'secret';
/** The folder of a test run is its user's alone. */
const EVERYBODYS = '/tmp';
const HEADERS = { Authorization: basic('admin', PASSWORD), Accept: 'application/vnd.svc+json', 'Content-Type': 'application/json' };

export const isRoot = process.getuid?.() === 0;
export const AS_ROOT = { skip: !isRoot && 'only root starts agents as another user' };
export const ON_LINUX = { skip: process.platform !== 'linux' && 'processes are found by /proc' };

export class LocalAgentLab {
  readonly folder = mkdtempSync(join(EVERYBODYS, 'slipway-local-agents-'));
  readonly dataDir = join(this.folder, 'data');
  readonly workDir = join(this.dataDir, 'agents', 'local-1');
  server!: ServerProcess;

  constructor() {
    chmodSync(this.folder, 0o755);
  }

  /** Starts the server, at the same address as before. */
  async start(...flags: string[]): Promise<void> {
    const port = this.server ? ['--port', new URL(this.server.url).port] : [];
    this.server = await startProcess(this.dataDir, ['--local-agents', '1', '--material-interval', '1', ...port, ...flags], PASSWORD);
  }

  async close(): Promise<void> {
    await this.server?.end('SIGKILL');
    const pid = this.pid();
    // Of one that has ended the record may be left.
    if (pid !== undefined && isAlive(pid)) process.kill(pid, 'SIGKILL');
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  /** The process id of the agent that runs, or ran last. */
  pid(): number | undefined {
    const file = join(this.dataDir, 'agents', 'local-1.json');
    return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).pid : undefined;
  }

  async ask(method: string, path: string, body?: object): Promise<Response> {
    return fetch(this.server.url + path, { method, headers: HEADERS, ...(body && { body: JSON.stringify(body) }) });
  }

  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  async get(path: string): Promise<any> {
    return (await this.ask('GET', path)).json();
  }

  /** The agents of the server; none while the background work moves to another one, which takes seconds after a kill. */
  async agents(): Promise<{ uuid: string; agent_state: string; sandbox: string; hostname: string; agent_config_state: string }[]> {
    const answer = await this.ask('GET', '/api/agents');
    // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
    return answer.status === 503 ? [] : ((await answer.json()) as any)._embedded.agents;
  }

  idle() {
    return until('an agent that waits', async () => (await this.agents()).find(({ agent_state }) => agent_state === 'Idle'));
  }

  building() {
    return until('an agent that builds', async () => (await this.agents()).find(({ agent_state }) => agent_state === 'Building'));
  }

  /** The health message that jobs can read the files of the server, if there is one. */
  async message(): Promise<{ message: string; detail: string; level: string } | undefined> {
    const all: { message: string; detail: string; level: string }[] = await this.get('/api/server_health_messages');
    return all.find(({ message }) => message === 'Builds can read the files of this server');
  }

  /** Runs by itself, because its repository has a commit. */
  async createPipeline(name: string, url: string, script: string): Promise<void> {
    const job = { name: 'unit', tasks: [{ type: 'exec', attributes: { command: 'sh', arguments: ['-c', script], run_if: ['passed'] } }] };
    const pipeline = {
      name,
      materials: [{ type: 'git', attributes: { url, branch: 'main', destination: null } }],
      stages: [{ name: 'build', jobs: [job] }],
    };
    const answer = await this.ask('POST', '/api/admin/pipelines', { group: 'g', pipeline });
    if (!answer.ok) throw new Error(await answer.text());
  }

  /** The console of the job of the first run, once it matches the pattern. */
  console(pipeline: string, wanted: RegExp): Promise<string> {
    return until(`${wanted} in the console of ${pipeline}`, async () => {
      const answer = await this.ask('GET', `/files/${pipeline}/1/build/1/unit/cruise-output/console.log`).catch(() => undefined);
      const text = answer?.ok ? await answer.text() : '';
      return wanted.test(text) && text;
    });
  }
}
