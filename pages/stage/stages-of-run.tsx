// The stages of the run: where this one stands, and the ones before and after it.
import { isSame, type RunAnswer, type StageLocator, type StageOfRun } from '../api/run-answers.ts';
import { Link } from '../kit/link.tsx';
import { pageOf } from '../kit/routing.ts';
import { StatusIcon, statusOf } from '../kit/status.tsx';

export function StagesOfRun({ run, at }: { readonly run: RunAnswer; readonly at: StageLocator }) {
  const here = run.stages.findIndex(({ name }) => isSame(name, at.stage));
  if (run.stages.length < 2) return null;
  return (
    <nav class="stages-of-run" aria-label="Stages of this run">
      <Neighbour run={run} stage={run.stages[here - 1]} text="← Previous stage" />
      <ol>
        {run.stages.map((stage, index) => (
          <li key={stage.name}>
            <StageLink run={run} stage={stage} isHere={index === here} />
          </li>
        ))}
      </ol>
      <Neighbour run={run} stage={run.stages[here + 1]} text="Next stage →" />
    </nav>
  );
}

function Neighbour({ run, stage, text }: { readonly run: RunAnswer; readonly stage: StageOfRun | undefined; readonly text: string }) {
  if (stage === undefined || !stage.scheduled) return null;
  return <Link href={pageOf.stage(run.name, run.counter, stage.name, Number(stage.counter))}>{text}</Link>;
}

function StageLink({ run, stage, isHere }: { readonly run: RunAnswer; readonly stage: StageOfRun; readonly isHere: boolean }) {
  const { name, counter, scheduled, status } = stage;
  const shown = scheduled ? statusOf(status) : 'unknown';
  const content = (
    <>
      <StatusIcon status={shown} />
      {name}
      <span class="hidden">{scheduled ? status : 'not run'}</span>
    </>
  );
  if (!scheduled) {
    return (
      <span class="stage-pill is-unknown" title={stage.approval_type === 'manual' ? 'Waits for a user to run it' : 'Not run yet'}>
        {content}
      </span>
    );
  }
  return (
    <Link
      href={pageOf.stage(run.name, run.counter, name, Number(counter))}
      class={`stage-pill is-${shown}`}
      aria-current={isHere ? 'step' : undefined}
      title={status}
    >
      {content}
    </Link>
  );
}
