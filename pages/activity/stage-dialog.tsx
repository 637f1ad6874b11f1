// Asks before something is done with a stage: a deployment, or the end of a long build, is one click away.
import { cancelStage, runFailedJobs, runStage } from '../actions/pipeline-requests.ts';
import { FormDialog } from '../kit/dialog/form-dialog.tsx';
import { showMessage } from '../kit/messages.tsx';
import { labelOf, type StageAction } from './stage-action.ts';

const EXPLAINED: Readonly<Record<StageAction['is'], string>> = {
  run: 'The stage runs with the revisions of this run.',
  'run again': 'All jobs of the stage run again, with the revisions of this run. Stages after it follow as usual.',
  'run failed jobs': 'The jobs that failed or were cancelled run again. The results of the others are kept.',
  cancel: 'Its jobs are stopped where they are.',
};

const send = ({ is, run: { name, counter }, stage }: StageAction) => {
  const stageCounter = Number(stage.counter);
  if (is === 'cancel') return cancelStage(name, counter, stage.name, stageCounter);
  if (is === 'run failed jobs') return runFailedJobs(name, counter, stage.name, stageCounter);
  return runStage(name, counter, stage.name);
};

export function StageActionDialog({ action, onClose }: { readonly action: StageAction; readonly onClose: () => void }) {
  const { is, run, stage } = action;
  const submit = async (): Promise<void> => {
    const answer = await send(action);
    showMessage(answer?.message ?? 'Done.');
  };
  const failed = stage.jobs.filter(({ result }) => result === 'Failed' || result === 'Cancelled').map(({ name }) => name);
  return (
    <FormDialog
      title={`${labelOf(action)}: ${run.name} ${run.label}`}
      action={is === 'cancel' ? 'Cancel the stage' : 'Run'}
      closeLabel={is === 'cancel' ? 'Let it run' : 'Cancel'}
      isDangerous={is === 'cancel'}
      onClose={onClose}
      onSubmit={submit}
    >
      <p>{EXPLAINED[is]}</p>
      {is === 'run failed jobs' && <p>These are: {failed.join(', ')}.</p>}
    </FormDialog>
  );
}
