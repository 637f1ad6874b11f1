// Stages.
import { flag, required } from '../form/attributes.ts';
import { list, one, wrap } from '../form/children.ts';
import { element } from '../form/element.ts';
import { NAME, oneOf } from '../form/values.ts';
import { job } from './jobs.ts';
import { permissionHolders } from './members.ts';
import { variables } from './variables.ts';

const approval = element('approval', [
  required('type', 'type', oneOf('success', 'manual')),
  flag('allowOnlyOnSuccess', 'allow_only_on_success', false),
  permissionHolders('authorization', 'authorization', { isRequired: true }),
]);

const AUTOMATIC = { type: 'success', allow_only_on_success: false, authorization: { users: [], roles: [] } };

export const stage = element(
  'stage',
  [
    required('name', 'name', NAME),
    flag('fetchMaterials', 'fetch_materials', true),
    flag('cleanWorkingDir', 'clean_working_directory', false),
    flag('artifactCleanupProhibited', 'never_cleanup_artifacts', false),
    one('approval', approval, { absent: AUTOMATIC }),
    variables,
    wrap('jobs', [list('jobs', job, { isRequired: true })], { isRequired: true }),
  ],
  { isSequence: true },
);
