// Repositories that hold pipelines as code.
import { flag, optional, password, required } from '../form/attributes.ts';
import { one, within } from '../form/children.ts';
import { element } from '../form/element.ts';
import { constant } from '../form/extras.ts';
import { byType, type Part } from '../form/part.ts';
import { NAME } from '../form/values.ts';
import { rules } from './directives.ts';
import { configuration } from './properties.ts';
import { REPOSITORIES, tfsAttributes } from './repository-attributes.ts';

const { git, hg, svn, p4 } = REPOSITORIES;
const nameless = constant('name', null);
const autoUpdate = flag('autoUpdate', 'auto_update', true);
const username = optional('username', 'username', { absent: null });
const shownUsername = optional('username', 'username');

function material(type: string, attributes: readonly Part[]) {
  return element(type, [constant('type', type), ...within('attributes', [nameless, ...attributes])]);
}

const materials = byType({
  git: material('git', [...git.attributes, autoUpdate, shownUsername, password()]),
  hg: material('hg', [...hg.attributes, autoUpdate, shownUsername, password()]),
  svn: material('svn', [...svn.attributes, autoUpdate, username, password()]),
  p4: material('p4', [...p4.attributes, autoUpdate, username, password(), ...p4.children]),
  tfs: material('tfs', [...tfsAttributes(null), autoUpdate, required('username', 'username'), password()]),
  // Known to the format; that it is not accepted here is said where the JSON is read.
  plugin: element('scm', [constant('type', 'plugin'), ...within('attributes', [required('ref', 'ref')])]),
});

export const configRepo = element(
  'config-repo',
  [
    required('id', 'id', NAME),
    optional('pluginId', 'plugin_id', { absent: null }),
    one('material', materials, { isRequired: true }),
    configuration(),
    rules,
  ],
  { isSequence: true },
);
