// Asks before a stage is cancelled: the work of its jobs is lost.
import type { StageLocator } from '../api/run-answers.ts';
import { FormDialog } from '../kit/dialog/form-dialog.tsx';
import { showMessage } from '../kit/messages.tsx';
import { cancelStage } from './pipeline-requests.ts';

export function CancelDialog({ at, onClose }: { readonly at: StageLocator; readonly onClose: () => void }) {
  const cancel = async (): Promise<void> => {
    const answer = await cancelStage(at.pipeline, at.counter, at.stage, at.stageCounter);
    showMessage(answer?.message ?? 'The stage is cancelled.');
  };
  return (
    <FormDialog
      title={`Cancel ${at.stage}`}
      action="Cancel the stage"
      closeLabel="Let it run"
      isDangerous
      onClose={onClose}
      onSubmit={cancel}
    >
      <p>All jobs of {at.stage} that have not ended are stopped. Agents are notified at once.</p>
    </FormDialog>
  );
}
