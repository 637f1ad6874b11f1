// The changes of a plan, and the errors in the desired state.
import { useState } from 'preact/hooks';
import { EntityLink } from '../kit/diff/changed-entities.tsx';
import { PlanPreview } from '../kit/diff/plan-preview.tsx';
import { pluralize } from '../kit/text/text.ts';
import { ApplyDialog } from './apply-dialog.tsx';
import { countsText, lineIn, type Plan, type PlanError } from './plan.ts';

interface PlanResultProps {
  readonly plan: Plan;
  /** The desired state has changed since the plan was made. */
  readonly isOutdated: boolean;
  readonly onLine: (line: number) => void;
  readonly onAgain: () => void;
  readonly onApplied: () => void;
}

export function PlanResult({ plan, isOutdated, onLine, onAgain, onApplied }: PlanResultProps) {
  const [isApplying, setIsApplying] = useState(false);
  const { id, changes, errors, affected, ignored, warnings } = plan;
  return (
    <section aria-label="Plan">
      {isOutdated && (
        <p class="stale" role="status">
          What you want has changed since this plan was made.{' '}
          <button type="button" class="link-button" onClick={onAgain}>
            Plan again
          </button>
        </p>
      )}
      <div class="toolbar">
        <div role="status">
          <h2>{headingOf(plan)}</h2>
        </div>
        {id !== null && (
          <button type="button" class="button is-primary" disabled={isOutdated} onClick={() => setIsApplying(true)}>
            Apply …
          </button>
        )}
      </div>
      {errors.length > 0 && <Errors errors={errors} onLine={onLine} />}
      <Notes title="Not taken over" notes={ignored.map(({ what, why }) => ({ location: what, text: why }))} />
      <Notes
        title="Taken over, but a plugin does not accept it"
        notes={warnings.map(({ path, message }) => ({ location: path, text: message }))}
      />
      {changes.length > 0 && <PlanPreview plan={{ changes, affected }} />}
      {isApplying && id !== null && (
        <ApplyDialog id={id} changes={changes} onAgain={onAgain} onApplied={onApplied} onClose={() => setIsApplying(false)} />
      )}
    </section>
  );
}

function headingOf({ changes, errors }: Plan): string {
  if (errors.length > 0) return `${pluralize(errors.length, 'mistake')}: nothing can be applied`;
  return changes.length === 0 ? 'Nothing to do: the configuration is like this already' : `Would be ${countsText(changes)}`;
}

function Errors({ errors, onLine }: { readonly errors: readonly PlanError[]; readonly onLine: (line: number) => void }) {
  return (
    <ul class="plan-errors">
      {errors.map((error, index) => (
        <li key={index}>
          <ErrorLocation error={error} onLine={onLine} /> {error.message}
        </li>
      ))}
    </ul>
  );
}

function ErrorLocation({ error: { resource, id, path }, onLine }: { readonly error: PlanError; readonly onLine: (line: number) => void }) {
  const line = lineIn(path);
  if (line !== undefined) {
    return (
      <button type="button" class="link-button" onClick={() => onLine(line)}>
        {path}
      </button>
    );
  }
  return (
    <>
      {resource !== null && <EntityLink entity={{ resource, id: id ?? '' }} />} {path !== '' && <code>{path}</code>}
    </>
  );
}

function Notes({
  title,
  notes,
}: {
  readonly title: string;
  readonly notes: readonly { readonly location: string; readonly text: string }[];
}) {
  if (notes.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <ul>
        {notes.map(({ location, text }, index) => (
          <li key={index}>
            <code>{location}</code> {text}
          </li>
        ))}
      </ul>
    </>
  );
}
