// Reads an entity and changes it in a dialog.
import type { Signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { BodyDialog } from './body-dialog.tsx';
import { type Entity, useEntity } from './entity.ts';
import { LoadedDialog } from './loaded-dialog.tsx';

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
  return (
    <LoadedDialog title={title} read={read} onClose={onClose}>
      {(entity) => <EditDialog key={entity.etag} {...props} entity={entity} onReload={read.reload} />}
    </LoadedDialog>
  );
}

interface EditDialogProps<T extends object> extends EntityDialogProps<T> {
  readonly entity: Entity<T>;
  readonly onReload: () => void;
}

function EditDialog<T extends object>({ address, version, bodyOf, done, entity, ...others }: EditDialogProps<T>) {
  const original = useMemo(() => bodyOf(entity.value), []);
  return (
    <BodyDialog
      {...others}
      form={address}
      original={original}
      etag={entity.etag}
      change={(body, ifMatch) => ({ method: 'PUT', address, version, ifMatch, body })}
      done={() => done}
    />
  );
}
