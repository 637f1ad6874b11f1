// A new group, and the rights of users and roles to the pipelines of a group.
import { type Signal, signal } from '@preact/signals';
import { useMemo, useState } from 'preact/hooks';
import { path } from '../api/address.ts';
import { lensOf, member } from '../forms/edit/lens.ts';
import { MembersFields } from '../forms/edit/members-fields.tsx';
import { ChangeDialog } from '../forms/save/change-dialog.tsx';
import { useEntity } from '../forms/save/entity.ts';
import { Loaded } from '../kit/states.tsx';
import { GROUPS_ADDRESS, GROUPS_VERSION, type GroupBody } from './requests.ts';

type Close = (isDone?: boolean) => void;

const NO_MEMBERS = { users: [], roles: [] };
const NO_RIGHTS: GroupBody['authorization'] = { view: NO_MEMBERS, operate: NO_MEMBERS, admins: NO_MEMBERS };

export function NewGroup({ onClose }: { readonly onClose: Close }) {
  const [name, setName] = useState('');
  const rights = useMemo(() => signal(NO_RIGHTS), []);
  return (
    <ChangeDialog
      title="New pipeline group"
      action="Create"
      done={`The group ${name} is created.`}
      onClose={onClose}
      change={() => ({
        method: 'POST',
        address: GROUPS_ADDRESS,
        version: GROUPS_VERSION,
        body: { name, authorization: rights.peek() },
      })}
    >
      <label>
        Name
        <input value={name} required spellcheck={false} onInput={({ currentTarget }) => setName(currentTarget.value)} />
      </label>
      <RightsFields rights={rights} />
    </ChangeDialog>
  );
}

export function GroupRights({ group, onClose }: { readonly group: string; readonly onClose: Close }) {
  const address = path`/api/admin/pipeline_groups/${group}`;
  const read = useEntity<GroupBody>(address, GROUPS_VERSION);
  const { data } = read;
  const rights = useMemo(() => signal(data?.value.authorization ?? NO_RIGHTS), [data]);
  return (
    <ChangeDialog
      title={`Rights of the group ${group}`}
      action="Save"
      done={`The rights of ${group} are changed.`}
      isReady={data !== undefined}
      onClose={onClose}
      change={() => ({
        method: 'PUT',
        address,
        version: GROUPS_VERSION,
        ifMatch: data?.etag,
        body: { name: data?.value.name, authorization: rights.peek() },
      })}
    >
      <Loaded read={read}>{() => <RightsFields rights={rights} />}</Loaded>
    </ChangeDialog>
  );
}

function RightsFields({ rights }: { readonly rights: Signal<GroupBody['authorization']> }) {
  const all = lensOf(rights);
  return (
    <>
      <p class="quiet">Administrators of the server may do everything. If no user or role is named here, only they have rights.</p>
      <MembersFields label="May see its pipelines" lens={member(all, 'view')} />
      <MembersFields label="May run and pause them" lens={member(all, 'operate')} />
      <MembersFields label="May change them" lens={member(all, 'admins')} />
    </>
  );
}
