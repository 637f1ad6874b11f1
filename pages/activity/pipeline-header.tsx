// The pipeline: its name, its state, and the actions on it.
import { runNow, unlock, unpause } from '../actions/pipeline-actions.ts';
import { Link } from '../kit/link.tsx';
import { pageOf } from '../kit/routing.ts';
import { StatusIcon } from '../kit/status.tsx';
import { RelativeTime } from '../kit/text/relative-time.tsx';
import type { PipelineStatus } from './status.ts';

interface PipelineHeaderProps {
  readonly status: PipelineStatus;
  readonly onRun: () => void;
  readonly onPause: () => void;
}

export function PipelineHeader({ status, onRun, onPause }: PipelineHeaderProps) {
  const { name, group } = status;
  return (
    <header class="activity-header">
      <h1>
        {name} <span class="quiet activity-group">{group}</span>
      </h1>
      <Pause status={status} />
      <Lock status={status} />
      <span class="grow" />
      {status.can_administer && (
        <Link href={pageOf.editPipeline(name)} class="button">
          Edit
        </Link>
      )}
      <Buttons status={status} onRun={onRun} onPause={onPause} />
    </header>
  );
}

function Pause({ status: { paused, paused_by, paused_cause, paused_at } }: { readonly status: PipelineStatus }) {
  if (!paused) return null;
  return (
    <p class="activity-mark is-paused">
      <StatusIcon status="paused" />
      <span>
        <strong>Paused</strong> by <bdi>{paused_by || 'unknown'}</bdi> <RelativeTime at={paused_at} />
        {paused_cause === '' ? ', no reason given' : `: ${paused_cause}`}
      </span>
    </p>
  );
}

function Lock({ status: { name, locked, locked_by: run } }: { readonly status: PipelineStatus }) {
  if (!locked) return null;
  return (
    <p class="activity-mark is-locked">
      <span>
        <strong>Locked</strong>
        {run !== null && (
          <>
            {' '}
            by run <Link href={pageOf.map(name, run.counter)}>{run.label}</Link>, begun <RelativeTime at={run.scheduled_date} />
          </>
        )}
      </span>
    </p>
  );
}

function Buttons({ status, onRun, onPause }: PipelineHeaderProps) {
  const { name, paused, locked, can_trigger: canTrigger, can_operate: canOperate } = status;
  if (!canTrigger && !canOperate) return <span class="quiet">You may look, but not run it.</span>;
  return (
    <span class="activity-buttons">
      {canTrigger && (
        <>
          <button type="button" class="button is-primary" onClick={() => runNow(name)}>
            Run
          </button>
          <button type="button" class="button" onClick={onRun}>
            Run with options …
          </button>
        </>
      )}
      {canOperate && (
        <button type="button" class="button" onClick={paused ? () => unpause(name) : onPause}>
          {paused ? 'Unpause' : 'Pause …'}
        </button>
      )}
      {canOperate && locked && (
        <button type="button" class="button" onClick={() => unlock(name)}>
          Unlock
        </button>
      )}
    </span>
  );
}
