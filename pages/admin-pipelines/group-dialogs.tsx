// A new group, and the rights of users and roles to the pipelines of a group.
import { path } from '../api/address.ts';
import { TextField } from '../forms/edit/fields.tsx';
import { type Lens, lensOf, member } from '../forms/edit/lens.ts';
import { MembersFields } from '../forms/edit/members-fields.tsx';
import { BodyDialog } from '../forms/save/body-dialog.tsx';
import { EntityDialog } from '../forms/save/entity-dialog.tsx';
import { GROUPS_ADDRESS, GROUPS_VERSION, type GroupBody } from './requests.ts';

type Close = (isDone?: boolean) => void;

const NO_MEMBERS = { users: [], roles: [] };
const NEW_GROUP: GroupBody = { name: '', authorization: { view: NO_MEMBERS, operate: NO_MEMBERS, admins: NO_MEMBERS } };

export function NewGroup({ onClose }: { readonly onClose: Close }) {
  return (
    <BodyDialog
      title="New pipeline group"
      action="Create"
      form={`${GROUPS_ADDRESS} new`}
      original={NEW_GROUP}
      etag={undefined}
      change={(body) => ({ method: 'POST', address: GROUPS_ADDRESS, version: GROUPS_VERSION, body })}
      done={({ name }) => `The group ${name} is created.`}
      onReload={onClose}
      onClose={onClose}
      fields={(body) => (
        <>
          <TextField isRequired label="Name" lens={member(lensOf(body), 'name')} />
          <RightsFields rights={member(lensOf(body), 'authorization')} />
        </>
      )}
    />
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
