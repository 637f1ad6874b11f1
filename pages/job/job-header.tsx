// The state of a job, its agent, and its duration.
import { useState } from 'preact/hooks';
import { CancelDialog } from '../actions/cancel-dialog.tsx';
import { runSelectedJobs } from '../actions/pipeline-requests.ts';
import { isSame, jobStatus, type RunAnswer, startOf } from '../api/run-answers.ts';
import { AgentLink } from '../kit/agent-link.tsx';
import { Fact, Facts } from '../kit/facts.tsx';
import { runAction } from '../kit/messages.tsx';
import { pageOf, useLocation } from '../kit/routing.ts';
import { Status } from '../kit/status.tsx';
import { DurationWithEstimate } from '../kit/text/duration-with-estimate.tsx';
import { Duration, RelativeTime } from '../kit/text/relative-time.tsx';
import { hasEnded, type JobDetails, type JobLocator } from './job.ts';

interface JobHeaderProps {
  readonly at: JobLocator;
  readonly job: JobDetails;
  readonly run: RunAnswer | undefined;
}

export function JobHeader({ at, job, run }: JobHeaderProps) {
  const start = startOf(job);
  return (
    <>
      <header class="page-header">
        <h1>{job.name}</h1>
        <Status word={jobStatus(job)} />
        <span class="grow" />
        <JobActions at={at} job={job} run={run} />
      </header>
      <Facts>
        <Fact name="Agent">
          <AgentLink agent={job.agent} />
        </Fact>
        <Fact name="Scheduled">
          <RelativeTime at={job.scheduled_date} />
        </Fact>
        <Fact name={start === undefined && job.completed_date === null ? 'Waits' : 'Waited'}>
          <Duration from={job.scheduled_date} to={start ?? job.completed_date} />
        </Fact>
        {start !== undefined && (
          <Fact name={job.completed_date === null ? 'Takes' : 'Took'}>
            <DurationWithEstimate
              from={start}
              ms={job.duration_ms}
              estimatedMs={job.estimated_duration_ms}
              hasBar={job.estimated_duration_ms !== undefined}
            />
          </Fact>
        )}
        {job.completed_date !== null && (
          <Fact name="Ended">
            <RelativeTime at={job.completed_date} />
          </Fact>
        )}
        {job.original_job_id !== null && <Fact name="Result">from before: it was not run again</Fact>}
      </Facts>
    </>
  );
}

function JobActions({ at, job, run }: JobHeaderProps) {
  const [isCancelling, setIsCancelling] = useState(false);
  const [, navigate] = useLocation();
  const stage = run?.stages.find(({ name }) => isSame(name, at.stage));
  if (stage === undefined || !stage.operate_permission) return null;
  const { pipeline, counter, stageCounter } = at;
  const again = async (): Promise<void> => {
    const isAccepted = await runAction(() => runSelectedJobs(pipeline, counter, at.stage, stageCounter, [job.name]), 'The job runs again.');
    if (isAccepted) navigate(pageOf.job(pipeline, counter, at.stage, Number(stage.counter) + 1, job.name));
  };
  // Other jobs of the stage can still be under way when this one has ended.
  const isStageUnderWay = Number(stage.counter) === stageCounter && /^(building|failing)$/i.test(stage.status);
  return (
    <span class="toolbar">
      {isStageUnderWay && (
        <button type="button" class="button" onClick={() => setIsCancelling(true)}>
          Cancel the stage …
        </button>
      )}
      {hasEnded(job) && !isStageUnderWay && (
        <button type="button" class="button" onClick={() => void again()}>
          Run this job again
        </button>
      )}
      {isCancelling && <CancelDialog at={at} onClose={() => setIsCancelling(false)} />}
    </span>
  );
}
