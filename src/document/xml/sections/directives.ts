// The rules that allow and deny, in the order in which they are applied.
import { required } from '../form/attributes.ts';
import { list, wrap } from '../form/children.ts';
import { element } from '../form/element.ts';
import { constant } from '../form/extras.ts';
import { byType, type Part } from '../form/part.ts';
import { content } from '../form/texts.ts';

/** `key`: the member that holds which of the two it is. */
export function directives(name: string, member: string, key: string): Part {
  const form = (word: string) =>
    element(word, [constant(key, word), required('action', 'action'), required('type', 'type'), content('resource')]);
  return wrap(name, [list(member, byType({ allow: form('allow'), deny: form('deny') }, key), { isRequired: true })]);
}

export const rules: Part = directives('rules', 'rules', 'directive');
