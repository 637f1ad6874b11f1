// A dialog about an entity: while that is read, and when it cannot be, the dialog says so.
import type { ComponentChildren } from 'preact';
import { Dialog } from '../../kit/dialog/dialog.tsx';
import { Loaded } from '../../kit/states.tsx';
import type { Entity, EntityRead } from './entity.ts';

interface LoadedDialogProps<T> {
  readonly title: string;
  readonly read: EntityRead<T>;
  readonly onClose: (isDone?: boolean) => void;
  /** The dialog itself. Give it a `key` of the version: another version is another dialog. */
  readonly children: (entity: Entity<T>) => ComponentChildren;
}

export function LoadedDialog<T>({ title, read, onClose, children }: LoadedDialogProps<T>) {
  if (read.data !== undefined) return <>{children(read.data)}</>;
  return (
    <Dialog title={title} onClose={() => onClose()}>
      <div class="dialog-body">
        <Loaded read={read}>{() => null}</Loaded>
      </div>
    </Dialog>
  );
}
