// Asks for what is needed, then shows what would change and makes it.
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { ApiFailure } from '../../api/failure.ts';
import { Dialog } from '../../kit/dialog/dialog.tsx';
import type { Change } from './change.ts';
import { previewText } from './preview-text.ts';
import { SaveDialog } from './save-dialog.tsx';

interface TwoStepsProps {
  readonly title: string;
  /** What the last button says: a verb. */
  readonly action: string;
  readonly change: () => Change;
  /** What is told when it is done. */
  readonly done: string;
  readonly onClose: (isDone?: boolean) => void;
  /** What is asked for has to be read first. */
  readonly isReady?: boolean;
  /** The server has found something wrong with what was sent: it is shown where it was asked for. */
  readonly onRefused?: (failure: ApiFailure) => void;
  /** Others have changed it: shows what they have made of it. */
  readonly onLookAtTheirs?: () => void;
  readonly children: ComponentChildren;
}

export function TwoSteps(props: TwoStepsProps) {
  const { title, action, change, done, onClose, isReady = true, onRefused, onLookAtTheirs, children } = props;
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
        onLookAtTheirs={onLookAtTheirs}
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
