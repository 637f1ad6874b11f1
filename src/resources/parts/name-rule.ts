// The rule for a name that is a member beside the id.
import { isName, NAME_RULE } from '../../shape/fields.ts';
import { type Problem, problemUnless } from '../../shape/problems/problem.ts';

export function nameRule(owner: string, blank = 'Please provide name'): (entity: { readonly name: string }) => Problem[] {
  return ({ name }) =>
    name.trim() === ''
      ? problemUnless(false, 'name', blank)
      : problemUnless(isName(name), 'name', `Invalid ${owner} name '${name}'. ${NAME_RULE}`);
}
