// The last runs of a stage as a strip: how each ended, and how long it took.
import { path } from '../api/address.ts';
import { useApi } from '../api/queries.ts';
import { isAboutPipeline, isSame, type StageLocator, type StageRunAnswer } from '../api/run-answers.ts';
import { Link } from '../kit/link.tsx';
import { pageOf } from '../kit/routing.ts';
import { Loaded } from '../kit/states.tsx';
import { StatusIcon, statusOf } from '../kit/status.tsx';
import { dateTimeText, durationText, now } from '../kit/text/time.ts';
import { stageStatus } from './stage.ts';

const VERSION = 3;
const SHOWN = 30;
const MAX_BAR_HEIGHT = 40;

interface History {
  readonly stages: readonly StageRunAnswer[];
}

export function StageHistory({ at }: { readonly at: StageLocator }) {
  const read = useApi<History>(`${path`/api/stages/${at.pipeline}/${at.stage}/history`}?page_size=${SHOWN}`, VERSION, {
    changedBy: isAboutPipeline(at.pipeline),
  });
  return (
    <Loaded read={read}>
      {({ stages }) => {
        const maxMs = Math.max(1, ...stages.map(durationOf));
        return (
          <ol class="stage-history" aria-label="Last runs of this stage, oldest first">
            {stages.toReversed().map((run) => (
              <li key={`${run.pipeline_counter}/${run.counter}`}>
                <RunInStrip run={run} maxMs={maxMs} isHere={isHere(run, at)} />
              </li>
            ))}
          </ol>
        );
      }}
    </Loaded>
  );
}

function RunInStrip({ run, maxMs, isHere }: { readonly run: StageRunAnswer; readonly maxMs: number; readonly isHere: boolean }) {
  const word = stageStatus(run);
  const status = statusOf(word);
  const name = run.counter === 1 ? run.pipeline_label : `${run.pipeline_label}.${run.counter}`;
  const text = `${name} · Run ${run.pipeline_counter}/${run.counter}: ${word}, ${durationText(durationOf(run))}, ${dateTimeText(run.scheduled_at)}`;
  return (
    <Link
      href={pageOf.stage(run.pipeline_name, run.pipeline_counter, run.name, run.counter)}
      class={`strip-run is-${status}`}
      aria-current={isHere ? 'page' : undefined}
      aria-label={text}
      title={text}
    >
      <span class="strip-bar" style={{ height: `${Math.max(2, Math.round((MAX_BAR_HEIGHT * durationOf(run)) / maxMs))}px` }} />
      <StatusIcon status={status} />
      <span class="strip-label">{name}</span>
    </Link>
  );
}

function durationOf({ duration_ms: ms, scheduled_at: at }: StageRunAnswer): number {
  return ms ?? Math.max(0, now.peek() - at);
}

function isHere(run: StageRunAnswer, at: StageLocator): boolean {
  return run.pipeline_counter === at.counter && run.counter === at.stageCounter && isSame(run.name, at.stage);
}
