// Rules for the use of parameters; a text with a faulty use is not asked anything else.
import { isName } from '../../../shape/fields.ts';
import type { Problem } from '../../../shape/problems/problem.ts';
import { type TextUsingParameters, textsUsingParameters } from '../../parts/parameter-texts.ts';
import { MAX_GROWTH, type Parameter, Replacement } from '../../parts/replacement.ts';
import { parameterFaults } from '../parameters.ts';

interface HasPath {
  readonly at: Problem['at'];
}

export function parameterProblems(pipeline: { readonly parameters: readonly Parameter[] }): Problem[] {
  return faultsIn(textsUsingParameters(pipeline), pipeline.parameters);
}

/** How to word faults in the answer to a change of the template, which does not show the pipeline they are in. */
export interface FaultsElsewhere {
  readonly pipeline: string;
  undefinedParameter(name: string): string;
}

export function faultsIn(texts: readonly TextUsingParameters[], parameters: readonly Parameter[], elsewhere?: FaultsElsewhere): Problem[] {
  if (texts.length === 0) return [];
  const defined = new Set(parameters.map((parameter) => parameter.name.toLowerCase()));
  const ofUse = faultsWhere((name) => defined.has(name.toLowerCase()), texts, elsewhere?.undefinedParameter);
  return [...ofUse, ...growthProblems(texts, parameters, elsewhere ? ` of pipeline '${elsewhere.pipeline}'` : '')];
}

/** The problems of texts that would become too long if their parameters were replaced; they are left as they are. */
function growthProblems(texts: readonly TextUsingParameters[], parameters: readonly Parameter[], ofPipeline: string): Problem[] {
  const replacement = new Replacement(parameters);
  return texts.flatMap(({ text, ...location }) => {
    const limit = replacement.limitFor(text);
    return limit ? [{ ...location, message: TOO_LONG[limit](`'${String(location.at.at(-1))}'${ofPipeline}`) }] : [];
  });
}

const TOO_LONG: Readonly<Record<keyof typeof MAX_GROWTH, (field: string) => string>> = {
  text: (field) => `The params used in field ${field} make its text more than ${MAX_GROWTH.text.toLocaleString('en')} characters longer.`,
  all: (field) =>
    `The params used in field ${field} and before it make the texts of the pipeline more than ${MAX_GROWTH.all.toLocaleString('en')} characters longer in all.`,
};

/** In a template any parameter will do that a pipeline can define. */
export function templateParameterProblems(texts: readonly TextUsingParameters[]): Problem[] {
  return faultsWhere(isName, texts);
}

function faultsWhere(
  isDefined: (name: string) => boolean,
  texts: readonly TextUsingParameters[],
  undefinedParameter?: (name: string) => string,
): Problem[] {
  return texts.flatMap(({ text, ...location }) =>
    parameterFaults(text, isDefined, String(location.at.at(-1)), undefinedParameter).map((message) => ({ ...location, message })),
  );
}

export function problemsOutside(locations: readonly HasPath[], problems: readonly Problem[]): readonly Problem[] {
  if (locations.length === 0 || problems.length === 0) return problems;
  const keys = keysOf(locations);
  return problems.filter(({ at }) => !keys.has(at.join('\n')));
}

export function problemsInside(locations: readonly HasPath[], problems: readonly Problem[]): readonly Problem[] {
  if (locations.length === 0 || problems.length === 0) return [];
  const keys = keysOf(locations);
  return problems.filter(({ at }) => keys.has(at.join('\n')));
}

function keysOf(locations: readonly HasPath[]): ReadonlySet<string> {
  return new Set(locations.map(({ at }) => at.join('\n')));
}
