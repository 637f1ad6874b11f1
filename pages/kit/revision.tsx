// A revision of a material, and its comment.
import { Link } from './link.tsx';
import { pageOf } from './routing.ts';
import { firstLine, shortRevision } from './text/text.ts';

interface RevisionProps {
  readonly fingerprint: string;
  readonly revision: string;
  /** Of a stage of a pipeline above: `shop/7/build/1`. */
  readonly isRun: boolean;
}

/** Links to the value stream map of the revision; of a run above, to its stage. */
export function Revision({ fingerprint, revision, isRun }: RevisionProps) {
  const [pipeline = '', counter = '', stage = '', stageCounter = ''] = isRun ? revision.split('/') : [];
  const href = isRun ? pageOf.stage(pipeline, Number(counter), stage, Number(stageCounter)) : pageOf.materialMap(fingerprint, revision);
  return (
    <Link href={href} class="revision" title={revision}>
      {shortRevision(revision)}
    </Link>
  );
}

/** The first line; the other lines when the user unfolds them. */
export function Comment({ text }: { readonly text: string | null | undefined }) {
  if (!text) return <span class="quiet">no message</span>;
  const first = firstLine(text);
  const rest = text.trim().slice(first.length).trim();
  if (rest === '') return <span class="comment">{first}</span>;
  return (
    <details class="comment">
      <summary>{first}</summary>
      <p class="comment-rest">{rest}</p>
    </details>
  );
}
