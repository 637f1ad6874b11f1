// The plans of the jobs of a stage, made when it is scheduled.
import type { BuildConfig, ConfiguredStage, PipelineDefinition } from '../configured.ts';
import type { AssignableAgent } from '../jobs/assign.ts';
import { planAgain, planJobs } from '../jobs/plan.ts';
import { plannedMaterial, type StageContext, type StoredPlan } from '../jobs/stored-plan.ts';

export interface StagePlanParts {
  readonly config: Pick<BuildConfig, 'environmentOf' | 'jobTimeout' | 'pluginOfProfile'>;
  agents(): readonly AssignableAgent[];
}

export function stagePlans(
  pipeline: PipelineDefinition,
  stage: ConfiguredStage,
  { config, agents }: StagePlanParts,
): { readonly plans: readonly StoredPlan[] } | { readonly refusal: string } {
  const context = contextOf(pipeline, stage);
  const planned = planJobs(stage, {
    environment: config.environmentOf(pipeline.name)?.name ?? null,
    pipelineVariables: pipeline.variables,
    serverTimeoutMinutes: config.jobTimeout,
    agents: agents(),
    pluginOfProfile: (profile) => config.pluginOfProfile(profile),
  });
  return 'refusal' in planned ? planned : { plans: planned.plans.map((job) => ({ job, context })) };
}

/** Of jobs that are run again; those that are gone from the configuration are left out. */
export function plansAgain(
  pipeline: PipelineDefinition,
  stage: ConfiguredStage,
  jobs: readonly { readonly name: string; readonly pinnedTo: string | null }[],
  { config }: Pick<StagePlanParts, 'config'>,
): StoredPlan[] {
  const context = contextOf(pipeline, stage);
  const facts = { pipelineVariables: pipeline.variables, serverTimeoutMinutes: config.jobTimeout };
  return jobs.flatMap((one) => {
    const job = planAgain(one, stage, facts);
    return job ? [{ job, context }] : [];
  });
}

function contextOf(pipeline: PipelineDefinition, stage: ConfiguredStage): StageContext {
  return {
    group: pipeline.group,
    parameters: pipeline.parameters,
    materials: pipeline.materials.map(plannedMaterial),
    fetchMaterials: stage.fetchMaterials,
    cleanWorkingDirectory: stage.cleanWorkingDirectory,
  };
}
