// The materials of pipelines.
import { ofEachType, type RepositoryType } from '../../../materials/types/list.ts';
import type { RepositoryDefinition } from '../../../materials/types/repository-definition.ts';
import { flag, optional, password, required } from '../form/attributes.ts';
import { list, one, within, wrap } from '../form/children.ts';
import { type ElementForm, element, type Order } from '../form/element.ts';
import { beyondFormat, constant } from '../form/extras.ts';
import { byType, type Part } from '../form/part.ts';
import { values } from '../form/texts.ts';
import { FILE_PATH, NAME_OR_PARAMETERS } from '../form/values.ts';
import { attributesOf, childrenOf } from './repository-attributes.ts';

const filter = one('filter', element('filter', [{ ...values('ignore', 'ignore', 'pattern'), isRequired: true }]), { absent: null });
const invertFilter = flag('invertFilter', 'invert_filter', false);
const destination = optional('dest', 'destination', { type: FILE_PATH, absent: null, alsoAbsent: '' });
const materialName = optional('materialName', 'name', { type: NAME_OR_PARAMETERS, absent: null, alsoAbsent: '' });
const autoUpdate = flag('autoUpdate', 'auto_update', true);

function material(type: string, name: string, parts: readonly Part[], order?: Order) {
  return element(name, [constant('type', type), ...within('attributes', parts)], order);
}

function repository(definition: RepositoryDefinition, type: RepositoryType) {
  const { username, unsaid } = definition.xml;
  const user = username === 'required' ? required('username', 'username') : optional('username', 'username');
  const children = childrenOf(definition);
  const parts = [
    ...attributesOf(definition, 'pipeline'),
    ...[invertFilter, destination, autoUpdate, user, password(), materialName],
    ...(unsaid ? [beyondFormat(unsaid)] : []),
    ...children,
    filter,
  ];
  return material(type, type, parts, children.length > 0 ? { isSequence: true } : undefined);
}

const anyMaterial = byType({
  ...ofEachType<Record<RepositoryType, ElementForm>>(repository),
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
