// Artifact stores, and where secrets come from.
import { required } from '../form/attributes.ts';
import { element } from '../form/element.ts';
import { text } from '../form/texts.ts';
import { NAME } from '../form/values.ts';
import { rules } from './directives.ts';
import { configuration, properties } from './properties.ts';

const identity = [required('id', 'id', NAME), required('pluginId', 'plugin_id')];

export const artifactStore = element('artifactStore', [...identity, properties('properties')]);

export const secretConfig = element('secretConfig', [...identity, text('description', 'description'), configuration('properties'), rules]);
