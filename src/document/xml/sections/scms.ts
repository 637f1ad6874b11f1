// Repositories that a plugin polls.
import { flag, required } from '../form/attributes.ts';
import { element } from '../form/element.ts';
import { constant } from '../form/extras.ts';
import { NAME } from '../form/values.ts';
import { generatedId } from './generated-id.ts';
import { configuration, pluginConfiguration } from './properties.ts';

export const scm = element(
  'scm',
  [
    generatedId('id'),
    required('name', 'name', NAME),
    flag('autoUpdate', 'auto_update', true),
    constant('origin', { type: 'gocd' }),
    pluginConfiguration('plugin_metadata'),
    configuration('configuration', { isRequired: true }),
  ],
  { isSequence: true },
);
