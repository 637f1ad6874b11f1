// Package repositories with their packages.
import { flag, required } from '../form/attributes.ts';
import { wrap } from '../form/children.ts';
import { element } from '../form/element.ts';
import { entities } from '../form/entities.ts';
import { NAME } from '../form/values.ts';
import { generatedId, givenId, idFromNames } from './generated-id.ts';
import { configuration, pluginConfiguration } from './properties.ts';

const packageForm = element('package', [
  givenId('id'),
  required('name', 'name', NAME),
  flag('autoUpdate', 'auto_update', true),
  configuration('configuration', { isRequired: true }),
]);

const packages = entities('packages', packageForm, {
  belongingTo: ({ repo_id }, { id, name }) => ({ package_repo: { id: repo_id! }, id: id ?? idFromNames('package', repo_id, name) }),
});

export const repository = element('repository', [
  generatedId('repo_id'),
  required('name', 'name', NAME),
  pluginConfiguration('plugin_metadata'),
  configuration('configuration', { isRequired: true }),
  wrap('packages', [packages]),
]);
