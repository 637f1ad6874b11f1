// Environment variables.
import { flag, required } from '../form/attributes.ts';
import { list, wrap } from '../form/children.ts';
import { element } from '../form/element.ts';
import type { Part } from '../form/part.ts';
import { secretable } from '../form/texts.ts';

const variable = element('variable', [required('name', 'name'), flag('secure', 'secure', false), secretable({ isRequired: true })]);

export const variables: Part = wrap('environmentvariables', [list('environment_variables', variable)]);
