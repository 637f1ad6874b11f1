// The materials of pipelines.
import { flag, optional, password, required } from '../form/attributes.ts';
import { list, one, within, wrap } from '../form/children.ts';
import { element, type Order } from '../form/element.ts';
import { beyondFormat, constant } from '../form/extras.ts';
import { byType, type Part } from '../form/part.ts';
import { values } from '../form/texts.ts';
import { FILE_PATH, NAME_OR_PARAMETERS } from '../form/values.ts';
import { REPOSITORIES, tfsAttributes } from './repository-attributes.ts';

const { git, hg, svn, p4 } = REPOSITORIES;

const filter = one('filter', element('filter', [{ ...values('ignore', 'ignore', 'pattern'), isRequired: true }]), { absent: null });
const invertFilter = flag('invertFilter', 'invert_filter', false);
const destination = optional('dest', 'destination', { type: FILE_PATH, absent: null, alsoAbsent: '' });
const username = optional('username', 'username');
const materialName = optional('materialName', 'name', { type: NAME_OR_PARAMETERS, absent: null, alsoAbsent: '' });
const autoUpdate = flag('autoUpdate', 'auto_update', true);

/** The attributes of every repository, behind those of its own. */
function common(user: Part = username): Part[] {
  return [invertFilter, destination, autoUpdate, user, password(), materialName];
}

function material(type: string, name: string, parts: readonly Part[], order?: Order) {
  return element(name, [constant('type', type), ...within('attributes', parts)], order);
}

const anyMaterial = byType({
  git: material('git', 'git', [
    ...git.attributes,
    flag('shallowClone', 'shallow_clone', false),
    ...common(),
    beyondFormat({ submodule_folder: null }),
    filter,
  ]),
  svn: material('svn', 'svn', [...svn.attributes, ...common(), filter]),
  hg: material('hg', 'hg', [...hg.attributes, ...common(), filter]),
  p4: material('p4', 'p4', [...p4.attributes, ...common(), ...p4.children, filter], { isSequence: true }),
  tfs: material('tfs', 'tfs', [...tfsAttributes(''), ...common(required('username', 'username')), filter]),
  dependency: material('dependency', 'pipeline', [
    required('pipelineName', 'pipeline'),
    required('stageName', 'stage'),
    flag('ignoreForScheduling', 'ignore_for_scheduling', false),
    materialName,
    constant('auto_update', true),
  ]),
  package: material('package', 'package', [required('ref', 'ref')]),
  plugin: material('plugin', 'scm', [required('ref', 'ref'), invertFilter, destination, filter]),
});

export const materials = wrap('materials', [list('materials', anyMaterial, { isRequired: true })], { isRequired: true });
