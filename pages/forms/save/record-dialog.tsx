// Changes a record outside the configuration, such as a user, in a dialog: with a draft, and with a preview before it is saved.
import { showMessage } from '../../kit/messages.tsx';
import type { Change } from './change.ts';
import { ChangeSummary } from './change-summary.tsx';
import { DraftDialog, type DraftDialogProps } from './draft-dialog.tsx';
import { previewText } from './preview-text.ts';
import { useRecordChange } from './use-record-change.ts';

interface RecordDialogProps<T extends object>
  extends Pick<DraftDialogProps<T>, 'title' | 'action' | 'form' | 'original' | 'fields' | 'onClose'> {
  readonly change: (body: T) => Change;
  /** False where the ETag changes all the time, and not by users. */
  readonly isVersioned?: boolean;
  /** The message after success. */
  readonly done: (body: T) => string;
  readonly onSaved: () => void;
}

export function RecordDialog<T extends object>({ action, change, isVersioned = true, done, onSaved, ...others }: RecordDialogProps<T>) {
  const { plan, isPreviewed, submit, reset } = useRecordChange({ isVersioned });
  const save = async (body: T): Promise<void> => {
    if ((await submit(change(body))) === undefined) return;
    showMessage(done(body));
    onSaved();
  };
  return (
    <DraftDialog
      {...others}
      action={isPreviewed ? action : previewText(action)}
      isLastStep={isPreviewed}
      onSubmit={save}
      onEdit={reset}
      below={plan !== undefined && <ChangeSummary plan={plan} />}
    />
  );
}
