// Repositories that hold pipelines as code.
import { ofEachType, type RepositoryType } from '../../../materials/types/list.ts';
import type { RepositoryDefinition, XmlForm } from '../../../materials/types/repository-definition.ts';
import { flag, optional, password, required } from '../form/attributes.ts';
import { one, within } from '../form/children.ts';
import { type ElementForm, element } from '../form/element.ts';
import { constant } from '../form/extras.ts';
import { byType, type Part } from '../form/part.ts';
import { NAME } from '../form/values.ts';
import { rules } from './directives.ts';
import { configuration } from './properties.ts';
import { attributesOf, childrenOf } from './repository-attributes.ts';

const nameless = constant('name', null);
const autoUpdate = flag('autoUpdate', 'auto_update', true);
const USERNAMES: Readonly<Record<XmlForm['username'], Part>> = {
  omitted: optional('username', 'username'),
  null: optional('username', 'username', { absent: null }),
  required: required('username', 'username'),
};

function repository(definition: RepositoryDefinition, type: RepositoryType) {
  const user = USERNAMES[definition.xml.username];
  const parts = [nameless, ...attributesOf(definition, 'config repo'), autoUpdate, user, password(), ...childrenOf(definition)];
  return element(type, [constant('type', type), ...within('attributes', parts)]);
}

const materials = byType({
  ...ofEachType<Record<RepositoryType, ElementForm>>(repository),
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
