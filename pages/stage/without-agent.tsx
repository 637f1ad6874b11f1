// A warning that all jobs wait for an agent, with a link to the reasons.
import { isWithoutAgent, type JobAnswer, type StageLocator } from '../api/run-answers.ts';
import { Link } from '../kit/link.tsx';
import { pageOf } from '../kit/routing.ts';

interface WithoutAgentProps {
  readonly at: StageLocator;
  readonly jobs: readonly JobAnswer[];
}

export function WithoutAgent({ at: { pipeline, counter, stage, stageCounter }, jobs }: WithoutAgentProps) {
  const first = jobs.find(({ state }) => state === 'Scheduled');
  if (first === undefined || !isWithoutAgent(jobs)) return null;
  return (
    <p class="stale" role="status">
      No agent has taken {jobs.length === 1 ? 'the job' : 'the next job'} yet.{' '}
      <Link href={pageOf.job(pipeline, counter, stage, stageCounter, first.name)}>Why {first.name} waits</Link>
    </p>
  );
}
