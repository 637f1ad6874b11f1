// The artifacts of a job: files and folders, each to look at and to download.
import { useMemo } from 'preact/hooks';
import { addressOf } from '../../api/address.ts';
import { useLinkedPages } from '../../api/queries.ts';
import { isAboutPipeline } from '../../api/run-answers.ts';
import { currentSession } from '../../api/session.ts';
import { useStageRun } from '../../api/use-runs.ts';
import { Link } from '../../kit/link.tsx';
import { pageOf } from '../../kit/routing.ts';
import { Empty, Failed, Loading } from '../../kit/states.tsx';
import { bytesText } from '../../kit/text/bytes.ts';
import type { JobLocator } from '../job.ts';
import { filesAddress } from '../use-job.ts';
import { Folder } from './folder.tsx';
import { type ListingEntry, mergePages, totalOf } from './tree.ts';

interface ArtifactsProps {
  readonly at: JobLocator;
  readonly hasEnded: boolean;
}

export function Artifacts({ at, hasEnded }: ArtifactsProps) {
  const address = filesAddress(at);
  const list = useLinkedPages<readonly ListingEntry[]>(`${address}.json`, { changedBy: isAboutPipeline(at.pipeline) });
  const isPurged = useStageRun(at).data?.artifacts_deleted ?? false;
  const tree = useMemo(() => mergePages(list.pages.map(({ items }) => items)), [list.pages]);
  if (list.pages.length === 0) {
    return list.failure === undefined ? <Loading /> : <Failed failure={list.failure} onRetry={list.reload} />;
  }
  const { files, bytes } = totalOf(tree);
  const hasOwn = tree.some(({ name }) => name !== 'cruise-output');
  return (
    <section class="artifacts" aria-label="Artifacts">
      {isPurged && (
        <p class="stale" role="status">
          The artifacts of this stage were deleted, to make room or by a rule of retention. The console stays.
        </p>
      )}
      {!hasOwn && !isPurged && <NoArtifacts at={at} hasEnded={hasEnded} />}
      <Folder items={tree} depth={0} />
      <p class="quiet" role="status">
        {files} {files === 1 ? 'file' : 'files'}, {bytesText(bytes)}
        {list.hasMore && ', and more: '}
        {list.hasMore && (
          <button type="button" class="link-button" disabled={list.isLoadingMore} onClick={list.loadMore}>
            {list.isLoadingMore ? 'Loading …' : 'read on'}
          </button>
        )}
      </p>
    </section>
  );
}

function NoArtifacts({ at, hasEnded }: ArtifactsProps) {
  if (!hasEnded) return <Empty text="Artifacts are listed here once the job has published them." />;
  const url = new URL(addressOf(filesAddress(at)), location.href).href;
  return (
    <Empty
      text="This job has left no artifacts. Its configuration says which files it leaves; some can also be sent by hand."
      command={`curl -u me -H 'X-Svc-Confirm: true' -F file=@notes.txt ${url}/docs/notes.txt`}
    >
      {currentSession()?.is_admin && (
        <Link href={pageOf.editPipeline(at.pipeline)} class="button">
          Edit {at.pipeline}
        </Link>
      )}
    </Empty>
  );
}
