// The new changes in a run: one line, and on demand all revisions that the run was made from.
import { useState } from 'preact/hooks';
import { Comment, Revision } from '../kit/revision.tsx';
import { RelativeTime } from '../kit/text/relative-time.tsx';
import { authorName, firstLine, pluralize, shortRevision } from '../kit/text/text.ts';
import { changesOf, PIPELINE_TYPE, type Run, type RunMaterial, unchangedText, wentBack } from './run.ts';

/** Of a material that brought nothing new. */
const STEPS = { same: 'unchanged', older: 'went back', newer: 'went forward again' } as const;

export function RunChanges({ run }: { readonly run: Run }) {
  const [isOpen, setIsOpen] = useState(false);
  const { material_revisions: materials } = run.build_cause;
  return (
    <details class="run-changes" onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary>
        <Summary run={run} />
      </summary>
      {isOpen && (
        <>
          <p class="quiet">{run.build_cause.trigger_message}</p>
          {materials.map((one) => (
            <Material key={one.material.fingerprint} {...one} />
          ))}
        </>
      )}
    </details>
  );
}

function Summary({ run }: { readonly run: Run }) {
  const changes = changesOf(run);
  const [newest] = changes;
  if (newest === undefined) return <span class="quiet">{unchangedText(run)}</span>;
  const back = wentBack(run);
  const { material, modification } = newest;
  const isRun = material.type === PIPELINE_TYPE;
  return (
    <>
      <code title={material.description}>{shortRevision(modification.revision)}</code>{' '}
      {isRun ? <span class="quiet">from upstream</span> : <bdi>{firstLine(modification.comment ?? '')}</bdi>}{' '}
      <span class="quiet">
        <bdi>{authorName(modification.user_name)}</bdi>
        {changes.length > 1 && ` · ${changes.length - 1} more`}
        {back.length > 0 && ` · went back in ${pluralize(back.length, 'material')}`}
      </span>
    </>
  );
}

function Material({ changed, since_previous_run: step, material, modifications }: RunMaterial) {
  const { name, type, fingerprint, description } = material;
  return (
    <section class="run-material">
      <h2 title={description}>
        {name} <span class="quiet">{type}</span> {!changed && <span class="quiet">{STEPS[step ?? 'same']}</span>}
      </h2>
      <ul class="modifications">
        {modifications.map(({ revision, user_name: author, modified_time: at, comment }) => (
          <li key={revision}>
            <Revision fingerprint={fingerprint} revision={revision} isRun={type === PIPELINE_TYPE} />
            <span class="quiet">{authorName(author)}</span>
            <span class="quiet">
              <RelativeTime at={at} />
            </span>
            {type === PIPELINE_TYPE ? <span /> : <Comment text={comment} />}
          </li>
        ))}
      </ul>
    </section>
  );
}
