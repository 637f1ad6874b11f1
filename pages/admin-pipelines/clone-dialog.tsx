// Makes another pipeline like one that is there. Its secrets are not copied, and it is paused: two of the same may disturb each other.
import { addressOf, path } from '../api/address.ts';
import { headerText } from '../api/client.ts';
import { CheckField, TextField } from '../forms/edit/fields.tsx';
import { lensOf, member } from '../forms/edit/lens.ts';
import { BodyDialog } from '../forms/save/body-dialog.tsx';
import type { Change } from '../forms/save/change.ts';
import { useEntity } from '../forms/save/entity.ts';
import { LoadedDialog } from '../forms/save/loaded-dialog.tsx';
import { navigate, pageOf } from '../kit/routing.ts';
import { GroupField } from './group-field.tsx';
import { PIPELINES_ADDRESS, PIPELINES_VERSION, type PipelineBody } from './requests.ts';
import { withoutSecrets } from './without-secrets.ts';

interface Clone {
  readonly name: string;
  readonly group: string;
  readonly isPaused: boolean;
}

interface CloneDialogProps {
  readonly pipeline: string;
  readonly onClose: (isDone?: boolean) => void;
}

export function CloneDialog({ pipeline, onClose }: CloneDialogProps) {
  const address = path`/api/admin/pipelines/${pipeline}`;
  const read = useEntity<PipelineBody>(address, PIPELINES_VERSION);
  const title = `Clone ${pipeline}`;
  return (
    <LoadedDialog title={title} read={read} onClose={onClose}>
      {({ value }) => {
        const { body: copied, leftOut } = withoutSecrets(value);
        return (
          <BodyDialog<Clone>
            title={title}
            action="Create"
            form={`${address} clone`}
            original={{ name: `${pipeline}-copy`, group: value.group, isPaused: true }}
            etag={undefined}
            change={(clone) => cloning(pipeline, copied, clone)}
            done={({ name }) => `${name} is created.`}
            onReload={onClose}
            onSaved={({ name }) => {
              if (leftOut.length > 0) navigate(addressOf(pageOf.editPipeline(name)));
            }}
            onClose={onClose}
            fields={(body) => (
              <>
                <TextField isRequired label="Name" lens={member(lensOf(body), 'name')} />
                <GroupField lens={member(lensOf(body), 'group')} />
                <CheckField label="Paused: it runs when somebody unpauses it" lens={member(lensOf(body), 'isPaused')} />
                {leftOut.length > 0 && <LeftOut secrets={leftOut} />}
              </>
            )}
          />
        );
      }}
    </LoadedDialog>
  );
}

function cloning(pipeline: string, copied: object, { name, group, isPaused }: Clone): Change {
  return {
    method: 'POST',
    address: PIPELINES_ADDRESS,
    version: PIPELINES_VERSION,
    body: { group, pipeline: { ...copied, name, group } },
    ...(isPaused && { headers: { 'X-pause-pipeline': 'true', 'X-pause-cause': headerText(`Cloned from ${pipeline}`) } }),
  };
}

function LeftOut({ secrets }: { readonly secrets: readonly string[] }) {
  return (
    <>
      <p>Secrets are not copied. Enter these in the editor of the copy, which is opened then:</p>
      <ul>
        {secrets.map((secret) => (
          <li key={secret}>{secret}</li>
        ))}
      </ul>
    </>
  );
}
