// Asks for the details of a change, then previews it and makes it.
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { ApiFailure } from '../../api/failure.ts';
import { Dialog } from '../../kit/dialog/dialog.tsx';
import type { Change } from './change.ts';
import { previewText } from './preview-text.ts';
import { SaveDialog } from './save-dialog.tsx';

interface ChangeDialogProps {
  readonly title: string;
  /** The label of the last button: a verb. */
  readonly action: string;
  readonly change: () => Change;
  /** The message after success. */
  readonly done: string;
  readonly onClose: (isDone?: boolean) => void;
  /** False while the data for the first step are still being read. */
  readonly isReady?: boolean;
  /** The server has found problems in the body: the first step shows them. */
  readonly onRefused?: (failure: ApiFailure) => void;
  /** Another user has changed the entity: shows that version. */
  readonly onShowTheirs?: () => void;
  readonly children: ComponentChildren;
}

export function ChangeDialog(props: ChangeDialogProps) {
  const { title, action, change, done, onClose, isReady = true, onRefused, onShowTheirs, children } = props;
  const [step, setStep] = useState<Change>();
  if (step !== undefined)
    return (
      <SaveDialog
        title={title}
        action={action}
        change={step}
        done={done}
        onClose={() => setStep(undefined)}
        onSaved={() => onClose(true)}
        onShowTheirs={onShowTheirs}
        onRefused={
          onRefused &&
          ((failure) => {
            setStep(undefined);
            onRefused(failure);
          })
        }
      />
    );
  const submit = (event: Event): void => {
    event.preventDefault();
    if (isReady) setStep(change());
  };
  return (
    <Dialog title={title} onClose={() => onClose()}>
      <form onSubmit={submit}>
        <div class="dialog-body">{children}</div>
        <footer class="dialog-footer">
          <button type="button" class="button" onClick={() => onClose()}>
            Cancel
          </button>
          <button type="submit" class="button is-primary" disabled={!isReady}>
            {previewText(action)}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}
