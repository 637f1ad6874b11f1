// The actions on a run of a stage.
import { useState } from 'preact/hooks';
import { CancelDialog } from '../actions/cancel-dialog.tsx';
import { runFailedJobs, runSelectedJobs, runStage } from '../actions/pipeline-requests.ts';
import { isSame, type RunAnswer, type StageLocator, type StageRunAnswer } from '../api/run-answers.ts';
import { runAction } from '../kit/messages.tsx';
import { pageOf, useLocation } from '../kit/routing.ts';
import { failedJobs, isUnderWay } from './stage.ts';

interface StageActionsProps {
  readonly at: StageLocator;
  readonly stage: StageRunAnswer;
  readonly run: RunAnswer | undefined;
  readonly chosen: ReadonlySet<string>;
  /** Of a request that the server accepted. */
  readonly onDone: () => void;
}

export function StageActions({ at, stage, run, chosen, onDone }: StageActionsProps) {
  const [isCancelling, setIsCancelling] = useState(false);
  const again = useAgain(at, run, onDone);
  const rights = run?.stages.find(({ name }) => isSame(name, at.stage));
  if (rights === undefined || !rights.operate_permission) return null;
  const { pipeline, counter, stage: name, stageCounter } = at;
  const jobs = stage.jobs.filter((job) => chosen.has(job.name)).map((job) => job.name);
  const failed = failedJobs(stage.jobs).length;
  if (isUnderWay(stage)) {
    return (
      <>
        <button type="button" class="button" onClick={() => setIsCancelling(true)}>
          Cancel …
        </button>
        {isCancelling && <CancelDialog at={at} onClose={() => setIsCancelling(false)} />}
      </>
    );
  }
  // Offered even if the stage cannot run now: the server answers best why.
  return (
    <span class="toolbar">
      {jobs.length > 0 && (
        <button
          type="button"
          class="button is-primary"
          onClick={() => again(() => runSelectedJobs(pipeline, counter, name, stageCounter, jobs))}
        >
          Run {jobs.length} {jobs.length === 1 ? 'job' : 'jobs'} again
        </button>
      )}
      {failed > 0 && (
        <button type="button" class="button" onClick={() => again(() => runFailedJobs(pipeline, counter, name, stageCounter))}>
          Run failed jobs again
        </button>
      )}
      <button type="button" class="button" onClick={() => again(() => runStage(pipeline, counter, name))}>
        Run the stage again
      </button>
    </span>
  );
}

/** Sends a request that makes a new run of the stage, and goes to its page. */
function useAgain(at: StageLocator, run: RunAnswer | undefined, onDone: () => void) {
  const [, navigate] = useLocation();
  const newest = Number(run?.stages.find(({ name }) => isSame(name, at.stage))?.counter ?? at.stageCounter);
  return (send: () => Promise<{ readonly message?: string } | undefined>): void => {
    void runAction(send, 'The stage runs again.').then((isAccepted) => {
      if (!isAccepted) return;
      onDone();
      navigate(pageOf.stage(at.pipeline, at.counter, at.stage, newest + 1));
    });
  };
}
