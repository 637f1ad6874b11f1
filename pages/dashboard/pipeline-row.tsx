// One pipeline in one line.
import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { runNow, unlock, unpause } from '../actions/pipeline-actions.ts';
import { runStage } from '../actions/pipeline-requests.ts';
import { addressOf } from '../api/address.ts';
import { Hint } from '../kit/dialog/hint.tsx';
import { Menu, type MenuItem } from '../kit/dialog/menu.tsx';
import { Link } from '../kit/link.tsx';
import { memo } from '../kit/memo.ts';
import { runAction } from '../kit/messages.tsx';
import { navigate, pageOf } from '../kit/routing.ts';
import { StatusIcon } from '../kit/status.tsx';
import { RelativeTime } from '../kit/text/relative-time.tsx';
import { dateTimeText } from '../kit/text/time.ts';
import { type DashboardRow, type DashboardRun, waitingStage } from './row.ts';
import { Stages } from './stages.tsx';

export type RowAction = { readonly is: 'run' | 'pause'; readonly pipeline: string };

interface PipelineRowProps {
  readonly name: string;
  /** undefined: it is gone since the list was made. */
  readonly row: DashboardRow | undefined;
  readonly isSelected: boolean;
  readonly onSelect: (name: string) => void;
  readonly onAction: (action: RowAction) => void;
}

export const PipelineRow = memo(function PipelineRow({ name, row, isSelected, onSelect, onAction }: PipelineRowProps) {
  const element = useRef<HTMLDivElement>(null);
  useFocusWhenSelected(element, name, isSelected);
  if (row === undefined) return <div class="dashboard-row quiet">{name} was removed, or you may no longer see it.</div>;
  const [run, ...others] = row.runs;
  return (
    <div ref={element} class={isSelected ? 'dashboard-row is-selected' : 'dashboard-row'} onFocusIn={() => onSelect(name)}>
      <span class="dashboard-name">
        <Link href={pageOf.activity(name)} title={name}>
          {name}
        </Link>
        <Marks row={row} />
      </span>
      <span class="dashboard-run">
        {run === undefined ? (
          <span class="quiet">not run yet</span>
        ) : (
          <>
            <Link href={pageOf.map(name, run.counter)} class="dashboard-label" title={`Value stream map of ${run.label}`}>
              {run.label}
            </Link>
            <Stages pipeline={name} run={run} isBesideMore={others.length > 0} />
            {others.length > 0 && (
              <Link href={pageOf.activity(name)} class="quiet dashboard-others">
                +{others.length}
                <span class="mark-word"> running</span>
              </Link>
            )}
          </>
        )}
      </span>
      <span class="dashboard-when quiet">
        {run !== undefined && (
          <>
            <RelativeTime at={run.scheduledAt} /> <span class="dashboard-by">by {run.triggeredBy ?? 'unknown'}</span>
          </>
        )}
      </span>
      <span class="dashboard-actions">
        {row.canOperate && (
          <button type="button" class="icon-button" aria-label={`Run ${name}`} title="Run" onClick={() => runNow(name)}>
            ▷
          </button>
        )}
        <Actions row={row} run={run} onAction={onAction} />
      </span>
    </div>
  );
});

/** The selection by keys and the focus are always at the same pipeline, so that screen readers read the selected pipeline. */
function useFocusWhenSelected(element: RefObject<HTMLDivElement>, name: string, isSelected: boolean): void {
  useEffect(() => {
    const { activeElement } = document;
    if (!isSelected || element.current === null || element.current.contains(activeElement)) return;
    // A row that comes back into sight takes the focus from nothing else.
    if (activeElement !== document.body && activeElement?.closest('.dashboard') == null) return;
    element.current.querySelector('a')?.focus({ preventScroll: true });
  }, [isSelected, name]);
}

function PauseMark({ pause }: { readonly pause: NonNullable<DashboardRow['pause']> }) {
  const by = pause.by ?? 'unknown';
  const reason = pause.reason || 'no reason given';
  const at = dateTimeText(pause.at);
  const shown = (
    <>
      Paused by <bdi>{by}</bdi>: <bdi>{reason}</bdi> ({at})
    </>
  );
  return (
    <Hint text={`Paused by ${by}: ${reason} (${at})`} shown={shown}>
      <span class="status is-paused">
        <StatusIcon status="paused" /> <span class="mark-word">paused</span>
      </span>
    </Hint>
  );
}

function Marks({ row: { pause, isLocked, origin } }: { readonly row: DashboardRow }) {
  return (
    <>
      {pause !== undefined && <PauseMark pause={pause} />}
      {isLocked && <span class="badge">locked</span>}
      {origin !== null && (
        <span class="quiet dashboard-origin" title={`Defined by the config repo ${origin}`}>
          {origin}
        </span>
      )}
    </>
  );
}

interface ActionsProps {
  readonly row: DashboardRow;
  readonly run: DashboardRun | undefined;
  readonly onAction: (action: RowAction) => void;
}

function Actions({ row, run, onAction }: ActionsProps) {
  const { name, canOperate, canAdminister, canPause, pause, isLocked } = row;
  const next = run && waitingStage(run);
  const items: (MenuItem | false | undefined)[] = [
    canOperate && { label: 'Run with options …', run: () => onAction({ is: 'run', pipeline: name }) },
    run !== undefined &&
      next?.canOperate && {
        label: `Run stage ${next.name}`,
        run: () => void runAction(() => runStage(name, run.counter, next.name), 'The stage will run.'),
      },
    canPause &&
      (pause ? { label: 'Unpause', run: () => unpause(name) } : { label: 'Pause …', run: () => onAction({ is: 'pause', pipeline: name }) }),
    canPause && isLocked && { label: 'Unlock', run: () => unlock(name) },
    canAdminister && { label: 'Edit', run: () => navigate(addressOf(pageOf.editPipeline(name))) },
  ];
  const offered = items.filter((item) => typeof item === 'object');
  if (offered.length === 0) return null;
  return (
    // An open menu belongs to this pipeline, and closes when the row shows another pipeline.
    <Menu key={name} label={`Actions for ${name}`} items={offered}>
      ⋯
    </Menu>
  );
}
