// The parts that the queue of jobs depends on.
import type { Work } from '../../contracts/agent-protocol/work.ts';
import type { BuildState } from '../build-state.ts';
import type { EngineArtifacts } from '../engine-parts.ts';
import type { ActiveJob, ActiveStageRun } from './active-builds.ts';
import type { AssignableAgent, AssignableJob } from './assign.ts';

export interface JobQueueParts {
  readonly state: BuildState;
  /** The properties for the rule of assignment, by the current configuration; undefined: the job is not in the configuration any more. */
  assignable(job: ActiveJob): AssignableJob | undefined;
  /** Whether nothing new may start. */
  isHeld(): boolean;
  /** Throws where memory may differ from the tables, so that agents get no orders from it. */
  mustBeStarted(): void;
  /** With secrets; rejects in words without them. */
  workOf(job: ActiveJob, agent: AssignableAgent): Promise<Work>;
  /** A line of the server itself in the console of a job. */
  note(job: ActiveJob, line: string): Promise<void>;
  /** No more of it will come from an agent. */
  onEnd(job: ActiveJob): void;
  readonly artifacts: Pick<EngineArtifacts, 'revokeStatements' | 'revoke'>;
  /** The last job of it has ended. */
  onDone(stageRun: ActiveStageRun): void;
  /** There is something to do for one agent, or for any. */
  wake(uuid: string): void;
  wakeAll(): void;
}
