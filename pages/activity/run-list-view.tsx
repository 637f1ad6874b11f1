// The runs of a pipeline, the newest first.

import { runNow } from '../actions/pipeline-actions.ts';
import { addressOf, path } from '../api/address.ts';
import { Link } from '../kit/link.tsx';
import { LazyItem } from '../kit/list/lazy-item.tsx';
import { pageOf } from '../kit/routing.ts';
import { Empty, Failed, Loading } from '../kit/states.tsx';
import { type ComparedRuns, pairOf } from './compared-runs.ts';
import { type RunAction, RunBlock } from './run-block.tsx';
import type { PipelineStatus } from './status.ts';
import type { Runs } from './use-runs.ts';

/** The height of a run until it is measured, and how many runs are drawn before the visible ones are known. */
const DEFAULT_HEIGHT = 58;
const DRAWN_AT_ONCE = 12;

interface RunListViewProps {
  readonly status: PipelineStatus;
  readonly runs: Runs;
  readonly selected: number | undefined;
  readonly chosen: ComparedRuns;
  readonly onChoose: (counter: number) => void;
  readonly onAction: (action: RunAction) => void;
}

export function RunListView({ status, runs: { runs, waiting, read }, selected, chosen, onChoose, onAction }: RunListViewProps) {
  if (read.isLoading) return <Loading />;
  if (runs.length === 0)
    return read.failure === undefined ? <NoRuns status={status} /> : <Failed failure={read.failure} onRetry={read.reload} />;
  return (
    <section aria-label="Runs">
      {read.failure !== undefined && (
        <p class="stale" role="status">
          {read.failure.message} The runs below may be outdated.{' '}
          <button type="button" class="link-button" onClick={read.reload}>
            Try again
          </button>
        </p>
      )}
      <Floating pipeline={status.name} waiting={waiting} chosen={chosen} />
      <ol class="runs">
        {runs.map((run, index) => (
          <LazyItem
            key={run.counter}
            class="run"
            isSelected={run.counter === selected}
            isFirst={index < DRAWN_AT_ONCE}
            height={DEFAULT_HEIGHT}
          >
            {() => (
              <RunBlock
                run={run}
                canComment={status.can_operate}
                isChosen={chosen.includes(run.counter)}
                onChoose={onChoose}
                onAction={onAction}
              />
            )}
          </LazyItem>
        ))}
      </ol>
      {read.hasMore && (
        <button type="button" class="button" disabled={read.isLoadingMore} onClick={read.loadMore}>
          {read.isLoadingMore ? 'Loading …' : 'Load more'}
        </button>
      )}
    </section>
  );
}

/** Stays in sight: the number of new runs above, and the link to compare the chosen runs. */
function Floating({ pipeline, waiting, chosen }: { readonly pipeline: string; readonly waiting: number; readonly chosen: ComparedRuns }) {
  const pair = pairOf(chosen, undefined);
  return (
    <div class="runs-floating" role="status">
      {waiting > 0 && (
        <button type="button" class="button is-small" onClick={() => scrollTo(0, 0)}>
          {waiting} new
        </button>
      )}
      {pair !== undefined && (
        <Link href={pageOf.compare(pipeline, ...pair)} class="button is-small is-primary">
          Compare {pair[0]} with {pair[1]}
        </Link>
      )}
      {chosen.length === 1 && <span class="quiet">or choose another run</span>}
    </div>
  );
}

function NoRuns({ status: { name, can_trigger: canTrigger } }: { readonly status: PipelineStatus }) {
  const address = new URL(addressOf(path`/api/pipelines/${name}/schedule`), location.href).href;
  const command = `curl --user NAME:PASSWORD --request POST ${address} \\
  --header 'Accept: application/vnd.svc+json' --header 'X-Svc-Confirm: true'`;
  return (
    <Empty
      text={`${name} has not run yet.${canTrigger ? '' : ' You may not run it: ask an administrator of its group.'}`}
      {...(canTrigger && { command })}
    >
      {canTrigger && (
        <button type="button" class="button is-primary" onClick={() => runNow(name)}>
          Run it now
        </button>
      )}
    </Empty>
  );
}
