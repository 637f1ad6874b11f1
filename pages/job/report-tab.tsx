// A file that the configuration shows as a tab. Whoever can have something built decides what is in it, so it gets no rights here.
import { addressOf, pathIn } from '../api/address.ts';
import { Empty } from '../kit/states.tsx';
import type { ConfiguredTab } from './job.ts';

export function ReportTab({ tab: { name, path, url }, hasEnded }: { readonly tab: ConfiguredTab; readonly hasEnded: boolean }) {
  if (url === null) {
    return (
      <Empty
        text={hasEnded ? `The job has not published ${path}, or it was deleted.` : `${path} is shown here once the job has published it.`}
      />
    );
  }
  const address = addressOf(pathIn(url));
  return (
    <section class="report" aria-label={name}>
      <p class="quiet">
        {path} is a file that the job has left. It is shown without any rights.{' '}
        <a href={address} target="_blank" rel="noopener">
          Open it alone
        </a>
      </p>
      {/* Without `allow-same-origin` it belongs to no origin: its scripts can reach neither this page nor the server. */}
      <iframe class="report-frame" title={name} src={address} sandbox="allow-scripts allow-popups" referrerpolicy="no-referrer" />
    </section>
  );
}
