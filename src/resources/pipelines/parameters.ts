// What can be wrong with parameters and with their use in a text.
import { isName, NAME_RULE } from '../../shape/fields.ts';
import type { Problem } from '../../shape/problem.ts';
import { textsInStages } from '../parts/parameter-texts.ts';
import { PARAMETER, type Parameter } from '../parts/resolved.ts';

/** What is wrong with the use of `#` in one text; undefined when nothing is. */
export function parameterFault(
  text: string,
  isDefined: (name: string) => boolean,
  field: string,
  undefinedParameter: (name: string) => string = notDefined,
): string | undefined {
  for (let next = text.indexOf('#'); next >= 0; next = text.indexOf('#', next)) {
    const sign = text[next + 1];
    if (sign === '#') {
      next += 2;
      continue;
    }
    if (sign !== '{') {
      return `Error when processing params for '${text}' used in field '${field}', # must be followed by a parameter pattern or escaped by another #`;
    }
    const end = text.indexOf('}', next);
    if (end < 0) return `Incomplete param usage in '${text}'`;
    const name = text.slice(next + 2, end);
    if (!isDefined(name)) return undefinedParameter(name);
    next = end + 1;
  }
  return undefined;
}

function notDefined(name: string): string {
  return `Parameter '${name}' is not defined. All pipelines using this parameter directly or via a template must define it.`;
}

/** The names of all parameters used in the stages of a template. */
export function parametersUsed(stages: unknown): Set<string> {
  const names = new Set<string>();
  for (const { text } of textsInStages(stages as readonly unknown[])) {
    for (const [, name] of text.matchAll(PARAMETER)) if (name !== undefined) names.add(name);
  }
  return names;
}

export function parameterNameProblems(parameters: readonly Parameter[], pipeline: string): Problem[] {
  const seen = new Set<string>();
  return parameters.flatMap(({ name }, index) => {
    const problem = (message: string) => [{ at: ['parameters', index, 'name'], message }];
    if (name.trim() === '') return problem(`Parameter cannot have an empty name for pipeline '${pipeline}'.`);
    if (!isName(name)) return problem(`Invalid parameter name '${name}'. ${NAME_RULE}`);
    const key = name.toLowerCase();
    if (seen.has(key)) return problem(`Param name '${name}' is not unique for pipeline '${pipeline}'.`);
    seen.add(key);
    return [];
  });
}
