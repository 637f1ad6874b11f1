// Reverts a change: shows the plan, or the obstacles, before anything happens.
import { useEffect, useState } from 'preact/hooks';
import type { DryRunPlan, EntityChange } from '../api/change-answers.ts';
import { type RequestOptions, request, send } from '../api/client.ts';
import { ApiFailure, messageOf } from '../api/failure.ts';
import { reloadAll } from '../api/queries.ts';
import { ReasonField } from '../forms/save/reason-field.tsx';
import { useReason } from '../forms/save/use-reason.ts';
import { FormDialog } from '../kit/dialog/form-dialog.tsx';
import { PlanPreview } from '../kit/diff/plan-preview.tsx';
import { showMessage } from '../kit/messages.tsx';
import { pageOf, useLocation } from '../kit/routing.ts';
import { Loading } from '../kit/states.tsx';
import { Obstacles } from './obstacles.tsx';
import { HISTORY_VERSION, type Obstacle, obstaclesIn } from './revision.ts';

interface Reversal {
  readonly changes: readonly EntityChange[];
  readonly left_out: readonly Obstacle[];
  readonly _plan?: DryRunPlan;
}

interface RevertDialogProps {
  readonly title: string;
  readonly action: string;
  /** The reason in the change log if the user gives no other. */
  readonly defaultReason: string;
  readonly address: string;
  readonly body: { readonly revision?: number };
  /** The request is refused if the entity has another version by then. */
  readonly ifMatch?: string;
  /** The request is refused if the entity exists by then. */
  readonly isNewOnly?: boolean;
  readonly onClose: () => void;
}

export function RevertDialog({ title, action, defaultReason, address, body, ifMatch, isNewOnly, onClose }: RevertDialogProps) {
  const [, navigate] = useLocation();
  const reason = useReason([address, body.revision].join(' ').trim());
  const options: RequestOptions = { method: 'POST', version: HISTORY_VERSION, body, ifMatch, isNewOnly };
  const { preview, failure } = usePreview(address, options);
  const plan = preview && planOf(preview);
  const revert = async (): Promise<void> => {
    const made = (await request(address, { ...options, reason: reason.text })).headers.get('X-Svc-Revision');
    reason.forget();
    reloadAll('/api/');
    showMessage(made === null ? 'Nothing had to be changed.' : `Done, as revision ${made}.`);
    if (made !== null) navigate(pageOf.change(Number(made)));
  };
  return (
    <FormDialog
      title={title}
      action={action}
      isWide
      isDisabled={plan === undefined || plan.changes.length === 0}
      onClose={onClose}
      onSubmit={revert}
    >
      {preview === undefined && failure === undefined && <Loading what="Trying it out" />}
      {failure !== undefined && <Refused failure={failure} />}
      {plan !== undefined && <PlanPreview plan={plan} />}
      {preview !== undefined && preview.left_out.length > 0 && (
        <>
          <p>This is left as it is:</p>
          <Obstacles obstacles={preview.left_out} />
        </>
      )}
      {plan !== undefined && plan.changes.length > 0 && <ReasonField reason={reason} defaultReason={defaultReason} />}
    </FormDialog>
  );
}

function Refused({ failure }: { readonly failure: unknown }) {
  const obstacles = failure instanceof ApiFailure ? obstaclesIn(failure.answer) : [];
  return (
    <>
      <p class="refusal" role="alert">
        {messageOf(failure)}
      </p>
      <Obstacles obstacles={obstacles} />
    </>
  );
}

function planOf({ changes, _plan: plan }: Reversal): DryRunPlan {
  return plan ?? { changes, affected: [] };
}

function usePreview(address: string, options: RequestOptions): { readonly preview?: Reversal; readonly failure?: unknown } {
  const [state, setState] = useState<{ readonly preview?: Reversal; readonly failure?: unknown }>({});
  useEffect(() => {
    const stop = new AbortController();
    send<Reversal>(`${address}?dry_run=true`, { ...options, signal: stop.signal }).then(
      (preview) => setState({ preview }),
      (failure: unknown) => {
        if (!stop.signal.aborted) setState({ failure });
      },
    );
    return () => stop.abort();
  }, []);
  return state;
}
