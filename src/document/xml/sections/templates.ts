// Templates, with the users and roles that may see and administer them.
import { flag, required } from '../form/attributes.ts';
import { list } from '../form/children.ts';
import { element } from '../form/element.ts';
import { entities } from '../form/entities.ts';
import { NAME } from '../form/values.ts';
import { permissionHolders } from './members.ts';
import { stage } from './stages.ts';

const authorization = element('authorization', [
  flag('allGroupAdminsAreViewers', 'all_group_admins_are_view_users', true),
  permissionHolders('view', 'view', { isRequired: true }),
  permissionHolders('admins', 'admin'),
]);

/** Written with the authorization that the JSON has under its kind. */
export const template = element(
  'pipeline',
  [
    required('name', 'name', NAME),
    entities('templateAuthorizations', authorization, { isSingle: true, belongingTo: ({ name }) => ({ template: name! }) }),
    list('stages', stage, { isRequired: true }),
  ],
  { isSequence: true },
);
