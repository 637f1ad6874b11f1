// Makes another pipeline like one that is there.
import { useState } from 'preact/hooks';
import { path } from '../api/address.ts';
import { ChangeDialog } from '../forms/save/change-dialog.tsx';
import { useEntity } from '../forms/save/entity.ts';
import { Loaded } from '../kit/states.tsx';
import { GroupField } from './group-field.tsx';
import { PIPELINES_ADDRESS, PIPELINES_VERSION, type PipelineBody } from './requests.ts';

export function CloneDialog({ pipeline, onClose }: { readonly pipeline: string; readonly onClose: (isDone?: boolean) => void }) {
  const read = useEntity<PipelineBody>(path`/api/admin/pipelines/${pipeline}`, PIPELINES_VERSION);
  const [name, setName] = useState(`${pipeline}-copy`);
  const [chosen, setChosen] = useState<string>();
  const group = chosen ?? read.data?.value.group ?? '';
  return (
    <ChangeDialog
      title={`Clone ${pipeline}`}
      action="Create"
      done={`${name} is created.`}
      isReady={read.data !== undefined}
      onClose={onClose}
      change={() => ({
        method: 'POST',
        address: PIPELINES_ADDRESS,
        version: PIPELINES_VERSION,
        body: { group, pipeline: { ...read.data?.value, name, group } },
      })}
    >
      <Loaded read={read}>
        {() => (
          <>
            <label>
              Name
              <input value={name} required spellcheck={false} onInput={({ currentTarget }) => setName(currentTarget.value)} />
            </label>
            <GroupField value={group} onInput={setChosen} />
          </>
        )}
      </Loaded>
    </ChangeDialog>
  );
}
