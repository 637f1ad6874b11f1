// The active builds: stage runs that are not completed, with their jobs. An index of the tables in memory.
import type { Job } from '../../store/builds/jobs.ts';
import type { Run } from '../../store/builds/runs.ts';
import type { StageRun } from '../../store/builds/stage-runs.ts';
import type { StoredPlan } from './stored-plan.ts';

export interface ActiveJob {
  row: Job;
  readonly stageRun: ActiveStageRun;
  readonly plan: StoredPlan;
  /** How many states it has had. */
  transitions: number;
  /** When it was last active: a report, or output in its console. Of one that waits for an agent: since when that counts. */
  activeAt: number;
}

export interface ActiveStageRun {
  readonly row: StageRun;
  readonly run: Run;
  /** All jobs of the stage run, completed ones too, without those that were given to another agent. */
  readonly jobs: Job[];
  readonly active: Map<number, ActiveJob>;
  /** The user who has cancelled it, or the server. */
  cancelledBy: string | null;
}

type JobListener = (job: ActiveJob, agentBefore: string | null) => void;

export class ActiveBuilds {
  readonly #stageRuns = new Map<number, ActiveStageRun>();
  readonly #ofPipeline = new Map<string, Set<ActiveStageRun>>();
  readonly #jobs = new Map<number, ActiveJob>();
  /** Jobs that wait for an agent, oldest first. */
  readonly #waiting = new Map<number, ActiveJob>();
  readonly #ofAgent = new Map<string, ActiveJob>();
  readonly #listeners: JobListener[] = [];

  /** Called with each job that is another one in the tables soon, and the agent that had it. */
  listen(listener: JobListener): void {
    this.#listeners.push(listener);
  }

  clear(): void {
    for (const index of [this.#stageRuns, this.#ofPipeline, this.#jobs, this.#waiting, this.#ofAgent]) index.clear();
  }

  add(stageRun: ActiveStageRun): void {
    this.#stageRuns.set(stageRun.row.id, stageRun);
    this.#ofPipeline.getOrInsertComputed(stageRun.row.pipeline_key, () => new Set()).add(stageRun);
    for (const job of stageRun.active.values()) this.#index(job);
    for (const job of stageRun.active.values()) this.#notify(job, null);
  }

  /** A stage run that is completed. */
  remove(stageRun: ActiveStageRun): void {
    this.#stageRuns.delete(stageRun.row.id);
    const others = this.#ofPipeline.get(stageRun.row.pipeline_key);
    others?.delete(stageRun);
    if (others?.size === 0) this.#ofPipeline.delete(stageRun.row.pipeline_key);
    for (const job of stageRun.active.values()) this.#unindex(job);
  }

  /** A job has become another one in the tables. */
  change(job: ActiveJob, row: Job): void {
    const { agent_uuid: agent } = job.row;
    this.#unindex(job);
    job.row = row;
    const { jobs, active } = job.stageRun;
    const index = jobs.findIndex(({ id }) => id === row.id);
    if (index >= 0) jobs[index] = row;
    if (row.completed_at === null) this.#index(job);
    else active.delete(row.id);
    this.#notify(job, agent);
  }

  /** Another job takes the place of one that was given up. */
  replace(job: ActiveJob, successor: ActiveJob): void {
    this.#unindex(job);
    const { jobs, active } = job.stageRun;
    active.delete(job.row.id);
    const index = jobs.findIndex(({ id }) => id === job.row.id);
    jobs.splice(index, 1, successor.row);
    active.set(successor.row.id, successor);
    this.#index(successor);
    this.#notify(successor, job.row.agent_uuid);
  }

  job(id: number): ActiveJob | undefined {
    return this.#jobs.get(id);
  }

  jobs(): IterableIterator<ActiveJob> {
    return this.#jobs.values();
  }

  stageRun(id: number): ActiveStageRun | undefined {
    return this.#stageRuns.get(id);
  }

  stageRuns(): IterableIterator<ActiveStageRun> {
    return this.#stageRuns.values();
  }

  ofPipeline(key: string): readonly ActiveStageRun[] {
    return [...(this.#ofPipeline.get(key) ?? [])];
  }

  isStageActive(pipelineKey: string, stageKey: string): boolean {
    return this.ofPipeline(pipelineKey).some(({ row }) => row.stage_key === stageKey);
  }

  isRunActive(runId: number, pipelineKey: string): boolean {
    return this.ofPipeline(pipelineKey).some(({ row }) => row.run_id === runId);
  }

  ofAgent(uuid: string): ActiveJob | undefined {
    return this.#ofAgent.get(uuid);
  }

  /** Their patience begins again: nothing could be given out. */
  waitAnew(now: number): void {
    for (const job of this.#waiting.values()) job.activeAt = now;
  }

  waiting(): IterableIterator<ActiveJob> {
    return this.#waiting.values();
  }

  get waitingCount(): number {
    return this.#waiting.size;
  }

  /** The number of jobs that agents have. */
  get assignedCount(): number {
    return this.#jobs.size - this.#waiting.size;
  }

  #notify(job: ActiveJob, agentBefore: string | null): void {
    for (const listener of this.#listeners) listener(job, agentBefore);
  }

  #index(job: ActiveJob): void {
    this.#jobs.set(job.row.id, job);
    if (job.row.state === 'Scheduled') this.#waiting.set(job.row.id, job);
    else if (job.row.agent_uuid !== null) this.#ofAgent.set(job.row.agent_uuid, job);
  }

  #unindex(job: ActiveJob): void {
    this.#jobs.delete(job.row.id);
    this.#waiting.delete(job.row.id);
    const { agent_uuid: agent } = job.row;
    if (agent !== null && this.#ofAgent.get(agent) === job) this.#ofAgent.delete(agent);
  }
}
