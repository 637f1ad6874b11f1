// A file that the configuration shows as a tab. Its content comes from a build, so it is not trusted, and gets no rights here.
import { useEffect, useRef } from 'preact/hooks';
import { addressOf, pathIn } from '../api/address.ts';
import { type ReadState, useApi } from '../api/queries.ts';
import { Empty, Loaded } from '../kit/states.tsx';
import type { ConfiguredTab, JobLocator } from './job.ts';
import { type ArtifactView, isDue, type ReadView, shownView } from './report-view.ts';
import { viewAddress } from './use-job.ts';

const VIEW_VERSION = 1;
const LOOK_EVERY_MS = 60_000;

interface ReportTabProps {
  readonly at: JobLocator;
  readonly tab: ConfiguredTab;
  readonly hasEnded: boolean;
}

export function ReportTab({ at, tab, hasEnded }: ReportTabProps) {
  if (tab.url !== null) return <Report at={at} tab={tab} />;
  const { path } = tab;
  return (
    <Empty
      text={hasEnded ? `The job has not published ${path}, or it was deleted.` : `${path} is shown here once the job has published it.`}
    />
  );
}

function Report({ at, tab: { name, path } }: Pick<ReportTabProps, 'at' | 'tab'>) {
  const read = useApi<ArtifactView>(viewAddress(at, path), VIEW_VERSION);
  const view = useShownView(read);
  return (
    <Loaded read={read}>
      {({ url }) => {
        const address = addressOf(pathIn(view?.url ?? url));
        return (
          <section class="report" aria-label={name}>
            <p class="quiet">
              {path} is a file that the job has left. It is shown without any rights.{' '}
              <a href={address} target="_blank" rel="noopener noreferrer">
                Open it alone
              </a>
            </p>
            {/* Without `allow-same-origin` it belongs to no origin: its scripts can reach neither this page nor the server. */}
            <iframe class="report-frame" title={name} src={address} sandbox="allow-scripts allow-popups" referrerpolicy="no-referrer" />
          </section>
        );
      }}
    </Loaded>
  );
}

/** Reads a new address before the shown one ends, also after the machine has slept, and again when that fails. */
function useShownView({ data, readAt, reload }: ReadState<ArtifactView>): ReadView | undefined {
  const shown = useRef<ReadView>();
  shown.current = shownView(shown.current, data && { url: data.url, readAt });
  useEffect(() => {
    const timer = setInterval(() => {
      if (shown.current !== undefined && isDue(shown.current, Date.now())) reload();
    }, LOOK_EVERY_MS);
    return () => clearInterval(timer);
  }, []);
  return shown.current;
}
