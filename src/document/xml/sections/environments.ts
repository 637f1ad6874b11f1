// Environments.
import { required } from '../form/attributes.ts';
import { list, wrap } from '../form/children.ts';
import { element } from '../form/element.ts';
import { ENVIRONMENT_NAME } from '../form/values.ts';
import { variables } from './variables.ts';

const pipeline = element('pipeline', [required('name', 'name')]);

export const environment = element(
  'environment',
  [required('name', 'name', ENVIRONMENT_NAME), variables, wrap('pipelines', [list('pipelines', pipeline)])],
  { isSequence: true },
);
