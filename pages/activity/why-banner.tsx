// Why the pipeline does not run by itself now: in a sentence, and on demand all reasons and the state of its materials.

import { useRef } from 'preact/hooks';
import { path } from '../api/address.ts';
import { type ReadState, useApi } from '../api/queries.ts';
import { Link } from '../kit/link.tsx';
import { Revision } from '../kit/revision.tsx';
import { pageOf } from '../kit/routing.ts';
import { PartFailed } from '../kit/states.tsx';
import { TableHead } from '../kit/table-head.tsx';
import { RelativeTime } from '../kit/text/relative-time.tsx';
import { pluralize } from '../kit/text/text.ts';
import { PIPELINE_TYPE } from './run.ts';
import { isNoticeAbout } from './use-runs.ts';
import { dependsOnAgents, hasPollError, headlineOf, nextByTimer, type Why, type WhyMaterial, type WhyReason } from './why.ts';

const VERSION = 1;

export function WhyBanner({ pipeline }: { readonly pipeline: string }) {
  const { data: why, failure, reload } = useWhy(pipeline);
  if (why === undefined) return failure === undefined ? null : <PartFailed what="Why it does not run" failure={failure} onRetry={reload} />;
  const { text, tone, others } = headlineOf(why);
  const next = nextByTimer(why);
  return (
    <details class={`why is-${tone}`}>
      <summary>
        <span class="hidden">Why is it not running? </span>
        {text}
        {others > 0 && <span class="quiet"> And {pluralize(others, 'other reason')}.</span>}
        {next !== undefined && (
          <span class="quiet">
            {' '}
            Its timer runs it <RelativeTime at={next} />.
          </span>
        )}
      </summary>
      {why.reasons.length > 0 && (
        <ul>
          {why.reasons.map((reason) => (
            <Reason key={reason.rule} reason={reason} />
          ))}
        </ul>
      )}
      <Materials materials={why.materials} />
    </details>
  );
}

/** Read again when the pipeline, one of its materials, the configuration, maintenance mode, or an agent that a job waits for changes. */
function useWhy(pipeline: string): ReadState<Why> {
  const fingerprints = useRef<ReadonlySet<string>>(new Set());
  const isOfAgents = useRef(false);
  const isAbout = isNoticeAbout(pipeline);
  const read = useApi<Why>(path`/api/pipelines/${pipeline}/why`, VERSION, {
    changedBy: (notice) =>
      isAbout(notice) ||
      notice.kind === 'config' ||
      notice.kind === 'maintenance' ||
      (notice.kind === 'agent' && isOfAgents.current) ||
      (notice.kind === 'material' && fingerprints.current.has(notice.fingerprint ?? '')),
  });
  fingerprints.current = new Set(read.data?.materials.map(({ fingerprint }) => fingerprint));
  isOfAgents.current = read.data !== undefined && dependsOnAgents(read.data);
  return read;
}

function Reason({ reason }: { readonly reason: WhyReason }) {
  const { message, materials = [] } = reason;
  const files = materials.flatMap((material) => material.files ?? []);
  return (
    <li>
      <bdi>{message}</bdi>
      {hasPollError(reason) && (
        <>
          {' '}
          <Link href={pageOf.materials()}>See the materials</Link>
        </>
      )}
      {files.length > 0 && <span class="quiet"> Changed: {files.join(', ')}.</span>}
    </li>
  );
}

function Materials({ materials }: { readonly materials: readonly WhyMaterial[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reachable by keyboard
    <section class="table-scroll" tabIndex={0} aria-label="Materials">
      <table>
        <TableHead columns={['Material', 'Last run from', 'Newest known']} />
        <tbody>
          {materials.map(({ fingerprint, type, description, last_run_revision: last, latest_revision: latest }) => (
            <tr key={fingerprint}>
              <td>
                <bdi>{description}</bdi> <span class="quiet">{type}</span>
              </td>
              <td>{last === null ? 'none' : <Revision fingerprint={fingerprint} revision={last} isRun={type === PIPELINE_TYPE} />}</td>
              <td>
                {latest === null ? 'none yet' : <Revision fingerprint={fingerprint} revision={latest} isRun={type === PIPELINE_TYPE} />}{' '}
                {latest !== null && latest !== last && <span class="badge">new</span>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
