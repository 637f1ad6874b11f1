// Makes another pipeline like one that is there. Its secrets are not copied, and it is paused: two of the same may disturb each other.
import { useState } from 'preact/hooks';
import { addressOf, path } from '../api/address.ts';
import { headerText } from '../api/client.ts';
import { ChangeDialog } from '../forms/save/change-dialog.tsx';
import { useEntity } from '../forms/save/entity.ts';
import { navigate, pageOf } from '../kit/routing.ts';
import { Loaded } from '../kit/states.tsx';
import { GroupField } from './group-field.tsx';
import { PIPELINES_ADDRESS, PIPELINES_VERSION, type PipelineBody } from './requests.ts';
import { withoutSecrets } from './without-secrets.ts';

export function CloneDialog({ pipeline, onClose }: { readonly pipeline: string; readonly onClose: (isDone?: boolean) => void }) {
  const read = useEntity<PipelineBody>(path`/api/admin/pipelines/${pipeline}`, PIPELINES_VERSION);
  const [name, setName] = useState(`${pipeline}-copy`);
  const [chosen, setChosen] = useState<string>();
  const [isPaused, setIsPaused] = useState(true);
  const group = chosen ?? read.data?.value.group ?? '';
  const { body, leftOut } = withoutSecrets(read.data?.value ?? {});
  const close = (isDone?: boolean): void => {
    onClose(isDone);
    if (isDone && leftOut.length > 0) navigate(addressOf(pageOf.editPipeline(name)));
  };
  return (
    <ChangeDialog
      title={`Clone ${pipeline}`}
      action="Create"
      done={`${name} is created.`}
      isReady={read.data !== undefined}
      onClose={close}
      change={() => ({
        method: 'POST',
        address: PIPELINES_ADDRESS,
        version: PIPELINES_VERSION,
        body: { group, pipeline: { ...body, name, group } },
        ...(isPaused && { headers: { 'X-pause-pipeline': 'true', 'X-pause-cause': headerText(`Cloned from ${pipeline}`) } }),
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
            <label class="is-inline">
              <input type="checkbox" checked={isPaused} onInput={({ currentTarget }) => setIsPaused(currentTarget.checked)} />
              Paused: it runs when somebody unpauses it
            </label>
            {leftOut.length > 0 && <LeftOut secrets={leftOut} />}
          </>
        )}
      </Loaded>
    </ChangeDialog>
  );
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
