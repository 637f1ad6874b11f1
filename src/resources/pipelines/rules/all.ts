// All rules for a pipeline; they look at its texts with the parameters replaced by their values.
import type { Operation } from '../../../shape/problems/messages.ts';
import { type Problem, problemUnless } from '../../../shape/problems/problem.ts';
import type { TagsView } from '../../../shape/resource.ts';
import { variableNameProblems } from '../../parts/environment-variables.ts';
import type { SourcesView } from '../../parts/origin.ts';
import { resolved } from '../../parts/resolved.ts';
import { parameterNameProblems } from '../parameters.ts';
import type { Pipeline } from '../pipeline-fields.ts';
import { approvalProblems } from './approvals.ts';
import { publishProblems } from './artifact-settings.ts';
import { autoUpdateProblems } from './auto-update.ts';
import { fetchProblems } from './fetches.ts';
import { materialProblems } from './materials.ts';
import { nameProblems } from './names.ts';
import { originProblems } from './origins.ts';
import { parameterProblems, problemsOutside } from './parameters.ts';
import { LOCK_BEHAVIORS, labelProblems, type ScmsView, timerProblems, trackingToolProblems } from './pipeline.ts';
import { stagesOf, writtenStagesOf } from './rule-view.ts';
import { stageProblems } from './stages.ts';
import { type TemplateRulesView, templateProblems } from './template-use.ts';
import { dependencyProblems, missingUpstream } from './upstream.ts';

export type PipelineRuleView = TemplateRulesView & TagsView & ScmsView & SourcesView;

export const noGroup = (operation: Operation): string =>
  `Pipeline group must be specified for ${operation === 'create' ? 'creating' : 'updating'} a pipeline.`;

export function pipelineProblems(pipeline: Pipeline, view: PipelineRuleView, operation: Operation): readonly Problem[] {
  const faults = parameterProblems(pipeline);
  const whole = resolved(pipeline);
  const stages = whole.stages ?? [];
  const { name, group, materials } = whole;
  const problems = [
    ...(group.trim() === '' ? problemUnless(false, 'group', noGroup(operation)) : nameProblems('group', group, ['group'])),
    ...labelProblems(whole, view),
    ...lockProblems(whole.lockBehavior),
    ...parameterNameProblems(whole.parameters, name),
    ...variableNameProblems(whole.environmentVariables, 'environment_variables', `pipeline '${name}'`),
    ...trackingToolProblems(whole.trackingTool),
    ...timerProblems(whole.timer),
    ...materialProblems(materials, pipeline.origin),
    ...stagesOrTemplate(whole),
    ...stageProblems(stages, name, { mayBeIdle: pipeline.origin !== null }),
    ...approvalProblems(stages, group, view),
    ...dependencyProblems(whole, view),
    ...originProblems(whole, stages, view),
    ...publishProblems(stages, view),
    ...fetchProblems(whole, stages, view),
    ...autoUpdateProblems(name, materials, view.tagged),
  ];
  return [...faults, ...problemsOutside(faults, problems), ...templateProblems(whole, view)];
}

/** Problems that a change of an upstream pipeline can cause. Dependency cycles go through the changed pipeline, so they are found there. */
export function upstreamLinkProblems(pipeline: Pipeline, view: PipelineRuleView): readonly Problem[] {
  const settingsOwner = { owner: pipeline.name };
  return [...missingUpstream(pipeline, view), ...fetchProblems(pipeline, stagesOf(pipeline, view), view, settingsOwner)];
}

/** Problems that a new plugin of an artifact store it uses can cause. */
export function storeLinkProblems(pipeline: Pipeline, view: PipelineRuleView): readonly Problem[] {
  const whole = resolved(pipeline);
  const stages = whole.stages ?? [];
  const settingsOwner = { owner: whole.name };
  return [
    ...publishProblems(stages, view, settingsOwner),
    ...fetchProblems(whole, stages, view, settingsOwner),
    ...templateLinkProblems(pipeline, view),
  ];
}

/** Problems that a change of its template can cause. */
export function templateLinkProblems(pipeline: Pipeline, view: PipelineRuleView): readonly Problem[] {
  const undefinedParameter = (parameter: string) => `The param '${parameter}' is not defined in pipeline '${pipeline.name}'`;
  return templateProblems(resolved(pipeline), view, { keyElsewhere: 'params', undefinedParameter });
}

/** Problems that a new name of an SCM it uses can cause. */
export function scmLinkProblems(pipeline: Pipeline, view: PipelineRuleView): readonly Problem[] {
  return labelProblems(resolved(pipeline), view);
}

/** Problems that a change of the operators of its group can cause. */
export function groupLinkProblems(pipeline: Pipeline, view: PipelineRuleView): readonly Problem[] {
  const stages = writtenStagesOf(pipeline, view);
  return approvalProblems(stages, pipeline.group, view).map(({ at, message }) => {
    const stage = stages[Number(at[1])]!.name;
    return { at, message: `${message} "${pipeline.name} :: ${stage}"` };
  });
}

function lockProblems(lockBehavior: string): Problem[] {
  return problemUnless(
    LOCK_BEHAVIORS.includes(lockBehavior),
    'lock_behavior',
    `Lock behavior has an invalid value (${lockBehavior}). Valid values are: [${LOCK_BEHAVIORS.join(', ')}]`,
  );
}

function stagesOrTemplate({ name, template, stages: own }: Pipeline): Problem[] {
  const hasStages = own !== null && own.length > 0;
  if (template && hasStages) {
    return [
      { at: ['stages'], message: `Cannot add stages to pipeline '${name}' which already references template '${template}'` },
      { at: ['template'], message: `Cannot set template '${template}' on pipeline '${name}' because it already has stages defined` },
    ];
  }
  return problemUnless(
    template !== null || hasStages,
    'pipeline',
    `Pipeline '${name}' does not have any stages configured. A pipeline must have at least one stage.`,
  );
}
