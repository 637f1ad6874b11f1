// The revisions that a run was made from, with their comments.
import { useState } from 'preact/hooks';
import type { MaterialRevision, Modification } from '../api/run-answers.ts';
import { Link } from './link.tsx';
import { pageOf } from './routing.ts';
import { RelativeTime } from './text/relative-time.tsx';

const SHOWN_AT_FIRST = 5;
/** A limit also for the whole list: users do not read more here. */
const MAX_SHOWN = 200;
const SHORT = 12;

export function Revisions({ revisions }: { readonly revisions: readonly MaterialRevision[] }) {
  return (
    <ul class="revisions" aria-label="Materials">
      {revisions.map((revision) => (
        <Material key={revision.material.fingerprint} revision={revision} />
      ))}
    </ul>
  );
}

function Material({ revision: { changed, material, modifications } }: { readonly revision: MaterialRevision }) {
  const [isWhole, setIsWhole] = useState(false);
  const shown = modifications.slice(0, isWhole ? MAX_SHOWN : SHOWN_AT_FIRST);
  const isPipeline = material.type === 'Pipeline';
  return (
    <li>
      <p class="revision-material">
        {isPipeline ? <Link href={pageOf.activity(material.description)}>{material.name}</Link> : material.name}{' '}
        <span class="quiet" title={material.description}>
          {material.type}
        </span>{' '}
        {changed && <span class="badge">changed</span>}
      </p>
      <ul>
        {shown.map((modification) => (
          <Change key={modification.revision} modification={modification} fingerprint={material.fingerprint} isPipeline={isPipeline} />
        ))}
      </ul>
      {modifications.length > shown.length && !isWhole && (
        <button type="button" class="link-button" onClick={() => setIsWhole(true)}>
          {modifications.length - shown.length} more
        </button>
      )}
    </li>
  );
}

interface ChangeProps {
  readonly modification: Modification;
  readonly fingerprint: string;
  readonly isPipeline: boolean;
}

function Change({ modification: { revision, user_name: user, comment, modified_time: at }, fingerprint, isPipeline }: ChangeProps) {
  return (
    <li class="revision-row">
      <Link href={isPipeline ? stagePage(revision) : pageOf.materialMap(fingerprint, revision)} title={revision}>
        <code>{isPipeline ? revision : revision.slice(0, SHORT)}</code>
      </Link>
      <span class="revision-comment">{comment ?? ''}</span>
      <span class="quiet">
        <bdi>{user ?? ''}</bdi> <RelativeTime at={at} />
      </span>
    </li>
  );
}

/** A revision of another pipeline is a run of its stage: `web/12/build/1`. */
function stagePage(revision: string): string {
  const [pipeline = '', counter, stage = '', stageCounter] = revision.split('/');
  return pageOf.stage(pipeline, Number(counter), stage, Number(stageCounter));
}
