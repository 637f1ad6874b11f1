// Moves a pipeline into another group: other people may see and change it then.
import { path } from '../api/address.ts';
import { lensOf, member } from '../forms/edit/lens.ts';
import { BodyDialog } from '../forms/save/body-dialog.tsx';
import { useEntity } from '../forms/save/entity.ts';
import { LoadedDialog } from '../forms/save/loaded-dialog.tsx';
import { GroupField } from './group-field.tsx';
import { PIPELINES_VERSION, type PipelineBody } from './requests.ts';

export function MoveDialog({ pipeline, onClose }: { readonly pipeline: string; readonly onClose: (isDone?: boolean) => void }) {
  const title = `Move ${pipeline}`;
  const address = path`/api/admin/pipelines/${pipeline}`;
  const read = useEntity<PipelineBody>(address, PIPELINES_VERSION);
  return (
    <LoadedDialog title={title} read={read} onClose={onClose}>
      {({ value, etag }) => (
        <BodyDialog
          key={etag}
          title={title}
          action="Move"
          form={`${address} move`}
          original={{ group: value.group }}
          etag={etag}
          change={({ group }, ifMatch) => ({ method: 'PUT', address, version: PIPELINES_VERSION, ifMatch, body: { ...value, group } })}
          done={({ group }) => `${pipeline} is in ${group} now.`}
          onReload={read.reload}
          onClose={onClose}
          fields={(body) => (
            <>
              <GroupField lens={member(lensOf(body), 'group')} />
              <p class="quiet">Who may see, run and change it follows from the rights of its group.</p>
            </>
          )}
        />
      )}
    </LoadedDialog>
  );
}
