// A job on this agent, from its first line to its last report.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { CONSOLE_PATH, REPORTS_PATH, type ReportedResult } from '../../contracts/agent-protocol/messages.ts';
import type { Work } from '../../contracts/agent-protocol/work.ts';
import { type ExternalJobContext, publishArtifacts } from '../artifacts/external/job-artifacts.ts';
import { JobRetryBudget, type RetryLimits } from '../artifacts/retry-budget.ts';
import { uploadArtifacts } from '../artifacts/upload/upload.ts';
import { p4Variables } from '../checkout/p4.ts';
import { deliveryOf } from '../console/answer.ts';
import { JobConsole } from '../console/job-console.ts';
import { secretsOf } from '../console/secrets.ts';
import { TAGS } from '../console/tags.ts';
import { MARKER } from '../processes/process-tree.ts';
import { messageOf, type ServerClient } from '../server/server-client.ts';
import { describeDiskFailure } from '../task/describe-failure.ts';
import { SPOOL_FOLDER } from '../work-dir/layout.ts';
import { jobEnvironment } from './environment.ts';
import { Interruption } from './interruption.ts';
import { pipelineFolderIn } from './pipeline-folder.ts';
import { type CheckOut, prepare } from './prepare.ts';
import { Reports } from './reports.ts';
import { mayRun, type ResultSoFar } from './run-if.ts';
import { runTask } from './task-runner.ts';

export interface JobParts {
  readonly client: ServerClient;
  readonly instance: string;
  readonly hostname: string;
  readonly workDir: string;
  /** The beginning of the marker of all processes of this agent. */
  readonly marker: string;
  /** The environment variables that tasks inherit from the agent. */
  readonly inherited: Readonly<Record<string, string>>;
  readonly checkOut: CheckOut;
  readonly print: (line: string) => void;
  readonly graceMs?: number;
  readonly retryLimits?: RetryLimits;
}

export class JobRun {
  readonly #work: Work;
  readonly #parts: JobParts;
  readonly #interruption = new Interruption();
  readonly #retryBudget: JobRetryBudget;
  readonly #console: JobConsole;
  readonly #reports: Reports;
  /** Of the tasks. Some add to it. */
  readonly #environment: Record<string, string> = {};
  readonly name: string;
  /** Never rejects. */
  readonly ended: Promise<void>;

  constructor(work: Work, parts: JobParts) {
    this.#work = work;
    this.#parts = parts;
    this.#retryBudget = new JobRetryBudget(parts.retryLimits);
    const { pipeline, pipeline_counter, stage, stage_counter, job } = work.locator;
    this.name = [pipeline, pipeline_counter, stage, stage_counter, job].join('/');
    this.#console = this.#openConsole();
    this.#reports = new Reports({
      instance: parts.instance,
      epoch: work.epoch,
      send: (report) => parts.client.send({ method: 'POST', path: pathOf(REPORTS_PATH, work.job), body: report }),
      onRefused: (answer) => {
        parts.print(`The server takes no report of ${this.name}: ${messageOf(answer)}`);
        this.drop();
      },
    });
    this.ended = this.#run();
  }

  get job(): number {
    return this.#work.job;
  }

  get epoch(): number {
    return this.#work.epoch;
  }

  get isCancelling(): boolean {
    return this.#interruption.reason !== undefined;
  }

  /** Runs the `on_cancel` of the task, and ends the processes. */
  cancel(): void {
    this.#interruption.interrupt('cancel');
  }

  /** Ends all processes at once. */
  kill(): void {
    this.#interruption.kill();
  }

  /** Ends it without a word to the server: it is another agent's. */
  drop(): void {
    this.#giveUp('drop');
  }

  /** Ends it because the agent ends. Said twice, at once. */
  stop(): void {
    this.#giveUp('stop');
  }

  #giveUp(reason: 'drop' | 'stop'): void {
    this.#interruption.interrupt(reason);
    this.#reports.stop();
    this.#console.stopSending();
  }

  #openConsole(): JobConsole {
    const { client, workDir } = this.#parts;
    const { job, epoch } = this.#work;
    const path = pathOf(CONSOLE_PATH, job);
    try {
      mkdirSync(join(workDir, SPOOL_FOLDER), { recursive: true, mode: 0o700 });
    } catch (failure) {
      this.#parts.print(describeDiskFailure(failure as Error)); // the console reports it as soon as it is opened
    }
    return new JobConsole({
      spoolFile: join(workDir, SPOOL_FOLDER, `${job}-${epoch}.log`),
      secrets: secretsOf(this.#work),
      deliver: (offset, bytes) =>
        client.send({ method: 'PUT', path: `${path}?epoch=${epoch}&offset=${offset}`, body: bytes }).then(
          ({ status, body }) => deliveryOf(status, body, offset),
          () => ({ kind: 'again' }),
        ),
      onRefused: () => this.drop(),
      onBroken: (failure) => {
        this.#parts.print(`The console of ${this.name} is not whole. ${describeDiskFailure(failure)}`);
        this.#console.notice(TAGS.error, describeDiskFailure(failure));
        this.#interruption.interrupt('fail');
      },
    });
  }

  async #run(): Promise<void> {
    // The constructor comes first.
    await undefined;
    try {
      const result = await this.#result();
      if (this.#isGivenUp) return;
      await this.#complete(result);
    } catch (failure) {
      this.#parts.print(`The job ${this.name} ended by a fault of the agent: ${(failure as Error).stack}`);
    } finally {
      this.#reports.stop();
      this.#closeConsole();
    }
  }

  /** A file that could not be removed is removed at the next start of the agent. */
  #closeConsole(): void {
    try {
      this.#console.close();
    } catch (failure) {
      this.#parts.print(`The console of ${this.name} could not be removed. ${describeDiskFailure(failure as Error)}`);
    }
  }

  /** Dropped, or stopped with the agent: no result is reported to the server. */
  get #isGivenUp(): boolean {
    const { reason } = this.#interruption;
    return reason === 'drop' || reason === 'stop';
  }

  /** Before the artifacts. */
  async #result(): Promise<ReportedResult> {
    void this.#reports.report('Preparing');
    const { epoch } = this.#work;
    // The console goes on after the lines of the attempt before.
    if (epoch > 1) this.#console.notice(TAGS.notice, `Attempt ${epoch}: the agent that had the job before was lost, or started again.`);
    this.#console.notice(TAGS.notice, `Job Started: ${new Date().toISOString()}`);
    const result = await this.#built();
    return this.#interruption.reason === 'cancel' ? 'Cancelled' : this.#interruption.reason === 'fail' ? 'Failed' : result;
  }

  async #built(): Promise<ResultSoFar> {
    const { workDir, checkOut, inherited, marker } = this.#parts;
    const { signal } = this.#interruption;
    const console = this.#console;
    let pipelineFolder: string;
    try {
      pipelineFolder = pipelineFolderIn(workDir, this.#work.locator.pipeline);
      console.notice(TAGS.notice, `Start to prepare ${this.#where(pipelineFolder)}`);
      await prepare(this.#work, { pipelineFolder, cacheFolder: join(workDir, 'cache'), console, signal, checkOut, marker });
      const { variables, lines } = jobEnvironment(inherited, [
        ...this.#work.environment,
        ...p4Variables(this.#work.materials, pipelineFolder),
      ]);
      for (const line of lines) console.notice(TAGS.prepare, line);
      Object.assign(this.#environment, variables);
    } catch (failure) {
      if (!signal.aborted) console.notice(TAGS.prepareError, sentenceOf(failure as NodeJS.ErrnoException));
      return 'Failed';
    }
    if (signal.aborted) return 'Failed';
    void this.#reports.report('Building');
    console.notice(TAGS.notice, `Start to build ${this.#where(pipelineFolder)}`);
    return this.#runTasks(pipelineFolder);
  }

  async #runTasks(pipelineFolder: string): Promise<ResultSoFar> {
    const { marker, graceMs } = this.#parts;
    const [console, interruption, artifacts] = [this.#console, this.#interruption, this.#artifactParts];
    const [environment, external] = [this.#environment, this.#externalJobContext];
    const context = { pipelineFolder, ownFolder: pipelineFolder, environment, marker, graceMs, console, interruption, artifacts, external };
    let result: ResultSoFar = 'Passed';
    for (const task of this.#work.tasks) {
      if (this.#interruption.signal.aborted) break;
      if (mayRun(task.run_if, result) && !(await runTask(task, context))) result = 'Failed';
    }
    return result;
  }

  async #complete(built: ReportedResult): Promise<void> {
    const console = this.#console;
    console.notice(built === 'Passed' ? TAGS.jobPassed : TAGS.jobFailed, `Current job status: ${built.toLowerCase()}`);
    const result = built === 'Cancelled' ? built : await this.#withArtifacts(built);
    console.notice(TAGS.completed, `Job completed ${this.#where()}`);
    await console.delivered();
    await this.#reports.report('Completed', result);
  }

  async #withArtifacts(built: ReportedResult): Promise<ReportedResult> {
    const { workDir } = this.#parts;
    const { signal } = this.#interruption;
    const console = this.#console;
    void this.#reports.report('Completing', built);
    if (this.#work.artifacts.length === 0) return built;
    try {
      const pipelineFolder = pipelineFolderIn(workDir, this.#work.locator.pipeline);
      console.notice(TAGS.artifact, `Start to upload ${this.#where(pipelineFolder)}`);
      const context = { ...this.#artifactParts, pipelineFolder, console, signal };
      await uploadArtifacts(this.#work, context, () => publishArtifacts(this.#work.artifacts, context, this.#externalJobContext));
    } catch (failure) {
      if (this.#interruption.reason === 'cancel') return 'Cancelled';
      if (!signal.aborted) console.notice(TAGS.artifactError, sentenceOf(failure as NodeJS.ErrnoException));
      return 'Failed';
    }
    return built;
  }

  get #artifactParts() {
    const { client, instance } = this.#parts;
    const { job, epoch, materials } = this.#work;
    const checkouts = materials.map(({ destination }) => destination ?? '');
    return { client, instance, job, epoch, checkouts, retryBudget: this.#retryBudget };
  }

  get #externalJobContext(): ExternalJobContext {
    const { marker, workDir } = this.#parts;
    const secrets = new Map(this.#work.environment.map(({ name, is_secret }) => [name, is_secret]));
    return {
      environment: { ...this.#environment, [MARKER]: marker },
      privateFolder: join(workDir, SPOOL_FOLDER),
      isSecret: (name) => secrets.get(name) === true,
      setVariable: (name, value) => {
        const { variables, lines } = jobEnvironment(this.#environment, [{ name, value, is_secret: false }]);
        for (const line of lines) this.#console.notice(TAGS.out, line);
        Object.assign(this.#environment, variables);
      },
    };
  }

  #where(folder = this.#parts.workDir): string {
    return `${this.name} on ${this.#parts.hostname} [${folder}]`;
  }
}

function pathOf(pattern: string, job: number): string {
  return pattern.replace(':job', String(job));
}

/** A failure of the system has a code; everything else is a sentence already. */
function sentenceOf(failure: NodeJS.ErrnoException): string {
  return failure.syscall !== undefined && failure.code !== undefined ? describeDiskFailure(failure) : failure.message;
}
