// The interfaces between the engine and the rest of the server.
import type { CompiledQuery } from 'kysely';
import type { Database } from '../store/database.ts';
import type { Materials } from '../store/materials/materials.ts';
import type { Modifications } from '../store/materials/modifications.ts';
import type { CommitWithEvents } from '../store/write-with-events.ts';
import type { BuildConfig } from './configured.ts';
import type { WaitReason } from './elastic/decide-agents.ts';
import type { ActiveJob } from './jobs/active-builds.ts';
import type { AssignableAgent } from './jobs/assign.ts';
import type { CancellingJob } from './jobs/hung-jobs.ts';
import type { StrandedJob } from './jobs/stranded-jobs.ts';
import type { WorkTools } from './jobs/work.ts';
import type { CompletedStage } from './runs/stage-completion.ts';

export interface EngineParts {
  /** That of the keeper: without its lease nothing is written. */
  readonly database: Database;
  readonly write: CommitWithEvents;
  readonly config: BuildConfig;
  readonly materials: Materials;
  readonly modifications: Modifications;
  /** New ones for each job. */
  tools(): WorkTools;
  readonly agents: EngineAgents;
  readonly elastic: EngineElastic;
  readonly consoles: EngineConsoles;
  readonly artifacts: EngineArtifacts;
  /** Nothing new starts. */
  isInMaintenance(): boolean;
  isDiskFull(): boolean;
  pauseOf(pipeline: string): { readonly by: string; readonly cause: string } | undefined;
  /** Whether a poll of this material is under way. */
  isUnderWay(fingerprint: string): boolean;
  /** Polls materials; returns their failures, when the config repo has read what was found. */
  poll(fingerprints: readonly string[], signal: AbortSignal, configRepo?: string): Promise<readonly string[]>;
  mails(completed: CompletedStage): Promise<readonly CompiledQuery[]>;
  /** After the commit that held them. */
  sendMails(): void;
  /** Called when the end of the stage is on disk. */
  onStageCompleted?(completed: CompletedStage): void;
  readonly health: EngineHealth;
  onFailure(failure: unknown, message: string): void;
}

export interface EngineAgents {
  all(): readonly AssignableAgent[];
  /** What users call it. */
  nameOf(uuid: string): string;
  wake(uuid: string): void;
  wakeAll(): void;
}

/** The agents that the server makes on demand. */
export interface EngineElastic {
  /** Of a job that waits for one; undefined: its plugin starts none, so an administrator has to. */
  stateOf(job: ActiveJob): WaitReason | undefined;
}

export interface EngineConsoles {
  note(job: ActiveJob, line: string): Promise<void>;
  end(job: ActiveJob): void;
}

export interface EngineArtifacts {
  /** The agent sends no more: the job has ended. */
  end(job: ActiveJob): void;
  /** To be written in the commit that takes a job from its agent. */
  revokeStatements(job: ActiveJob): readonly CompiledQuery[];
  /** Called when those statements are written. */
  revoke(job: ActiveJob): void;
}

export interface EngineHealth {
  /** About a pipeline; undefined: it is right again. */
  pipeline(name: string, problem: string | undefined): void;
  couldNotTrigger(name: string, reason: string | undefined): void;
  silentJobs(jobs: readonly ActiveJob[]): void;
  /** Cancelled, and not ended by their agents. */
  stuckJobs(jobs: readonly CancellingJob[]): void;
  strandedJobs(jobs: readonly StrandedJob[]): void;
}
