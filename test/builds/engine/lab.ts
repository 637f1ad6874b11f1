// A whole server in this process, with real repositories and agents that run nothing: tests look into the parts of the engine.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { TriggerRequest } from '../../../src/builds/trigger/trigger-request.ts';
import type { Outcome } from '../../../src/builds/trigger/triggers.ts';
import type { BaseParts, OpenParts } from '../../../src/server/open/all-parts.ts';
import type { Job } from '../../../src/store/builds/jobs.ts';
import type { Run } from '../../../src/store/builds/runs.ts';
import type { StageRun } from '../../../src/store/builds/stage-runs.ts';
import { GitOrigin } from '../../materials/support/git-origin.ts';
import { FakeAgent, type FakeAgentOptions } from '../../support/builds/fake-agent.ts';
import { accepted } from '../../support/requests/callers.ts';
import { TestServer } from '../../support/server/server.ts';
import { until } from '../../support/until.ts';

export type JsonBody = Readonly<Record<string, unknown>>;

export class BuildLab {
  server!: TestServer;
  parts!: BaseParts & OpenParts;
  readonly directory = mkdtempSync(join(tmpdir(), 'slipway-builds-'));
  readonly #agents: FakeAgent[] = [];
  #key = '';

  static async start(options: Readonly<Record<string, string>> = {}): Promise<BuildLab> {
    const lab = new BuildLab();
    const routes = (parts: BaseParts & OpenParts) => {
      lab.parts = parts;
      return [];
    };
    lab.server = await TestServer.start(options, { routes });
    lab.#key = accepted(await lab.server.get('/api/admin/agent_registration')).json.auto_register_key;
    return lab;
  }

  /** A lab for one test, closed at its end. */
  static async forTest(context: TestContext, options: Readonly<Record<string, string>> = {}): Promise<BuildLab> {
    const lab = await BuildLab.start(options);
    context.after(() => lab.stop());
    return lab;
  }

  async stop(): Promise<void> {
    await Promise.all(this.#agents.map((agent) => agent.stop()));
    await this.server.stop();
    rmSync(this.directory, { recursive: true, force: true, maxRetries: 5 });
  }

  /** The agents stay, and find it again. */
  async restart(): Promise<void> {
    await this.server.restart();
    for (const agent of this.#agents) agent.url = this.server.url;
  }

  get engine() {
    return this.parts.builds.engine;
  }

  async agent(more: Partial<FakeAgentOptions> = {}): Promise<FakeAgent> {
    const agent = await FakeAgent.start({ url: this.server.url, key: this.#key, ...more });
    this.#agents.push(agent);
    return agent;
  }

  /** A new repository with a first commit. */
  async origin(name: string): Promise<GitOrigin> {
    const origin = await GitOrigin.make(join(this.directory, name));
    await origin.commit('first', { 'README.md': name });
    return origin;
  }

  /** Makes a pipeline, or changes it; it may run at once. */
  async pipeline(name: string, body: JsonBody, group = 'builds'): Promise<void> {
    const pipeline = { name, ...body };
    const found = await this.server.get(`/api/admin/pipelines/${name}`);
    if (found.status === 200) accepted(await this.server.put(`/api/admin/pipelines/${name}`, { group, ...pipeline }, found.etag));
    else accepted(await this.server.post('/api/admin/pipelines', { group, pipeline }));
  }

  /** Makes a resource. */
  async post(path: string, body: unknown): Promise<void> {
    accepted(await this.server.post(path, body));
  }

  async fingerprintOf(pipeline: string, type = 'git'): Promise<string> {
    const found = await this.parts.builds.config.find(pipeline);
    return found!.materials.find((material) => material.type === type)!.fingerprint;
  }

  /** Polls a repository of this pipeline, and waits for the end of the poll. */
  async poll(pipeline: string): Promise<void> {
    const { poller } = this.parts.materials.ofBuilds;
    const fingerprint = await this.fingerprintOf(pipeline);
    await poller.sync();
    assert.notEqual(await poller.requestPoll(fingerprint), 'unknown');
    await until('the end of the poll', () => !poller.isUnderWay(fingerprint, 'counted'));
  }

  /** The decision of the triggers about a pipeline now. */
  check(pipeline: string): Promise<Outcome> {
    return this.engine.triggers.check(pipeline);
  }

  /** Why it does not run now. */
  async whyNot(pipeline: string): Promise<string> {
    const outcome = await this.check(pipeline);
    if (outcome.kind === 'obstacle') return outcome.obstacle.rule;
    return outcome.kind === 'refused' ? outcome.decision.reason.rule : outcome.kind;
  }

  request(pipeline: string, more: Partial<TriggerRequest> = {}): Promise<void> {
    const request = {
      kind: 'manual',
      onlyOnChanges: false,
      by: 'ann',
      variables: [],
      pinned: [],
      updatesMaterials: false,
      ...more,
    } as const;
    return this.engine.requests.add(pipeline, request);
  }

  /** Waits until there is this run. */
  run(pipeline: string, counter: number): Promise<Run> {
    return until(`${pipeline}/${counter}`, () => this.engine.state.runs.find(pipeline.toLowerCase(), counter));
  }

  async runs(pipeline: string): Promise<readonly Run[]> {
    return (await this.engine.state.runs.before(pipeline.toLowerCase(), Number.MAX_SAFE_INTEGER, 1000)).toReversed();
  }

  /** All of a run, in order. */
  async stageRuns(run: Run): Promise<readonly StageRun[]> {
    return this.engine.state.stageRuns.ofRuns([run.id]);
  }

  /** Waits until there is this stage run. */
  async stage(pipeline: string, counter: number, stage: string, stageCounter = 1): Promise<StageRun> {
    const run = await this.run(pipeline, counter);
    const name = `${pipeline}/${counter}/${stage}/${stageCounter}`;
    return until(name, () => this.engine.state.stageRuns.find(run.id, stage.toLowerCase(), stageCounter));
  }

  /** Waits until it is completed, and gives its result. */
  async result(pipeline: string, counter: number, stage: string, stageCounter = 1): Promise<string> {
    const { id } = await this.stage(pipeline, counter, stage, stageCounter);
    const ended = await until(`the end of ${pipeline}/${counter}/${stage}/${stageCounter}`, async () => {
      const row = await this.engine.state.stageRuns.byId(id);
      return row?.completed_at != null && row;
    });
    // The next stage is decided in the same commit, and known in memory right after.
    await until('the end of the stage in memory', () => this.engine.state.active.stageRun(id) === undefined);
    return ended.result;
  }

  jobs(stageRun: StageRun): Promise<readonly Job[]> {
    return this.engine.state.jobs.ofStageRuns([stageRun.id]);
  }

  async statesOf(job: number): Promise<string[]> {
    return (await this.engine.state.jobs.transitionsOf([job])).map(({ state }) => state);
  }

  /** The revisions that a run was made from, by the types of their materials. */
  async revisionsOf(run: Run): Promise<Map<string, string>> {
    const rows = await this.engine.state.runs.revisionsOf([run.id]);
    const found = await this.parts.materials.ofBuilds.modifications.byIds(rows.map(({ last }) => last));
    return new Map(rows.map(({ name, type, last }) => [name ?? type, found.find(({ id }) => id === last)!.revision]));
  }

  async console(locator: string): Promise<string> {
    return (await this.server.get(`/files/${locator}/cruise-output/console.log`, { accept: null })).text;
  }

  pause(pipeline: string, by = 'ann', cause = ''): void {
    this.parts.pauses.remember({ key: pipeline.toLowerCase(), at: new Date().toISOString(), by, cause });
  }

  async unpause(pipeline: string): Promise<void> {
    await this.parts.pauses.forget(pipeline);
    this.engine.wake([pipeline]);
  }
}

/** A git material as pipelines have it. */
export function git(origin: GitOrigin, more: JsonBody = {}): JsonBody {
  return { type: 'git', attributes: { url: origin.path, branch: 'main', auto_update: false, ...more } };
}

export function after(pipeline: string, stage = 'build', more: JsonBody = {}): JsonBody {
  return { type: 'dependency', attributes: { pipeline, stage, name: pipeline, ...more } };
}

export function job(name = 'compile', more: JsonBody = {}): JsonBody {
  return { name, tasks: [{ type: 'exec', attributes: { command: 'true', run_if: [] } }], ...more };
}

export function stage(name = 'build', more: JsonBody = {}): JsonBody {
  return { name, jobs: [job()], ...more };
}

export const MANUAL = { approval: { type: 'manual' } };
