// The stages of a run, side by side.

import { Link } from '../kit/link.tsx';
import { isNarrow } from '../kit/narrow.ts';
import { pageOf } from '../kit/routing.ts';
import { StatusIcon, statusOf } from '../kit/status.tsx';
import { type DashboardRun, type DashboardStage, waitingStage } from './row.ts';
import { stageWindow } from './stage-window.ts';

/** As many have room with their names. */
const MAX_NAMED = 5;
const MAX_WIDE = 14;
const MAX_NARROW = 3;
/** Beside how many are before and after. */
const MAX_NARROW_OF_MANY = 1;

interface StagesProps {
  readonly pipeline: string;
  readonly run: DashboardRun;
  /** Whether there is other content beside the stages. */
  readonly isBesideMore: boolean;
}

export function Stages({ pipeline, run, isBesideMore }: StagesProps) {
  const { shown, before, after } = stageWindow(run.stages, maxStages(run.stages.length, isBesideMore));
  const waiting = waitingStage(run);
  return (
    <span class={run.stages.length > MAX_NAMED ? 'stage-pills is-many' : 'stage-pills'}>
      <More count={before} />
      {shown.map((stage) => (
        <StagePill key={stage.name} pipeline={pipeline} counter={run.counter} stage={stage} isWaiting={stage === waiting} />
      ))}
      <More count={after} />
    </span>
  );
}

function maxStages(count: number, isBesideMore: boolean): number {
  if (!isNarrow.value) return MAX_WIDE;
  return count > MAX_NARROW || isBesideMore ? MAX_NARROW_OF_MANY : MAX_NARROW;
}

function More({ count }: { readonly count: number }) {
  if (count === 0) return null;
  return (
    <span class="quiet" title={`${count} more stages`}>
      +{count}
      <span class="hidden"> more stages</span>
    </span>
  );
}

interface StagePillProps {
  readonly pipeline: string;
  readonly counter: number;
  readonly stage: DashboardStage;
  /** Waits for a user to run it. */
  readonly isWaiting: boolean;
}

function StagePill({ pipeline, counter, stage, isWaiting }: StagePillProps) {
  const { name, status, cancelledBy } = stage;
  if (stage.counter === 0) {
    const text = isWaiting ? 'not run, waits for a user to run it' : 'not run';
    return (
      <span class="stage-pill is-unknown" title={`${name}: ${text}`}>
        <StatusIcon status={isWaiting ? 'waiting' : 'unknown'} />
        <span class="stage-name">{name}</span>
        <span class="hidden">: {text}</span>
      </span>
    );
  }
  const shown = statusOf(status);
  const text = `${status}${cancelledBy ? ` by ${cancelledBy}` : ''}`;
  return (
    <Link href={pageOf.stage(pipeline, counter, name, stage.counter)} class={`stage-pill is-${shown}`} title={`${name}: ${text}`}>
      <StatusIcon status={shown} />
      <span class="stage-name">{name}</span>
      <span class="hidden">: {text}</span>
    </Link>
  );
}
