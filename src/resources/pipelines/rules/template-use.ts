// Rules for the stages of a template as they are in a pipeline that uses it.
import type { Path, Problem } from '../../../shape/problems/problem.ts';
import { textsInStages } from '../../parts/parameter-texts.ts';
import { resolvedStages } from '../../parts/resolved.ts';
import { approvalProblems, type RightsView } from './approvals.ts';
import { problemsOfArtifactsWith, publishProblems } from './artifact-settings.ts';
import { type FetchRulesView, fetchProblems } from './fetches.ts';
import { faultsIn, problemsInside, problemsOutside } from './parameters.ts';
import type { PipelineView } from './rule-view.ts';
import { stageProblems } from './stages.ts';

export type TemplateRulesView = FetchRulesView & RightsView;

/** How to speak of an undefined parameter, and where in the answer to a change of the template. */
interface UndefinedParameters {
  readonly keyElsewhere: string;
  undefinedParameter(name: string): string;
}

/** They stand beside the mention of the template: its stages are not in the body. */
const AT_TEMPLATE: Path = ['template'];

export function templateProblems(pipeline: PipelineView, view: TemplateRulesView, undefinedOnes?: UndefinedParameters): readonly Problem[] {
  const written = pipeline.template ? view.templates.get(pipeline.template)?.stages : undefined;
  if (!written) return [];
  const uses = textsInStages(written);
  const faults = faultsIn(uses, pipeline.parameters, undefinedOnes && { ...undefinedOnes, pipeline: pipeline.name });
  const stages = resolvedStages(written, pipeline);
  const settingsOwner = undefinedOnes && { owner: pipeline.name };
  const problems = [
    // The problems of a text without parameters are reported at the template.
    ...(uses.length > 0 ? problemsInside(uses, stageProblems(stages, pipeline.name)) : []),
    ...(uses.length > 0 ? problemsOfArtifactsWith(uses, publishProblems(stages, view, settingsOwner)) : []),
    ...approvalProblems(stages, pipeline.group, view),
    ...fetchProblems(pipeline, stages, view, settingsOwner),
  ];
  return [
    ...faults.map(({ message }) => ({ at: AT_TEMPLATE, message, ...(undefinedOnes && { keyElsewhere: undefinedOnes.keyElsewhere }) })),
    ...problemsOutside(faults, problems).map((problem) => ({ ...problem, at: AT_TEMPLATE })),
  ];
}
