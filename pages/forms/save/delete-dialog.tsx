// Deletes something of the configuration: asks first, and says what stands in the way and what uses it.
import { useEffect, useState } from 'preact/hooks';
import type { DryRunPlan } from '../../api/change-answers.ts';
import { send } from '../../api/client.ts';
import { messageOf } from '../../api/failure.ts';
import { FormDialog } from '../../kit/dialog/form-dialog.tsx';
import { Affected } from '../../kit/diff/plan-preview.tsx';
import { ReasonField } from '../../kit/fields/reason-field.tsx';
import { Loading } from '../../kit/states.tsx';
import { previewChange, type Saved, type SaveTarget, saveChange, tellSaved } from './requests.ts';

export interface DeleteDialogProps {
  /** `artifact store release-bucket`. */
  readonly what: string;
  readonly target: Omit<SaveTarget, 'method'>;
  /** Where it is told what uses it. */
  readonly usages?: string | undefined;
  readonly onClose: () => void;
  readonly onDeleted: (saved: Saved) => void;
}

export function DeleteDialog({ what, target, usages, onClose, onDeleted }: DeleteDialogProps) {
  const [plan, setPlan] = useState<DryRunPlan>();
  const [obstacle, setObstacle] = useState<string>();
  const [reason, setReason] = useState('');
  const removal: SaveTarget = { ...target, method: 'DELETE' };
  useEffect(() => {
    previewChange(removal).then(setPlan, (failure: unknown) => setObstacle(messageOf(failure)));
  }, []);
  const remove = async (): Promise<void> => {
    const saved = await saveChange(removal, undefined, { reason });
    tellSaved(`Deleted ${what}.`, saved);
    onDeleted(saved);
  };
  return (
    <FormDialog title={`Delete ${what}`} action="Delete" isDangerous onClose={onClose} onSubmit={remove} isDisabled={plan === undefined}>
      {plan === undefined && obstacle === undefined && <Loading what="Looking at what uses it" />}
      {obstacle !== undefined && (
        <p class="refusal" role="alert">
          {obstacle}
        </p>
      )}
      {usages !== undefined && <Usages address={usages} />}
      {plan !== undefined && <Affected entities={plan.affected} />}
      {plan !== undefined && <ReasonField value={reason} onInput={setReason} />}
    </FormDialog>
  );
}

/** Some tell pipelines alone, some also where in them. */
interface UsagesAnswer {
  readonly usages: readonly Usage[];
}

interface Usage {
  readonly pipeline?: string;
  readonly pipeline_name?: string;
  readonly stage_name?: string;
  readonly job_name?: string;
}

function Usages({ address }: { readonly address: string }) {
  const [used, setUsed] = useState<readonly Usage[]>([]);
  useEffect(() => {
    // Who may not read them learns from the refusal what stands in the way.
    send<UsagesAnswer | readonly Usage[]>(address, {}).then(
      (answer) => setUsed(usagesIn(answer)),
      () => undefined,
    );
  }, []);
  if (used.length === 0) return null;
  return (
    <div>
      <p>It is used by:</p>
      <ul>
        {used.map((usage) => (
          <li key={JSON.stringify(usage)}>
            {[usage.pipeline ?? usage.pipeline_name, usage.stage_name, usage.job_name].filter((part) => part !== undefined).join(' / ')}
          </li>
        ))}
      </ul>
    </div>
  );
}

function usagesIn(answer: UsagesAnswer | readonly Usage[] | undefined): readonly Usage[] {
  if (answer === undefined) return [];
  return 'usages' in answer ? answer.usages : answer;
}
