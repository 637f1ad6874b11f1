// Moves a pipeline into another group: other people may see and change it then.
import { useState } from 'preact/hooks';
import { path } from '../api/address.ts';
import { ChangeDialog } from '../forms/save/change-dialog.tsx';
import { useEntity } from '../forms/save/entity.ts';
import { Loaded } from '../kit/states.tsx';
import { GroupField } from './group-field.tsx';
import { PIPELINES_VERSION, type PipelineBody } from './requests.ts';

export function MoveDialog({ pipeline, onClose }: { readonly pipeline: string; readonly onClose: (isDone?: boolean) => void }) {
  const address = path`/api/admin/pipelines/${pipeline}`;
  const read = useEntity<PipelineBody>(address, PIPELINES_VERSION);
  const [chosen, setChosen] = useState<string>();
  const group = chosen ?? read.data?.value.group ?? '';
  return (
    <ChangeDialog
      title={`Move ${pipeline}`}
      action="Move"
      done={`${pipeline} is in ${group} now.`}
      isReady={read.data !== undefined}
      onClose={onClose}
      change={() => ({
        method: 'PUT',
        address,
        version: PIPELINES_VERSION,
        ifMatch: read.data?.etag,
        body: { ...read.data?.value, group },
      })}
    >
      <Loaded read={read}>{() => <GroupField value={group} onInput={setChosen} />}</Loaded>
      <p class="quiet">Who may see, run and change it follows from the rights of its group.</p>
    </ChangeDialog>
  );
}
