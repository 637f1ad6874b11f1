// The logic of the page of a job, without drawing it.
import type { Notice } from '../api/live/messages.ts';
import { type AgentOfJob, isAboutStage, isSame, type JobAnswer, type MaterialRevision, type StageLocator } from '../api/run-answers.ts';

export interface JobLocator extends StageLocator {
  readonly job: string;
}

export interface ConfiguredTab {
  readonly name: string;
  readonly path: string;
  /** null: the job has not published the file, or it was deleted. */
  readonly url: string | null;
}

export interface JobDetails extends JobAnswer {
  readonly agent: AgentOfJob | null;
  readonly pipeline_label: string;
  readonly environment: string | null;
  readonly material_revisions: readonly MaterialRevision[];
  readonly tabs: readonly ConfiguredTab[];
}

export function isAboutJob(at: JobLocator): (notice: Notice) => boolean {
  const isOfItsStage = isAboutStage(at);
  return (notice) => isOfItsStage(notice) && (notice.job === undefined || isSame(notice.job, at.job));
}

export function hasEnded({ state }: Pick<JobAnswer, 'state'>): boolean {
  return state === 'Completed';
}

/** No agent has it yet. */
export function isWaiting({ state }: Pick<JobAnswer, 'state'>): boolean {
  return state === 'Scheduled';
}

/** How long it was in each of its states; null: it still is. */
export function timesInStates(
  transitions: JobAnswer['job_state_transitions'],
): readonly { state: string; at: number; ms: number | null }[] {
  return transitions.map(({ state, state_change_time: at }, index) => {
    const next = transitions[index + 1]?.state_change_time;
    return { state, at, ms: next === undefined ? null : next - at };
  });
}
