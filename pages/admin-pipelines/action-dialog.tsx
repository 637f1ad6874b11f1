// The dialogs for the actions on a pipeline or a group in the list.
import { path } from '../api/address.ts';
import { SaveDialog } from '../forms/save/save-dialog.tsx';
import { CloneDialog } from './clone-dialog.tsx';
import { ExportDialog } from './export-dialog.tsx';
import { ExtractDialog } from './extract-dialog.tsx';
import { GroupRights, NewGroup } from './group-dialogs.tsx';
import { MoveDialog } from './move-dialog.tsx';
import { GROUPS_VERSION, PIPELINES_VERSION, reloadPipelines } from './requests.ts';

export type Action =
  | { readonly is: 'clone' | 'move' | 'extract' | 'export' | 'delete'; readonly pipeline: string }
  | { readonly is: 'rights' | 'delete-group'; readonly group: string }
  | { readonly is: 'new-group' };

export function ActionDialog({ action, onClose }: { readonly action: Action; readonly onClose: () => void }) {
  const close = (isDone = false): void => {
    if (isDone) reloadPipelines();
    onClose();
  };
  switch (action.is) {
    case 'new-group':
      return <NewGroup onClose={close} />;
    case 'rights':
      return <GroupRights group={action.group} onClose={close} />;
    case 'clone':
      return <CloneDialog pipeline={action.pipeline} onClose={close} />;
    case 'move':
      return <MoveDialog pipeline={action.pipeline} onClose={close} />;
    case 'extract':
      return <ExtractDialog pipeline={action.pipeline} onClose={close} />;
    case 'export':
      return <ExportDialog pipeline={action.pipeline} onClose={onClose} />;
    case 'delete':
      return (
        <DeleteDialog
          address={path`/api/admin/pipelines/${action.pipeline}`}
          version={PIPELINES_VERSION}
          name={action.pipeline}
          onClose={close}
        />
      );
    case 'delete-group':
      return (
        <DeleteDialog
          address={path`/api/admin/pipeline_groups/${action.group}`}
          version={GROUPS_VERSION}
          name={action.group}
          onClose={close}
        />
      );
  }
}

interface DeleteDialogProps {
  readonly address: string;
  readonly version: number;
  readonly name: string;
  readonly onClose: (isDone?: boolean) => void;
}

function DeleteDialog({ address, version, name, onClose }: DeleteDialogProps) {
  return (
    <SaveDialog
      title={`Delete ${name}`}
      action="Delete"
      isDangerous
      change={{ method: 'DELETE', address, version }}
      onClose={() => onClose()}
      done={`${name} is deleted.`}
      onSaved={() => onClose(true)}
    />
  );
}
