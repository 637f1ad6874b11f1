// Parameters: `#{name}` in the texts of a pipeline or of its template, replaced by the pipeline's values.
import type { Problem } from '../../shape/problem.ts';

export interface Parameter {
  readonly name: string;
  readonly value: string;
}

/** Members whose texts are taken as they are. */
const LITERAL_MEMBERS = new Set([
  'name',
  'type',
  'group',
  'template',
  'parameters',
  'approval',
  'runIf',
  'cipherText',
  'digest',
  'authorization',
]);

/** What is wrong with the use of `#` in one text; undefined when nothing is. */
export function parameterFault(text: string, isDefined: (name: string) => boolean, field: string): string | undefined {
  if (!text.includes('#')) return undefined;
  const rest = text.replaceAll('##', '');
  for (const [use, name] of rest.matchAll(/#(?:\{([^}]*)\}|.?)/gs)) {
    if (use.startsWith('#{') && name === undefined) return `Incomplete param usage in '${text}'`;
    if (name === undefined) {
      return `Error when processing params for '${text}' used in field '${field}', # must be followed by a parameter pattern or escaped by another #`;
    }
    if (!isDefined(name)) {
      return `Parameter '${name}' is not defined. All pipelines using this parameter directly or via a template must define it.`;
    }
  }
  return undefined;
}

/** Every text in which parameters count, with its place. Job names may use them, other names not. */
export function* parameterTexts(
  value: unknown,
  path: readonly (string | number)[] = [],
): Generator<{ text: string; path: readonly (string | number)[] }> {
  if (typeof value === 'string') {
    yield { text: value, path };
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* parameterTexts(item, [...path, index]);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, member] of Object.entries(value)) if (!LITERAL_MEMBERS.has(key)) yield* parameterTexts(member, [...path, key]);
  }
}

/** The names of all parameters used in a value. */
export function parametersUsed(value: unknown): Set<string> {
  const names = new Set<string>();
  for (const { text } of parameterTexts(value)) {
    if (!text.includes('#')) continue;
    for (const [, name] of text.replaceAll('##', '').matchAll(/#\{([^}]*)\}/g)) names.add(name!);
  }
  return names;
}

/** The text with every parameter replaced once; a doubled # is one. */
export function resolveParameters(text: string, values: ReadonlyMap<string, string>): string {
  return text.replace(/##|#\{([^}]*)\}/g, (use, name: string | undefined) => (name === undefined ? '#' : (values.get(name) ?? use)));
}

export function parameterNameProblems(parameters: readonly Parameter[], pipeline: string): Problem[] {
  const seen = new Set<string>();
  return parameters.flatMap(({ name }, index) => {
    const problem = (message: string) => [{ at: ['parameters', index, 'name'], message }];
    if (name.trim() === '') return problem(`Parameter cannot have an empty name for pipeline '${pipeline}'.`);
    if (seen.has(name.toLowerCase())) return problem(`Param name '${name}' is not unique for pipeline '${pipeline}'.`);
    seen.add(name.toLowerCase());
    return [];
  });
}
