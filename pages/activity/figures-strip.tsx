// How the last runs went, in one line.
import { path } from '../api/address.ts';
import { useApi } from '../api/queries.ts';
import { PartFailed } from '../kit/states.tsx';
import { statusOf } from '../kit/status.tsx';
import { durationText } from '../kit/text/time.ts';
import { BAR_WIDTH, BARS_HEIGHT, barsOf, barsWidth, type FigureRun, type Figures, rateText } from './figures.ts';

const VERSION = 1;

/** Says nothing where there is nothing to say. */
export function FiguresStrip({ pipeline }: { readonly pipeline: string }) {
  const key = pipeline.toLowerCase();
  const { data, failure, reload } = useApi<Figures>(path`/api/pipelines/${pipeline}/statistics`, VERSION, {
    changedBy: ({ kind, pipeline: name }) => kind === 'stage' && name?.toLowerCase() === key,
  });
  if (data === undefined)
    return failure === undefined ? null : <PartFailed what="How the last runs went" failure={failure} onRetry={reload} />;
  if (data.runs.length === 0) return null;
  const { runs, passed, success_rate: rate, duration_ms: duration, waiting_ms: waiting } = data.summary;
  return (
    <section class="figures" aria-label={`The last ${data.runs.length} runs in figures`}>
      <Bars runs={data.runs} />
      <dl>
        {duration !== null && <Figure name="Median" value={durationText(duration.median)} more={`90 % in ${durationText(duration.p90)}`} />}
        {rate !== null && <Figure name="Passed" value={rateText(rate)} more={`${passed} of ${runs}`} />}
        {waiting !== null && <Figure name="Waiting" value={durationText(waiting.median)} more={`90 % in ${durationText(waiting.p90)}`} />}
      </dl>
    </section>
  );
}

function Figure({ name, value, more }: { readonly name: string; readonly value: string; readonly more: string }) {
  return (
    <div>
      <dt class="quiet">{name}</dt>
      <dd>
        {value} <span class="quiet">{more}</span>
      </dd>
    </div>
  );
}

function Bars({ runs }: { readonly runs: readonly FigureRun[] }) {
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

function classOf({ result }: FigureRun): string {
  return result === 'Unknown' ? 'building' : statusOf(result);
}

function textOf({ label, result, duration_ms }: FigureRun): string {
  return `${label}: ${result === 'Unknown' ? 'under way' : result.toLowerCase()}, ${durationText(duration_ms)}`;
}
