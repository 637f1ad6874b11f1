// The problems that plugins find in the external artifacts of a stored pipeline or template.
import { isPluginProblem, type Problem } from '../../../shape/problems/problem.ts';
import { fetchesIn } from '../fetches.ts';
import type { Pipeline } from '../pipeline-fields.ts';
import type { Stage } from '../stages.ts';
import { type PipelineRuleView, storeLinkProblems } from './all.ts';
import { publishProblems, type StoresView } from './artifact-settings.ts';
import { ownFetchProblems } from './fetches.ts';
import { writtenStagesOf } from './rule-view.ts';

export function pipelinePluginProblems(pipeline: Pipeline, view: PipelineRuleView): readonly Problem[] {
  // This runs for every pipeline at start, and nearly all have no external artifacts.
  return hasExternals(writtenStagesOf(pipeline, view)) ? storeLinkProblems(pipeline, view).filter(isPluginProblem) : [];
}

export function templatePluginProblems({ stages }: { readonly stages: readonly Stage[] }, view: StoresView): readonly Problem[] {
  return hasExternals(stages) ? [...publishProblems(stages, view), ...ownFetchProblems(stages, view)].filter(isPluginProblem) : [];
}

function hasExternals(stages: readonly Stage[]): boolean {
  if (stages.some(({ jobs }) => jobs.some(({ artifacts }) => artifacts.some(({ type }) => type === 'external')))) return true;
  for (const { attributes } of fetchesIn(stages)) if (attributes.artifactOrigin === 'external') return true;
  return false;
}
