// Pipelines and their groups.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: labels of GoCD are written with ${…}
import { flag, optional, required } from '../form/attributes.ts';
import { list, one, within, wrap } from '../form/children.ts';
import { element } from '../form/element.ts';
import { entities } from '../form/entities.ts';
import { constant, ignoredChild } from '../form/extras.ts';
import type { Part } from '../form/part.ts';
import { content } from '../form/texts.ts';
import { NAME, oneOf, orParameters } from '../form/values.ts';
import { materials } from './materials.ts';
import { permissionHolders } from './members.ts';
import { stage } from './stages.ts';
import { variables } from './variables.ts';

const parameter = element('param', [required('name', 'name', NAME), content('value')]);

const trackingTool = element('trackingtool', [
  constant('type', 'generic'),
  ...within('attributes', [required('link', 'url_pattern'), required('regex', 'regex')]),
]);

const timer = element('timer', [flag('onlyOnChanges', 'only_on_changes', false), content('spec')]);

const NO_LOCK = 'none';
const lock = optional('lockBehavior', 'lock_behavior', {
  type: orParameters(oneOf('lockOnFailure', 'unlockWhenFinished', NO_LOCK)),
  absent: NO_LOCK,
});
const lockBehavior: Part = {
  ...lock,
  read: (xml, json, reading, path) => {
    lock.read(xml, json, reading, path);
    if (xml.attributes.get('lockBehavior') === NO_LOCK)
      reading.ignored(xml, `the attribute lockBehavior="${NO_LOCK}" of <${xml.name}>`, 'It says the same as no such attribute.');
  },
};

export const pipeline = element(
  'pipeline',
  [
    required('name', 'name', NAME),
    optional('labeltemplate', 'label_template', { absent: '${COUNT}' }),
    lockBehavior,
    optional('template', 'template', { type: NAME, absent: null }),
    constant('origin', { type: 'gocd' }),
    wrap('params', [list('parameters', parameter)]),
    one('tracking_tool', trackingTool, { absent: null }),
    one('timer', timer, { absent: null }),
    variables,
    ignoredChild('dependencies'),
    materials,
    list('stages', stage, { empty: null }),
  ],
  { isSequence: true },
);

const rights = wrap('authorization', [
  permissionHolders('view', 'view', { isRequired: true }),
  permissionHolders('operate', 'operate', { isRequired: true }),
  permissionHolders('admins', 'admins'),
]);

/** Written with the pipelines that the JSON has under their kind. */
export const pipelineGroup = element(
  'pipelines',
  [
    optional('group', 'name', { type: NAME, absent: 'defaultGroup' }),
    ...within('authorization', [rights]),
    entities('pipelines', pipeline, { belongingTo: ({ name }) => ({ group: name! }) }),
  ],
  { isSequence: true },
);
