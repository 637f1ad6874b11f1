// The approver, times and duration of a run of a stage, and the other runs of that stage.
import { isSame, type RunAnswer, type StageLocator, type StageRunAnswer } from '../api/run-answers.ts';
import { Fact, Facts } from '../kit/facts.tsx';
import { Link } from '../kit/link.tsx';
import { pageOf } from '../kit/routing.ts';
import { DurationWithEstimate } from '../kit/text/duration-with-estimate.tsx';
import { RelativeTime } from '../kit/text/relative-time.tsx';
import { countersTo } from './stage.ts';

const MAX_COUNTERS = 12;

interface StageFactsProps {
  readonly at: StageLocator;
  readonly stage: StageRunAnswer;
  readonly run: RunAnswer | undefined;
}

export function StageFacts({ at, stage, run }: StageFactsProps) {
  const newest = Number(run?.stages.find(({ name }) => isSame(name, at.stage))?.counter ?? at.stageCounter);
  return (
    <Facts>
      <Fact name={newest > 1 ? 'Runs' : 'Run'}>
        <Counters at={at} newest={Math.max(newest, at.stageCounter)} />
        {stage.rerun_of_counter !== null && <span class="quiet"> some jobs of run {stage.rerun_of_counter} again</span>}
      </Fact>
      <Fact name="Started by">
        {stage.approved_by === 'changes' ? 'changes' : <bdi>{stage.approved_by}</bdi>}
        {stage.approval_type === 'manual' && <span class="quiet"> by hand</span>}
      </Fact>
      {stage.cancelled_by !== undefined && <Fact name="Cancelled by">{stage.cancelled_by}</Fact>}
      <Fact name="Scheduled">
        <RelativeTime at={stage.scheduled_at} />
      </Fact>
      {stage.completed_at !== null && (
        <Fact name="Ended">
          <RelativeTime at={stage.completed_at} />
        </Fact>
      )}
      <Fact name={stage.completed_at === null ? 'Takes' : 'Took'}>
        <DurationWithEstimate from={stage.scheduled_at} ms={stage.duration_ms} estimatedMs={stage.estimated_duration_ms} />
      </Fact>
      {stage.artifacts_deleted && <Fact name="Artifacts">deleted</Fact>}
    </Facts>
  );
}

function Counters({ at: { pipeline, counter, stage, stageCounter }, newest }: { readonly at: StageLocator; readonly newest: number }) {
  return (
    <span class="stage-counters">
      {countersTo(newest, MAX_COUNTERS).map((other) => (
        <Link
          key={other}
          href={pageOf.stage(pipeline, counter, stage, other)}
          aria-current={other === stageCounter ? 'page' : undefined}
          aria-label={`Run ${other} of this stage`}
        >
          {other}
        </Link>
      ))}
    </span>
  );
}
