// One job of one run: its console, its artifacts, and the revisions it was made from.
import { NewerStageRun } from '../actions/newer-stage-run.tsx';
import { jobStatus } from '../api/run-answers.ts';
import { useRun } from '../api/use-runs.ts';
import { Breadcrumb } from '../kit/breadcrumb.tsx';
import type { PageProps } from '../kit/page-props.ts';
import { pageOf } from '../kit/routing.ts';
import { Loaded, pipelineAdvice } from '../kit/states.tsx';
import { useTitle } from '../kit/title.ts';
import { isWaiting } from './job.ts';
import { JobHeader } from './job-header.tsx';
import { JobTabs } from './job-tabs.tsx';
import { useJob } from './use-job.ts';
import { Waiting } from './waiting.tsx';

type JobAddress = {
  readonly pipeline: string;
  readonly counter: string;
  readonly stage: string;
  readonly stageCounter: string;
  readonly job: string;
};

export function JobPage({ params: { pipeline, counter, stage, stageCounter, job } }: PageProps<JobAddress>) {
  const at = { pipeline, counter: Number(counter), stage, stageCounter: Number(stageCounter), job };
  const read = useJob(at);
  const run = useRun(pipeline, at.counter);
  useTitle(`${read.data === undefined ? '' : `${jobStatus(read.data)}: `}${job} · ${pipeline} ${counter}`);
  return (
    <>
      <Breadcrumb
        crumbs={[
          { label: pipeline, href: pageOf.activity(pipeline) },
          { label: run.data?.label ?? counter, href: pageOf.map(pipeline, at.counter), title: `Value stream map of run ${counter}` },
          { label: `${stage} ${stageCounter}`, href: pageOf.stage(pipeline, at.counter, stage, at.stageCounter), title: 'The stage' },
        ]}
      />
      {read.data === undefined && <h1>{job}</h1>}
      <Loaded read={read} advice={pipelineAdvice}>
        {(found) => (
          <>
            <JobHeader at={at} job={found} run={run.data} />
            <NewerStageRun run={run.data} at={at} job={job} />
            {isWaiting(found) && <Waiting at={at} />}
            {/* Another job has another console: nothing of the last one may stay. */}
            <JobTabs key={Object.values(at).join('/')} at={at} job={found} />
          </>
        )}
      </Loaded>
    </>
  );
}
