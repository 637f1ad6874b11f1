// A new group, and the rights of users and roles to the pipelines of a group.
import { signal } from '@preact/signals';
import { useMemo, useState } from 'preact/hooks';
import { path } from '../api/address.ts';
import { type Lens, lensOf, member } from '../forms/edit/lens.ts';
import { MembersFields } from '../forms/edit/members-fields.tsx';
import { ChangeDialog } from '../forms/save/change-dialog.tsx';
import { EntityDialog } from '../forms/save/entity-dialog.tsx';
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
      <RightsFields rights={lensOf(rights)} />
    </ChangeDialog>
  );
}

export function GroupRights({ group, onClose }: { readonly group: string; readonly onClose: Close }) {
  return (
    <EntityDialog<GroupBody>
      title={`Rights of the group ${group}`}
      address={path`/api/admin/pipeline_groups/${group}`}
      version={GROUPS_VERSION}
      bodyOf={({ name, authorization }) => ({ name, authorization })}
      done={`The rights of ${group} are changed.`}
      onClose={onClose}
      fields={(body) => <RightsFields rights={member(lensOf(body), 'authorization')} />}
    />
  );
}

function RightsFields({ rights }: { readonly rights: Lens<GroupBody['authorization']> }) {
  return (
    <>
      <p class="quiet">Administrators of the server may do everything. If no user or role is named here, only they have rights.</p>
      <MembersFields label="May see its pipelines" lens={member(rights, 'view')} />
      <MembersFields label="May run and pause them" lens={member(rights, 'operate')} />
      <MembersFields label="May change them" lens={member(rights, 'admins')} />
    </>
  );
}
