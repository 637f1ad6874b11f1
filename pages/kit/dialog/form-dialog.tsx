// A dialog with fields that sends a request and shows the problems that the server finds beside the fields.
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { ApiFailure, type FieldProblems, messageOf } from '../../api/failure.ts';
import { Dialog, focusFirstField } from './dialog.tsx';
import { DialogProblems } from './field-problem.tsx';

export interface FormDialogProps {
  readonly title: string;
  /** The label of the button that sends: a verb. */
  readonly action: string;
  /** The label of the button that closes without sending. */
  readonly closeLabel?: string;
  readonly onClose: () => void;
  /** Closes the dialog when it succeeds in the last step; its failure is shown. */
  readonly onSubmit: () => Promise<void>;
  readonly children: ComponentChildren;
  readonly isDangerous?: boolean;
  readonly isWide?: boolean;
  readonly isDisabled?: boolean;
  /** False: the dialog stays open for another step. */
  readonly isLastStep?: boolean;
}

export function FormDialog(props: FormDialogProps) {
  const { title, action, closeLabel = 'Cancel', onClose, children, isDangerous, isWide, isDisabled = false } = props;
  const { failure, problems, isSending, submit, dropProblem } = useSending(props);
  const form = useRef<HTMLFormElement>(null);
  // The fields may have to wait for data first. With them comes the focus: a key may be pressed at once.
  useLayoutEffect(() => focusFirstField(form.current?.closest('dialog') ?? null), [isDisabled]);
  return (
    <Dialog title={title} onClose={onClose} isWide={isWide}>
      <form ref={form} onInput={dropProblem} onSubmit={(event) => void submit(event)}>
        <div class="dialog-body">
          <DialogProblems.Provider value={problems}>{children}</DialogProblems.Provider>
        </div>
        {failure !== undefined && (
          <p class="refusal" role="alert">
            {failure}
          </p>
        )}
        <footer class="dialog-footer">
          <button type="button" class="button" onClick={onClose}>
            {closeLabel}
          </button>
          <button type="submit" class={isDangerous ? 'button is-dangerous' : 'button is-primary'} disabled={isSending || isDisabled}>
            {isSending ? `${action} …` : action}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}

function useSending({ onSubmit, onClose, isDisabled = false, isLastStep = true }: FormDialogProps) {
  const [failure, setFailure] = useState<string>();
  const [problems, setProblems] = useState<FieldProblems>({});
  const [isSending, setIsSending] = useState(false);
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (isSending || isDisabled) return;
    setIsSending(true);
    setFailure(undefined);
    setProblems({});
    try {
      await onSubmit();
      if (isLastStep) onClose();
    } catch (problem) {
      setFailure(messageOf(problem));
      if (problem instanceof ApiFailure) setProblems(problem.fields);
    } finally {
      setIsSending(false);
    }
  };
  // The problems of a field are dropped once the user changes it.
  const dropProblem = ({ target }: Event): void => {
    if (failure === undefined) return;
    const { [target instanceof HTMLElement ? (target.dataset.field ?? '') : '']: _, ...left } = problems;
    setProblems(left);
    if (Object.keys(left).length === 0) setFailure(undefined);
  };
  return { failure, problems, isSending, submit, dropProblem };
}
