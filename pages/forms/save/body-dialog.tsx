// Edits the body of a request in a dialog. The typed values are kept as a draft, also when another user saves first.
import { type Signal, signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { BodyDraftOffer } from '../drafts/draft-offer.tsx';
import { useBodyDraft } from '../drafts/use-body-draft.ts';
import { Editing, ProblemSummary } from '../edit/editing.tsx';
import { ServerProblems } from '../edit/server-problems.ts';
import type { Change } from './change.ts';
import { ChangeDialog } from './change-dialog.tsx';

interface BodyDialogProps<T extends object> {
  readonly title: string;
  /** The label of the last button: a verb. */
  readonly action?: string;
  /** By which its draft is found again. */
  readonly form: string;
  readonly original: T;
  /** undefined: a new entity. */
  readonly etag: string | undefined;
  readonly change: (body: T, etag: string | undefined) => Change;
  /** The message after success. */
  readonly done: (body: T) => string;
  /** Reads the current state from the server, and opens it again. */
  readonly onReload: () => void;
  /** Called before the dialog is closed. */
  readonly onSaved?: (body: T) => void;
  readonly onClose: (isDone?: boolean) => void;
  readonly fields: (body: Signal<T>) => ComponentChildren;
}

export function BodyDialog<T extends object>(props: BodyDialogProps<T>) {
  const { title, action = 'Save', form, original, etag, change, done, onReload, onSaved, onClose, fields } = props;
  const body = useMemo(() => signal(original), []);
  const problems = useMemo(() => new ServerProblems(body), []);
  const draft = useBodyDraft({ form, etag, body, original });
  return (
    <ChangeDialog
      title={title}
      action={action}
      change={() => {
        problems.clear();
        return change(body.peek(), draft.etag);
      }}
      done={done(body.value)}
      isReady={draft.offered === undefined}
      onRefused={(failure) => problems.take(failure)}
      onShowTheirs={() => {
        draft.keepForNewest();
        onReload();
      }}
      onClose={(isDone) => {
        if (isDone) {
          draft.discard();
          onSaved?.(body.peek());
        }
        onClose(isDone);
      }}
    >
      <Editing problems={problems} isReadOnly={draft.offered !== undefined} above={<BodyDraftOffer draft={draft} />}>
        <ProblemSummary problems={problems} />
        {fields(body)}
      </Editing>
    </ChangeDialog>
  );
}
