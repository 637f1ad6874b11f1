// Deletes an entity of the configuration: asks first, and names the obstacles and the usages.
import { useEffect, useState } from 'preact/hooks';
import type { DryRunPlan } from '../../api/change-answers.ts';
import { messageOf } from '../../api/failure.ts';
import { FormDialog } from '../../kit/dialog/form-dialog.tsx';
import { Affected } from '../../kit/diff/plan-preview.tsx';
import { Loading } from '../../kit/states.tsx';
import { ReasonField } from './reason-field.tsx';
import { previewChange, type SaveResult, type SaveTarget, saveChange, showSaved } from './requests.ts';
import { Usages } from './usages.tsx';
import { useReason } from './use-reason.ts';

export interface DeleteDialogProps {
  /** `artifact store release-bucket`. */
  readonly what: string;
  readonly target: Omit<SaveTarget, 'method'>;
  /** The address of its usages. */
  readonly usages?: string | undefined;
  /** Names the things that are deleted with it. */
  readonly note?: string;
  readonly onClose: () => void;
  readonly onDeleted: (saved: SaveResult) => void;
}

export function DeleteDialog({ what, target, usages, note, onClose, onDeleted }: DeleteDialogProps) {
  const [plan, setPlan] = useState<DryRunPlan>();
  const [obstacle, setObstacle] = useState<string>();
  const removal: SaveTarget = { ...target, method: 'DELETE' };
  const reason = useReason(`DELETE ${target.address}`);
  useEffect(() => {
    previewChange(removal).then(setPlan, (failure: unknown) => setObstacle(messageOf(failure)));
  }, []);
  const remove = async (): Promise<void> => {
    const saved = await saveChange(removal, undefined, { reason: reason.text });
    reason.forget();
    showSaved(`Deleted ${what}.`, saved);
    onDeleted(saved);
  };
  return (
    <FormDialog title={`Delete ${what}`} action="Delete" isDangerous onClose={onClose} onSubmit={remove} isDisabled={plan === undefined}>
      {note !== undefined && <p>{note}</p>}
      {plan === undefined && obstacle === undefined && <Loading what="Looking at what uses it" />}
      {obstacle !== undefined && (
        <p class="refusal" role="alert">
          {obstacle}
        </p>
      )}
      {usages !== undefined && <Usages address={usages} />}
      {plan !== undefined && <Affected entities={plan.affected} />}
      {plan !== undefined && <ReasonField reason={reason} />}
    </FormDialog>
  );
}
