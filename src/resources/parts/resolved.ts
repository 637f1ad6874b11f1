// Parameters replaced by their values, in a pipeline and in the stages it takes from a template, for rules and references.
import { mapPipelineTexts, mapStageTexts } from './parameter-texts.ts';
import { type Parameter, Replacement } from './replacement.ts';

interface HasParameters {
  readonly parameters?: readonly Parameter[];
}

const known = new WeakMap<object, object>();
const knownLarge = new WeakMap<object, WeakRef<object>>();
/** Number of characters by which a pipeline has grown from which on it is cached only as long as there is memory. */
const LARGE = 10_000;

/** Returns the pipeline itself when nothing is to be replaced. Entities never change, so each is resolved once. */
export function resolved<P extends HasParameters>(pipeline: P): P {
  return ((known.get(pipeline) ?? knownLarge.get(pipeline)?.deref()) as P | undefined) ?? resolvedNow(pipeline);
}

function resolvedNow<P extends HasParameters>(pipeline: P): P {
  const replacement = new Replacement(pipeline.parameters);
  const result = mapPipelineTexts(pipeline, (text) => replacement.replaced(text));
  if (replacement.growth < LARGE) known.set(pipeline, result);
  else knownLarge.set(pipeline, new WeakRef(result));
  return result;
}

/** The stages of a template as they are in a pipeline that uses it. */
export function resolvedStages<S extends object>(stages: readonly S[], { parameters }: HasParameters): readonly S[] {
  const replacement = new Replacement(parameters);
  return mapStageTexts(stages, (text) => replacement.replaced(text));
}

export function resolvedText(text: string, { parameters }: HasParameters): string {
  return text.includes('#') ? new Replacement(parameters).replaced(text) : text;
}
