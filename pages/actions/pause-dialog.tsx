// Asks why a pipeline is paused: other users see the reason.
import { useState } from 'preact/hooks';
import { FormDialog } from '../kit/dialog/form-dialog.tsx';
import { Labelled } from '../kit/fields/labelled.tsx';
import { showMessage } from '../kit/messages.tsx';
import { pausePipeline } from './pipeline-requests.ts';

export function PauseDialog({ pipeline, onClose }: { readonly pipeline: string; readonly onClose: () => void }) {
  const [reason, setReason] = useState('');
  const pause = async (): Promise<void> => {
    const answer = await pausePipeline(pipeline, reason);
    showMessage(answer?.message ?? `${pipeline} is paused.`);
  };
  return (
    <FormDialog title={`Pause ${pipeline}`} action="Pause" onClose={onClose} onSubmit={pause}>
      <p>It starts no run until it is unpaused. What runs now goes on.</p>
      <Labelled label="Why?" isOptional>
        <input value={reason} onInput={({ currentTarget }) => setReason(currentTarget.value)} maxLength={255} />
      </Labelled>
    </FormDialog>
  );
}
