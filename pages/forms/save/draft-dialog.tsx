// A dialog with a few fields. The typed values are kept as a draft until the server has taken them.
import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { FormDialog, type FormDialogProps } from '../../kit/dialog/form-dialog.tsx';
import { BodyDraftOffer } from '../drafts/draft-offer.tsx';
import { useBodyDraft } from '../drafts/use-body-draft.ts';

export interface DraftDialogProps<T extends object> extends Omit<FormDialogProps, 'onSubmit' | 'isDisabled' | 'children'> {
  /** By which its draft is found again. */
  readonly form: string;
  readonly original: T;
  /** Closes the dialog when it succeeds in the last step; its failure is shown. */
  readonly onSubmit: (body: T) => Promise<void>;
  readonly fields: (body: T, set: (changed: Partial<T>) => void) => ComponentChildren;
  /** There is nothing to send. */
  readonly isUnchanged?: (body: T) => boolean;
  readonly onEdit?: () => void;
  /** Content after the fields. */
  readonly below?: ComponentChildren;
}

export function DraftDialog<T extends object>(props: DraftDialogProps<T>) {
  const { form, original, onSubmit, fields, isUnchanged, onEdit, below, isLastStep = true, ...others } = props;
  const body = useMemo(() => signal(original), []);
  const draft = useBodyDraft({ form, etag: undefined, body, original });
  const isOffered = draft.offered !== undefined;
  const submit = async (): Promise<void> => {
    await onSubmit(body.peek());
    if (isLastStep) draft.discard();
  };
  const set = (changed: Partial<T>): void => {
    body.value = { ...body.peek(), ...changed };
    onEdit?.();
  };
  return (
    <FormDialog {...others} isLastStep={isLastStep} isDisabled={isOffered || isUnchanged?.(body.value) === true} onSubmit={submit}>
      <BodyDraftOffer draft={draft} />
      <fieldset class="editing" disabled={isOffered}>
        {fields(body.value, set)}
      </fieldset>
      {below}
    </FormDialog>
  );
}
