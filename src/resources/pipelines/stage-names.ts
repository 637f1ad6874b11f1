// The names of the stages a pipeline runs.
import { type PipelinesView, writtenStagesOf } from './rules/rule-view.ts';

/** Undefined for a pipeline that does not exist. */
export function stageNamesOf({ ruleView }: { readonly ruleView: unknown }, name: string): readonly string[] | undefined {
  const all = ruleView as PipelinesView;
  const pipeline = all.pipelines.get(name);
  return pipeline && writtenStagesOf(pipeline, all).map((stage) => stage.name);
}
