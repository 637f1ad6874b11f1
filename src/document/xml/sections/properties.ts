// Settings of plugins.
import { optional, required } from '../form/attributes.ts';
import { list, one, wrap } from '../form/children.ts';
import { element } from '../form/element.ts';
import type { Part } from '../form/part.ts';
import { secretable, text } from '../form/texts.ts';
import { TEXT } from '../form/values.ts';

const property = element('property', [text('key', 'key', { isRequired: true }), secretable()], { isSequence: true });

/** Directly inside their owner. */
export function properties(member: string): Part {
  return list(member, property);
}

export function configuration(member = 'configuration', { isRequired = false } = {}): Part {
  return wrap('configuration', [properties(member)], { isRequired });
}

/** Which plugin they are for. */
export function pluginConfiguration(member: string, idType = TEXT): Part {
  const form = element('pluginConfiguration', [required('id', 'id', idType), optional('version', 'version', { absent: null })]);
  return one(member, form, { isRequired: true });
}
