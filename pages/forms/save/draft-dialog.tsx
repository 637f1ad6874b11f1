// A dialog with a few fields. The typed values are kept as a draft until the server has taken them.
import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { FormDialog, type FormDialogProps } from '../../kit/dialog/form-dialog.tsx';
import { BodyDraftOffer } from '../drafts/draft-offer.tsx';
import { useBodyDraft } from '../drafts/use-body-draft.ts';

interface DraftDialogProps<T extends object> extends Omit<FormDialogProps, 'onSubmit' | 'isDisabled' | 'children'> {
  /** By which its draft is found again. */
  readonly form: string;
  readonly original: T;
  /** Closes the dialog when it succeeds; its failure is shown. */
  readonly onSubmit: (body: T) => Promise<void>;
  readonly fields: (body: T, set: (changed: Partial<T>) => void) => ComponentChildren;
}

export function DraftDialog<T extends object>({ form, original, onSubmit, fields, ...others }: DraftDialogProps<T>) {
  const body = useMemo(() => signal(original), []);
  const draft = useBodyDraft({ form, etag: undefined, body, original });
  const isOffered = draft.offered !== undefined;
  const submit = async (): Promise<void> => {
    await onSubmit(body.peek());
    draft.discard();
  };
  const set = (changed: Partial<T>): void => {
    body.value = { ...body.peek(), ...changed };
  };
  return (
    <FormDialog {...others} isDisabled={isOffered} onSubmit={submit}>
      <BodyDraftOffer draft={draft} />
      <fieldset class="editing" disabled={isOffered}>
        {fields(body.value, set)}
      </fieldset>
    </FormDialog>
  );
}
