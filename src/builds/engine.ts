// The engine: joins triggers, runs and jobs. It runs on one server at a time, from each `start` to the next `stop`.
import type { CompiledQuery } from 'kysely';
import { PendingWork } from '../kit/concurrency/pending-work.ts';
import { NotKeeper } from '../kit/concurrency/periodic/keeper.ts';
import { BuildState } from './build-state.ts';
import type { PipelineDefinition } from './configured.ts';
import { EngineLifecycle } from './engine-lifecycle.ts';
import type { EngineParts } from './engine-parts.ts';
import type { ActiveJob, ActiveStageRun } from './jobs/active-builds.ts';
import type { AssignableJob } from './jobs/assign.ts';
import { configuredJobOf } from './jobs/instance-names.ts';
import { JobQueue } from './jobs/job-queue.ts';
import { StrandedJobs } from './jobs/stranded-jobs.ts';
import { workOf } from './jobs/work.ts';
import { DependencyModifications } from './runs/dependency-modifications.ts';
import { releaseUnwantedLock } from './runs/release-lock.ts';
import { type CompletedStage, StageCompletion } from './runs/stage-completion.ts';
import { isLocking } from './runs/stage-flow.ts';
import { StageOperations } from './runs/stage-operations.ts';
import { MissedModifications } from './trigger/missed-modifications.ts';
import { RequestedRuns } from './trigger/requested-runs.ts';
import { RevisionFacts } from './trigger/revision-facts.ts';
import { TriggerDecisions } from './trigger/trigger-decisions.ts';
import { TriggerQueue } from './trigger/trigger-queue.ts';
import { Triggers } from './trigger/triggers.ts';
import { UpstreamRuns } from './trigger/upstream-runs.ts';

/** The actor of jobs that the server cancels itself. */
const THE_SERVER = 'Slipway';

export class BuildEngine {
  readonly state: BuildState;
  readonly queue: JobQueue;
  readonly stages: StageOperations;
  readonly triggers: Triggers;
  readonly requests: RequestedRuns;
  readonly #parts: EngineParts;
  readonly #completion: StageCompletion;
  readonly #dependencies: DependencyModifications;
  readonly #triggerQueue: TriggerQueue;
  readonly #pending = new PendingWork();
  readonly #missed: MissedModifications;
  readonly #stranded: StrandedJobs;
  readonly #lifecycle: EngineLifecycle;
  #isStarted = false;

  constructor(parts: EngineParts) {
    const { database, write, config, materials, modifications, agents, onFailure, health } = parts;
    this.#parts = parts;
    this.state = new BuildState({ database, write, onFailure: (failure) => this.#lifecycle.reload(failure) });
    this.#lifecycle = new EngineLifecycle({ open: () => this.#open(), close: () => this.#close(), halt: () => this.#halt(), onFailure });
    this.queue = this.#openQueue();
    this.#stranded = this.#openStranded();
    const { state } = this;
    const planning = { config, agents: () => agents.all() };
    const onScheduled = () => {
      agents.wakeAll();
      this.checkStranded();
    };
    const reportProblem = ({ name }: PipelineDefinition, problem: string | undefined) => health.pipeline(name, problem);
    const isPaused = (pipeline: string) => parts.pauseOf(pipeline) !== undefined;
    this.#dependencies = new DependencyModifications({ state, materials, modifications });
    this.#completion = new StageCompletion({
      ...planning,
      state,
      isPaused,
      downstreamStatements: (completed) => this.#downstreamStatements(completed),
      mails: parts.mails,
      onCompleted: (completed) => this.#onCompleted(completed),
      onScheduled,
      reportProblem,
    });
    this.stages = new StageOperations({ ...planning, state, queue: this.queue, completion: this.#completion, isPaused, onScheduled });
    const reading = { config, runs: state.runs, stageRuns: state.stageRuns, materials, modifications };
    const decisions = new TriggerDecisions({ facts: new RevisionFacts(reading), upstream: new UpstreamRuns(reading), modifications });
    this.triggers = new Triggers({
      ...planning,
      state,
      decisions,
      modifications,
      now: (pipeline) => this.#now(pipeline),
      onScheduled,
      onRun: ({ name }) => health.couldNotTrigger(name, undefined),
      reportProblem,
    });
    this.#triggerQueue = new TriggerQueue(
      (key) => this.#check(key).then(() => this.requests.forgetObstacle(key)),
      (failure, key) => onFailure(failure, `the pipeline ${key} could not be looked at`),
    );
    this.#missed = new MissedModifications({
      all: () => config.materials(),
      newest: (fingerprints) => modifications.newest(fingerprints),
      isUnderWay: parts.isUnderWay,
      wakeUsersOf: (fingerprint) => this.wakeUsersOf(fingerprint),
      onMissed: (fingerprint) => onFailure(new Error(fingerprint), 'pipelines were not notified of something new in a material'),
    });
    this.requests = new RequestedRuns({
      state,
      config,
      triggers: this.triggers,
      poll: parts.poll,
      couldNotTrigger: (name, reason) => health.couldNotTrigger(name, reason),
      wake: (name) => this.wake([name]),
      onFailure: (failure) => onFailure(failure, 'a requested run could not be scheduled'),
    });
  }

  /** Loads the active builds, and goes on with them. */
  start(): Promise<void> {
    return this.#lifecycle.start();
  }

  stop(): Promise<void> {
    return this.#lifecycle.stop();
  }

  async #open(): Promise<void> {
    await this.state.load();
    this.#isStarted = true;
    // The server may have ended between the last report of a stage and its completion.
    for (const stageRun of [...this.state.active.stageRuns()]) if (stageRun.active.size === 0) this.#done(stageRun);
    await this.releaseLocks(this.state.locks.keys());
    this.#triggerQueue.start();
    await this.requests.start();
    this.wakeAll();
    this.#parts.agents.wakeAll();
  }

  #halt(): void {
    this.#isStarted = false;
  }

  async #close(): Promise<void> {
    this.#halt();
    await this.#triggerQueue.stop();
    await this.requests.stop();
    await this.#pending.ended();
    await this.state.writer.settle();
    this.state.unload();
    this.queue.clear();
    this.#missed.clear();
  }

  get isStarted(): boolean {
    return this.#isStarted;
  }

  mustBeStarted(): void {
    if (!this.#isStarted) throw new NotKeeper();
  }

  /** Evaluates the triggers of these pipelines again: something may set them off. */
  wake(names: Iterable<string>): void {
    this.#triggerQueue.wake([...names].map((name) => name.toLowerCase()));
  }

  wakeAll(): void {
    this.#triggerQueue.wake(this.#parts.config.keys());
  }

  /** Evaluates the triggers of the pipelines that use a material: something is new in it. */
  async wakeUsersOf(fingerprint: string): Promise<void> {
    this.#missed.noteWoken(fingerprint);
    this.#triggerQueue.wake(await this.#parts.config.usersOf(fingerprint));
  }

  /** Finds changes of materials that no pipeline was notified of. */
  async findMissed(): Promise<void> {
    if (this.#isStarted) await this.#missed.check();
  }

  /** Cancels hung jobs, and reports silent, stuck and stranded ones. */
  async cancelHung(): Promise<void> {
    const { consoles, health } = this.#parts;
    const { cancelled, silent } = this.queue.hung();
    for (const { job, line } of cancelled) {
      await consoles.note(job, line);
      await this.stages.cancelJob(job, THE_SERVER);
    }
    health.silentJobs(silent);
    health.stuckJobs(this.queue.stuck());
    await this.#stranded.check();
  }

  /** The reasons why jobs get no elastic agent may have changed. */
  checkStranded(): void {
    if (!this.#isStarted) return;
    const check = this.#stranded.check();
    void this.#pending.add(
      check.catch((failure: unknown) => this.#parts.onFailure(failure, 'a missing agent could not be noted in a console')),
    );
  }

  /** Jobs that are not in the configuration any more are not given to agents. */
  async cancelUnconfigured(): Promise<void> {
    for (const job of [...this.state.active.waiting()]) if (!this.#isConfigured(job)) await this.stages.cancelJob(job, THE_SERVER);
  }

  /** Of these pipelines, where the configuration does not want them any more. */
  async releaseLocks(keys: Iterable<string>): Promise<void> {
    for (const key of [...keys]) if (this.state.locks.has(key)) await releaseUnwantedLock(this.state, this.#parts.config, key);
  }

  #openStranded(): StrandedJobs {
    const { agents, consoles, health, elastic } = this.#parts;
    return new StrandedJobs({
      stateOf: (job) => elastic.stateOf(job),
      waiting: () => this.state.active.waiting(),
      assignable: (job) => this.#assignable(job),
      agents: () => agents.all(),
      note: (job, line) => consoles.note(job, line),
      report: (jobs) => health.strandedJobs(jobs),
    });
  }

  #openQueue(): JobQueue {
    const { agents, config, consoles, artifacts, tools, modifications } = this.#parts;
    return new JobQueue({
      state: this.state,
      assignable: (job) => this.#assignable(job),
      isHeld: () => this.#parts.isInMaintenance() || this.#parts.isDiskFull(),
      mustBeStarted: () => this.mustBeStarted(),
      workOf: (job, agent) => workOf(job, agent, { state: this.state, config, modifications, tools: tools() }),
      note: (job, line) => consoles.note(job, line),
      onEnd: (job) => {
        consoles.end(job);
        artifacts.end(job);
      },
      artifacts,
      onDone: (stageRun) => this.#done(stageRun),
      wake: (uuid) => agents.wake(uuid),
      wakeAll: () => agents.wakeAll(),
    });
  }

  #assignable(job: ActiveJob): AssignableJob | undefined {
    const { config } = this.#parts;
    if (!this.#isConfigured(job)) return undefined;
    const { resources, elasticProfileId: profile, pinnedTo } = job.plan.job;
    return {
      id: job.row.id,
      environment: config.environmentOf(job.stageRun.run.pipeline)?.name ?? null,
      resources,
      pinnedTo,
      elastic: profile === null ? null : { profile, plugin: config.pluginOfProfile(profile) },
    };
  }

  #isConfigured({ row, plan, stageRun: { run } }: ActiveJob): boolean {
    const stages = this.#parts.config.stagesOf(run.pipeline);
    if (plan.context.isOfPast) return stages !== undefined;
    const stage = stages?.find(({ name }) => name.toLowerCase() === row.stage_key);
    return stage !== undefined && configuredJobOf(row.name, stage.jobs) !== undefined;
  }

  #done(stageRun: ActiveStageRun): void {
    const work = this.state.pipelineMutex.run(stageRun.row.pipeline_key, async () => {
      if (this.state.active.stageRun(stageRun.row.id) === stageRun) await this.#completion.complete(stageRun);
    });
    void this.#pending.add(work.catch((failure: unknown) => this.#parts.onFailure(failure, 'a stage could not be completed')));
  }

  async #downstreamStatements({ stageRun, result, completedAt }: CompletedStage): Promise<readonly CompiledQuery[]> {
    if (result !== 'Passed') return [];
    const materials = await this.#parts.config.below(stageRun.run.pipeline, stageRun.row.stage);
    return this.#dependencies.statementsFor(stageRun.run, stageRun.row, completedAt, materials);
  }

  #onCompleted(completed: CompletedStage): void {
    const { stageRun, result } = completed;
    this.#parts.onStageCompleted?.(completed);
    this.#parts.sendMails();
    this.wake([stageRun.run.pipeline]);
    if (result !== 'Passed') return;
    const below = this.#parts.config
      .below(stageRun.run.pipeline, stageRun.row.stage)
      .then((materials) => Promise.all(materials.map(({ fingerprint }) => this.wakeUsersOf(fingerprint))));
    void this.#pending.add(below.catch((failure: unknown) => this.#parts.onFailure(failure, 'pipelines below could not be woken')));
  }

  async #check(key: string): Promise<void> {
    const pipeline = await this.#parts.config.find(key);
    for (const one of pipeline?.materials ?? []) if (await this.#dependencies.backfill(one)) this.#missed.noteWoken(one.fingerprint);
    if (!this.requests.isWaiting(key)) await this.triggers.check(key);
  }

  async #now({ key, name, stages, lockBehavior }: PipelineDefinition) {
    const { isInMaintenance, isDiskFull, pauseOf } = this.#parts;
    const holder = isLocking(lockBehavior) ? this.state.locks.get(key) : undefined;
    const lockedBy = holder === undefined ? undefined : (await this.state.runs.byId(holder))?.counter;
    const first = stages[0]?.name.toLowerCase() ?? '';
    return {
      isInMaintenance: isInMaintenance(),
      isDiskFull: isDiskFull(),
      pause: pauseOf(name),
      lockedBy,
      isFirstStageActive: this.state.active.isStageActive(key, first),
    };
  }
}
