// Informs users of an old address that the stage was run again since.
import { isSame, type RunAnswer, type StageLocator } from '../api/run-answers.ts';
import { Link } from '../kit/link.tsx';
import { pageOf } from '../kit/routing.ts';

interface NewerStageRunProps {
  readonly run: RunAnswer | undefined;
  readonly at: StageLocator;
  /** On the page of a job: the newer job of the same name. */
  readonly job?: string;
}

export function NewerStageRun({ run, at, job }: NewerStageRunProps) {
  const { pipeline, counter, stage, stageCounter } = at;
  const newest = Number(run?.stages.find(({ name }) => isSame(name, stage))?.counter ?? stageCounter);
  if (newest <= stageCounter) return null;
  const href = job === undefined ? pageOf.stage(pipeline, counter, stage, newest) : pageOf.job(pipeline, counter, stage, newest, job);
  return (
    <p class="stale" role="status">
      This is run {stageCounter} of the stage. It was run again since: <Link href={href}>see run {newest}</Link>.
    </p>
  );
}
