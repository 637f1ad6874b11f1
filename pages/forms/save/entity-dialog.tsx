// Reads an entity and changes it in a dialog. The typed values are kept as a draft, also when another user saves first.
import { type Signal, signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { Dialog } from '../../kit/dialog/dialog.tsx';
import { Loaded } from '../../kit/states.tsx';
import { Editing, ProblemSummary } from '../edit/editing.tsx';
import { ServerProblems } from '../edit/server-problems.ts';
import type { Change } from './change.ts';
import { ChangeDialog } from './change-dialog.tsx';
import { BodyDraftOffer } from './draft-offer.tsx';
import { type Entity, useEntity } from './entity.ts';
import { useBodyDraft } from './use-body-draft.ts';

interface EntityDialogProps<T extends object> {
  readonly title: string;
  readonly address: string;
  readonly version: number;
  /** The members of the answer that are changed here and sent back. */
  readonly bodyOf: (answer: T) => T;
  /** The message after success. */
  readonly done: string;
  readonly onClose: (isDone?: boolean) => void;
  readonly fields: (body: Signal<T>) => ComponentChildren;
}

export function EntityDialog<T extends object>(props: EntityDialogProps<T>) {
  const { title, address, version, onClose } = props;
  const read = useEntity<T>(address, version);
  if (read.data !== undefined) return <EditDialog key={read.data.etag} {...props} entity={read.data} onReload={read.reload} />;
  return (
    <Dialog title={title} onClose={() => onClose()}>
      <div class="dialog-body">
        <Loaded read={read}>{() => null}</Loaded>
      </div>
    </Dialog>
  );
}

interface EditDialogProps<T extends object> extends EntityDialogProps<T> {
  readonly entity: Entity<T>;
  /** Reads the current state from the server, and opens it again. */
  readonly onReload: () => void;
}

function EditDialog<T extends object>(props: EditDialogProps<T>) {
  const { title, address, version, bodyOf, done, onClose, fields, entity, onReload } = props;
  const original = useMemo(() => bodyOf(entity.value), []);
  const body = useMemo(() => signal(original), []);
  const problems = useMemo(() => new ServerProblems(body), []);
  const draft = useBodyDraft({ form: address, etag: entity.etag, body, original });
  const change = (): Change => {
    problems.clear();
    return { method: 'PUT', address, version, ifMatch: draft.etag, body: body.peek() };
  };
  return (
    <ChangeDialog
      title={title}
      action="Save"
      change={change}
      done={done}
      isReady={draft.offered === undefined}
      onRefused={(failure) => problems.take(failure)}
      onShowTheirs={() => {
        draft.keepForNewest();
        onReload();
      }}
      onClose={(isDone) => {
        if (isDone) draft.discard();
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
