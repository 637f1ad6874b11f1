// Rules for the use of parameters; a text with a faulty use is not asked anything else.
import { isName } from '../../shape/fields.ts';
import type { Problem } from '../../shape/problem.ts';
import { type TextUsingParameters, textsUsingParameters } from '../parts/parameter-texts.ts';
import type { Parameter } from '../parts/resolved.ts';
import { parameterFaults } from './parameters.ts';

interface Place {
  readonly at: Problem['at'];
}

export function parameterProblems(pipeline: { readonly parameters: readonly Parameter[] }): Problem[] {
  return faultsIn(textsUsingParameters(pipeline), pipeline.parameters);
}

export function faultsIn(
  texts: readonly TextUsingParameters[],
  parameters: readonly Parameter[],
  undefinedParameter?: (name: string) => string,
): Problem[] {
  if (texts.length === 0) return [];
  const defined = new Set(parameters.map((parameter) => parameter.name));
  return faultsWhere((name) => defined.has(name), texts, undefinedParameter);
}

/** In a template any parameter will do that a pipeline can define. */
export function templateParameterProblems(texts: readonly TextUsingParameters[]): Problem[] {
  return faultsWhere(isName, texts);
}

function faultsWhere(
  isDefined: (name: string) => boolean,
  texts: readonly TextUsingParameters[],
  undefinedParameter?: (name: string) => string,
): Problem[] {
  return texts.flatMap(({ text, at }) =>
    parameterFaults(text, isDefined, String(at.at(-1)), undefinedParameter).map((message) => ({ at, message })),
  );
}

export function outsideOf(places: readonly Place[], problems: readonly Problem[]): readonly Problem[] {
  if (places.length === 0 || problems.length === 0) return problems;
  const keys = keysOf(places);
  return problems.filter(({ at }) => !keys.has(at.join('\n')));
}

export function insideOf(places: readonly Place[], problems: readonly Problem[]): readonly Problem[] {
  if (places.length === 0 || problems.length === 0) return [];
  const keys = keysOf(places);
  return problems.filter(({ at }) => keys.has(at.join('\n')));
}

function keysOf(places: readonly Place[]): ReadonlySet<string> {
  return new Set(places.map(({ at }) => at.join('\n')));
}
