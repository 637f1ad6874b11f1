// Statistics of the last runs, in one line: durations, how many passed, and how long they waited.
import { path } from '../api/address.ts';
import { useApi } from '../api/queries.ts';
import { PartFailed } from '../kit/states.tsx';
import { statusOf } from '../kit/status.tsx';
import { durationText } from '../kit/text/time.ts';
import { BAR_WIDTH, BARS_HEIGHT, barsOf, barsWidth, type RunStatistics, rateText, type Statistics } from './statistics.ts';

const VERSION = 1;

/** Shows nothing for a pipeline without runs. */
export function StatisticsStrip({ pipeline }: { readonly pipeline: string }) {
  const key = pipeline.toLowerCase();
  const { data, failure, reload } = useApi<Statistics>(path`/api/pipelines/${pipeline}/statistics`, VERSION, {
    changedBy: ({ kind, pipeline: name }) => kind === 'stage' && name?.toLowerCase() === key,
  });
  if (data === undefined)
    return failure === undefined ? null : <PartFailed what="How the last runs went" failure={failure} onRetry={reload} />;
  if (data.runs.length === 0) return null;
  const { runs, passed, success_rate: rate, duration_ms: duration, waiting_ms: waiting } = data.summary;
  return (
    <section class="statistics" aria-label={`The last ${data.runs.length} runs in numbers`}>
      <Bars runs={data.runs} />
      <dl>
        {duration !== null && (
          <Statistic name="Median" value={durationText(duration.median)} more={`90 % in ${durationText(duration.p90)}`} />
        )}
        {rate !== null && <Statistic name="Passed" value={rateText(rate)} more={`${passed} of ${runs}`} />}
        {waiting !== null && (
          <Statistic name="Waiting" value={durationText(waiting.median)} more={`90 % in ${durationText(waiting.p90)}`} />
        )}
      </dl>
    </section>
  );
}

function Statistic({ name, value, more }: { readonly name: string; readonly value: string; readonly more: string }) {
  return (
    <div>
      <dt class="quiet">{name}</dt>
      <dd>
        {value} <span class="quiet">{more}</span>
      </dd>
    </div>
  );
}

function Bars({ runs }: { readonly runs: readonly RunStatistics[] }) {
  const bars = barsOf(runs);
  const width = barsWidth(bars.length);
  return (
    // biome-ignore lint/a11y/useSemanticElements: there is no element for a group of pictures inside a picture
    <svg
      class="bars"
      role="group"
      aria-label="Durations, oldest first"
      width={width}
      height={BARS_HEIGHT}
      viewBox={`0 0 ${width} ${BARS_HEIGHT}`}
    >
      {bars.map(({ run, x, y, height }) => (
        // biome-ignore lint/a11y/noInteractiveElementToNoninteractiveRole: a group of shapes is not interactive
        <g key={run.counter} role="img" aria-label={textOf(run)} class={`bar is-${classOf(run)}`}>
          <title>{textOf(run)}</title>
          <rect class="bar-space" x={x} y={0} width={BAR_WIDTH} height={BARS_HEIGHT} />
          <rect x={x + 0.5} y={y + 0.5} width={BAR_WIDTH - 1} height={height - 1} />
        </g>
      ))}
    </svg>
  );
}

function classOf({ result }: RunStatistics): string {
  return result === 'Unknown' ? 'building' : statusOf(result);
}

function textOf({ label, result, duration_ms }: RunStatistics): string {
  return `${label}: ${result === 'Unknown' ? 'under way' : result.toLowerCase()}, ${durationText(duration_ms)}`;
}
