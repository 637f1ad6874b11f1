// A server that runs builds, a repository, and an agent whose reports the test decides.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Report } from '../../src/contracts/agent-protocol/messages.ts';
import type { Work } from '../../src/contracts/agent-protocol/work.ts';
import type { Extensions } from '../../src/server/server.ts';
import { INSTANCE, POLL, REGISTRATION, registrationBody } from '../agents/lab.ts';
import { GitOrigin } from '../materials/support/git-origin.ts';
import { accepted } from '../support/requests/callers.ts';
import { type Ask, type Reply, TestServer } from '../support/server/server.ts';
import { until } from '../support/until.ts';

export const CONFIRM = { headers: { 'X-Svc-Confirm': 'true' } };

export class RunLab {
  readonly #directory = mkdtempSync(join(tmpdir(), 'slipway-runs-'));
  server!: TestServer;
  origin!: GitOrigin;
  readonly #agents: string[] = [];

  static async start(options: Readonly<Record<string, string>> = {}, extensions: Extensions = {}): Promise<RunLab> {
    const lab = new RunLab();
    lab.origin = await GitOrigin.make(join(lab.#directory, 'origin'));
    await lab.origin.commit('first', { 'readme.md': '1' });
    lab.server = await TestServer.start(options, extensions);
    return lab;
  }

  async stop(): Promise<void> {
    await this.server.stop();
    rmSync(this.#directory, { recursive: true, force: true });
  }

  get material() {
    return { type: 'git', attributes: { url: this.origin.path, branch: 'main' } };
  }

  /** Creates a pipeline, with stages of one job each unless `more` says otherwise. */
  async pipeline(name: string, more: object = {}, group = 'shop'): Promise<void> {
    const pipeline = { name, materials: [this.material], stages: [stage('test'), stage('deploy')], ...more };
    accepted(await this.server.post('/api/admin/pipelines', { group, pipeline }));
  }

  /** Has the repository polled now: servers of tests poll only on request. */
  async poll(): Promise<void> {
    const { materials } = accepted(await this.get('/api/config/materials')).json._embedded;
    const { fingerprint } = materials.find(({ attributes }: { attributes: { url?: string } }) => attributes.url === this.origin.path);
    const update = () => this.post(`/api/internal/materials/${fingerprint}/trigger_update`);
    await until('the poll', async () => [200, 201, 202].includes((await update()).status));
  }

  async agent(more: object = {}): Promise<Agent> {
    const key = (await this.server.get('/api/admin/agent_registration')).json.auto_register_key;
    const body = registrationBody({ key, ...more });
    const reply = await this.server.post(REGISTRATION, body, { as: '' });
    if (reply.status !== 201) throw new Error(reply.text);
    this.#agents.push(body.uuid);
    return new Agent(this.server, body.uuid, reply.json.token);
  }

  get(path: string, ask: Ask = {}): Promise<Reply> {
    return this.server.get(path, ask);
  }

  post(path: string, body?: object, ask: Ask = {}): Promise<Reply> {
    return this.server.ask('POST', path, { ...(body ? { body } : CONFIRM), ...ask });
  }

  /** Waits until the run is there. */
  run(pipeline: string, counter: number): Promise<Reply['json']> {
    return until(`the run ${pipeline}/${counter}`, async () => {
      const { status, json } = await this.get(`/api/pipelines/${pipeline}/${counter}/instance`);
      return status === 200 ? json : undefined;
    });
  }

  /** Waits until a stage of a run has this result. */
  stageResult(locator: string, result: string): Promise<Reply['json']> {
    return until(`${locator} ${result}`, async () => {
      const { json } = await this.get(`/api/stages/${locator}`);
      return json.result === result ? json : undefined;
    });
  }
}

/** An agent whose reports the test decides. */
export class Agent {
  readonly #server: TestServer;
  readonly uuid: string;
  readonly #as: string;
  readonly #reports = new Map<number, number>();

  constructor(server: TestServer, uuid: string, token: string) {
    this.#server = server;
    this.uuid = uuid;
    this.#as = `Bearer ${token}`;
  }

  /** Waits for a job. */
  work(): Promise<Work> {
    return until<Work>('a job', async () => {
      const poll = { instance: INSTANCE, jobs: [], free_space: null, state: 'Enabled' };
      const { json } = await this.#server.post(POLL, poll, { as: this.#as });
      return json?.order === 'work' ? json.work : undefined;
    });
  }

  async report({ job, epoch }: Work, state: Report['state'], result?: Report['result']): Promise<void> {
    const number = (this.#reports.get(job) ?? 0) + 1;
    this.#reports.set(job, number);
    const body = { instance: INSTANCE, epoch, number, state, ...(result && { result }) };
    const reply = await this.#server.post(`/agent/v1/jobs/${job}/reports`, body, { as: this.#as });
    if (reply.status !== 200) throw new Error(reply.text);
  }

  /** Waits for a job of this pipeline; those of others, which wait too, it ends. */
  async workOf(pipeline: string): Promise<Work> {
    for (;;) {
      const work = await this.work();
      if (work.locator.pipeline === pipeline) return work;
      await this.report(work, 'Completed', 'Passed');
    }
  }

  /** Takes the next job, and ends it. */
  async build(result: Report['result'] = 'Passed'): Promise<Work> {
    const work = await this.work();
    await this.report(work, 'Completed', result);
    return work;
  }
}

export function stage(name: string, more: object = {}, jobs: readonly string[] = ['unit']) {
  return { name, jobs: jobs.map((job) => ({ name: job, tasks: [{ type: 'exec', attributes: { command: 'true' } }] })), ...more };
}
