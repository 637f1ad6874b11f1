// Parameters replaced by their values, in a pipeline and in the stages it takes from a template: what rules and references look at.
import { mapPipelineTexts, mapStageTexts } from './parameter-texts.ts';

export interface Parameter {
  readonly name: string;
  readonly value: string;
}

/** `#{name}` stands for the value of a parameter, `##` for one `#`. No name has a `#`, so that no text is looked through twice. */
export const PARAMETER = /##|#\{([^}#]*)\}/g;

interface HasParameters {
  readonly parameters?: readonly Parameter[];
}

const known = new WeakMap<object, object>();

/** The same object when nothing is to be replaced. Entities never change, so each is resolved once. */
export function resolved<P extends HasParameters>(pipeline: P): P {
  let result = known.get(pipeline) as P | undefined;
  if (!result) known.set(pipeline, (result = mapPipelineTexts(pipeline, replacing(pipeline))));
  return result;
}

/** The stages of a template as they are in a pipeline that uses it. */
export function resolvedStages<S extends object>(stages: readonly S[], pipeline: HasParameters): readonly S[] {
  return mapStageTexts(stages, replacing(pipeline));
}

export function resolvedText(text: string, pipeline: HasParameters): string {
  return text.includes('#') ? replacing(pipeline)(text) : text;
}

function replacing({ parameters = [] }: HasParameters): (text: string) => string {
  let values: ReadonlyMap<string, string> | undefined;
  return (text) => resolveParameters(text, (values ??= new Map(parameters.map(({ name, value }) => [name, value]))));
}

/** Values are not looked through again. */
function resolveParameters(text: string, values: ReadonlyMap<string, string>): string {
  return text.replace(PARAMETER, (use, name: string | undefined) => (name === undefined ? '#' : (values.get(name) ?? use)));
}
