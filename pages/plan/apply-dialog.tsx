// Applies a plan, if nothing that it is about has changed since.
import { useState } from 'preact/hooks';
import type { EntityChange } from '../api/change-answers.ts';
import { request } from '../api/client.ts';
import { ApiFailure } from '../api/failure.ts';
import { reloadAll } from '../api/queries.ts';
import { ReasonField } from '../forms/save/reason-field.tsx';
import { useReason } from '../forms/save/use-reason.ts';
import { FormDialog } from '../kit/dialog/form-dialog.tsx';
import { kindText } from '../kit/diff/change-text.ts';
import { EntityLink } from '../kit/diff/changed-entities.tsx';
import { Link } from '../kit/link.tsx';
import { showMessage } from '../kit/messages.tsx';
import { pageOf, useLocation } from '../kit/routing.ts';
import { RelativeTime } from '../kit/text/relative-time.tsx';
import { type ChangedEntity, countsText, movedIn, PLAN_ADDRESS, PLAN_VERSION } from './plan.ts';

interface ApplyDialogProps {
  readonly id: string;
  readonly changes: readonly EntityChange[];
  readonly onAgain: () => void;
  readonly onApplied: () => void;
  readonly onClose: () => void;
}

export function ApplyDialog({ id, changes, onAgain, onApplied, onClose }: ApplyDialogProps) {
  const [, navigate] = useLocation();
  const reason = useReason(PLAN_ADDRESS);
  const [conflict, setConflict] = useState<ReturnType<typeof movedIn>>();
  const apply = async (): Promise<void> => {
    try {
      const { headers } = await request(`${PLAN_ADDRESS}/${id}/apply`, {
        method: 'POST',
        version: PLAN_VERSION,
        body: {},
        reason: reason.text,
      });
      const made = headers.get('X-Svc-Revision');
      reason.forget();
      reloadAll('/api/');
      onApplied();
      showMessage(made === null ? 'Nothing had to be changed.' : `Applied, as revision ${made}.`);
      if (made !== null) navigate(pageOf.change(Number(made)));
    } catch (failure) {
      if (failure instanceof ApiFailure && failure.status === 409) setConflict(movedIn(failure.answer));
      throw failure;
    }
  };
  const isDeleting = changes.some(({ operation }) => operation === 'delete');
  return (
    <FormDialog title="Apply the plan" action="Apply" isDangerous={isDeleting} onClose={onClose} onSubmit={apply}>
      <p>{countsText(changes)}, as one revision. It can be reverted afterwards.</p>
      <ReasonField reason={reason} />
      {conflict !== undefined && (
        <>
          <Moved {...conflict} />
          <button
            type="button"
            class="button"
            onClick={() => {
              onClose();
              onAgain();
            }}
          >
            Plan again
          </button>
        </>
      )}
    </FormDialog>
  );
}

function Moved({ moved, lists }: ReturnType<typeof movedIn>) {
  return (
    <ul class="plan-moved">
      {moved.map((entity) => (
        <li key={`${entity.resource}\n${entity.id}`}>
          <EntityLink entity={entity} /> was {entity.what} <By entity={entity} />
        </li>
      ))}
      {lists.map((resource) => (
        <li key={resource}>Something came or went among the {kindText(resource)}.</li>
      ))}
    </ul>
  );
}

function By({ entity: { revision, actor, time } }: { readonly entity: ChangedEntity }) {
  if (revision === null) return null;
  return (
    <>
      by {actor} in <Link href={pageOf.change(revision)}>revision {revision}</Link>, <RelativeTime at={time} />
    </>
  );
}
