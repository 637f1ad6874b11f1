// The stages of a run from left to right, with the gates between them.
import { isWithoutAgent } from '../api/run-answers.ts';
import { Link } from '../kit/link.tsx';
import { pageOf } from '../kit/routing.ts';
import { StatusIcon, statusOf } from '../kit/status.tsx';
import { Duration } from '../kit/text/relative-time.tsx';
import { durationText } from '../kit/text/time.ts';
import { isActive, type Run, type RunStage } from './run.ts';
import { actionsOf, type StageAction } from './stage-action.ts';

interface StagesProps {
  readonly run: Run;
  readonly onAction: (action: StageAction) => void;
}

export function RunStages({ run, onAction }: StagesProps) {
  return (
    <ol class="run-stages" aria-label={`Stages of ${run.label}`}>
      {run.stages.map((stage, index) => (
        <li key={stage.name}>
          {index > 0 && <Gate stage={stage} />}
          <StagePill run={run} stage={stage} />
          <QuickAction run={run} stage={stage} onAction={onAction} />
        </li>
      ))}
    </ol>
  );
}

/** Whether the stage starts by itself, or waits for a user to run it. */
function Gate({ stage: { approval_type: type } }: { readonly stage: RunStage }) {
  if (type !== 'manual') return <span class="run-arrow" aria-hidden="true" />;
  return <span class="run-gate" title="Waits for a user to run it" aria-hidden="true" />;
}

function StagePill({ run, stage }: { readonly run: Run; readonly stage: RunStage }) {
  const { name, counter, status, scheduled_date: start, estimated_duration_ms: estimatedMs } = stage;
  if (!stage.scheduled) {
    const isGate = stage.approval_type === 'manual';
    return (
      <span class="stage-pill is-unknown" title={`${name}: not run${isGate ? ', waits for a user to run it' : ''}`}>
        <StatusIcon status={stage.awaits_approval ? 'waiting' : 'unknown'} />
        <span class="stage-name">{name}</span>
        <span class="hidden">{stage.awaits_approval ? 'awaits approval' : 'not run'}</span>
      </span>
    );
  }
  const isWaiting = isActive(stage) && isWithoutAgent(stage.jobs);
  const shown = isWaiting ? 'waiting' : statusOf(status);
  return (
    <Link href={pageOf.stage(run.name, run.counter, name, Number(counter))} class={`stage-pill is-${shown}`} title={titleOf(stage)}>
      <StatusIcon status={shown} />
      <span class="stage-name">{name}</span>
      <span class="hidden">{isWaiting ? 'waits for an agent' : status}</span>
      {Number(counter) > 1 && <span title={`Run ${counter} of the stage`}>×{counter}</span>}
      {isActive(stage) && (
        <span>
          {isWaiting && 'waits '}
          <Duration from={start} />
          {estimatedMs !== undefined && !isWaiting && ` of ${durationText(estimatedMs)}`}
        </span>
      )}
    </Link>
  );
}

function titleOf(stage: RunStage): string {
  const { name, status, scheduled_date: start, completed_date: end, approved_by: approver, cancelled_by: canceller } = stage;
  const parts = [
    `${name}: ${isActive(stage) && isWithoutAgent(stage.jobs) ? 'waits for an agent' : status}`,
    canceller && `by ${canceller}`,
    start !== null && end !== null && `in ${durationText(end - start)}`,
    approver && `started by ${approver}`,
  ];
  return parts.filter(Boolean).join(', ');
}

/** The most urgent action: approve a gate, or cancel a running stage. The other actions are in the menu. */
function QuickAction({ run, stage, onAction }: StagesProps & { readonly stage: RunStage }) {
  const action = actionsOf(run, stage).find(({ is }) => is === 'cancel' || (is === 'run' && stage.awaits_approval));
  if (action === undefined) return null;
  const label = action.is === 'cancel' ? `Cancel ${stage.name} of ${run.label}` : `Run ${stage.name} of ${run.label}`;
  return (
    <button type="button" class="button is-small run-quick" aria-label={label} title={label} onClick={() => onAction(action)}>
      {action.is === 'cancel' ? 'Cancel' : '▷ Run'}
    </button>
  );
}
