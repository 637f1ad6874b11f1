// The names of the stages a pipeline runs.
import { type PipelinesView, writtenStagesOf } from './rules/rule-view.ts';

/** Undefined for a pipeline that does not exist. */
export function stageNamesOf({ ruleView }: { readonly ruleView: PipelinesView }, name: string): readonly string[] | undefined {
  const pipeline = ruleView.pipelines.get(name);
  return pipeline && writtenStagesOf(pipeline, ruleView).map((stage) => stage.name);
}
