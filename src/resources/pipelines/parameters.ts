// Problems of parameters and of their use in a text.
import { isName, NAME_RULE } from '../../shape/fields.ts';
import type { Problem } from '../../shape/problems/problem.ts';
import { textsInStages } from '../parts/parameter-texts.ts';
import { PARAMETER, type Parameter } from '../parts/replacement.ts';
import type { Stage } from './stages.ts';

/** The mistakes in the use of `#` in one text. After a use that cannot be read, the rest cannot be read either. */
export function parameterFaults(
  text: string,
  isDefined: (name: string) => boolean,
  field: string,
  undefinedParameter: (name: string) => string = notDefined,
): string[] {
  const faults = new Set<string>();
  for (let next = text.indexOf('#'); next >= 0; next = text.indexOf('#', next)) {
    const sign = text[next + 1];
    if (sign === '#') {
      next += 2;
      continue;
    }
    if (sign !== '{') {
      faults.add(
        `Error when processing params for '${text}' used in field '${field}', # must be followed by a parameter pattern or escaped by another #`,
      );
      break;
    }
    const end = text.indexOf('}', next);
    if (end < 0) {
      faults.add(`Incomplete param usage in '${text}'`);
      break;
    }
    const name = text.slice(next + 2, end);
    if (!isDefined(name)) faults.add(undefinedParameter(name));
    next = end + 1;
  }
  return [...faults];
}

function notDefined(name: string): string {
  return `Parameter '${name}' is not defined. All pipelines using this parameter directly or via a template must define it.`;
}

/** The names of all parameters used in the stages of a template, each as it is written first. */
export function parametersUsed(stages: readonly Stage[]): readonly string[] {
  const names = new Map<string, string>();
  for (const { text } of textsInStages(stages)) {
    for (const [, name] of text.matchAll(PARAMETER)) if (name !== undefined) names.getOrInsert(name.toLowerCase(), name);
  }
  return [...names.values()];
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
