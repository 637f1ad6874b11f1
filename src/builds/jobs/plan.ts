// Plans of jobs: all that the configuration says of them, fixed when their stage is scheduled. A plan is stored as JSON.
import type { EntityNamed } from '../../shape/configuration.ts';
import { type AssignableAgent, mayTake } from './assign.ts';
import { configuredJobOf, type InstanceCount, instanceCountOf, instanceIndexOf, instanceName } from './instance-names.ts';

/** A stage of a pipeline whose template and parameters are put in. */
export type PlannedStage = NonNullable<EntityNamed<'pipelines'>['stages']>[number];
export type ConfiguredJob = PlannedStage['jobs'][number];
/** Secure ones hold their cipher text. */
export type PlanVariable = ConfiguredJob['environmentVariables'][number];

export interface JobPlan {
  readonly name: string;
  /** Of the job in the configuration, which may have several instances. */
  readonly job: string;
  /** Which of how many instances it is; null: it is the only one, or one of those on all agents. */
  readonly instance: { readonly index: number; readonly count: number } | null;
  /** Only this agent may run it. */
  readonly pinnedTo: string | null;
  readonly resources: readonly string[];
  readonly elasticProfileId: string | null;
  /** Minutes without output after which it is cancelled; 0: never. */
  readonly timeoutMinutes: number;
  /** Of the pipeline, the stage and the job: of the same name, only the last. */
  readonly variables: readonly PlanVariable[];
  readonly tasks: ConfiguredJob['tasks'];
  readonly artifacts: ConfiguredJob['artifacts'];
}

export interface PlanFacts {
  /** The environment that the pipeline is in. */
  readonly environment: string | null;
  readonly pipelineVariables: readonly PlanVariable[];
  /** The timeout of the server, for jobs without one of their own; 0: never. */
  readonly serverTimeoutMinutes: number;
  /** The agents for a job that runs on all agents; it runs on those of them that fit. */
  readonly agents: readonly AssignableAgent[];
  /** The plugin of the cluster of an elastic profile. */
  pluginOfProfile(profile: string): string | null;
}

/** Of one stage run. All are made at once, in memory and in one commit: a mistyped number must not end the server. */
const MAX_JOBS = 5000;

/** All jobs of the stage, or why it cannot be scheduled. */
export function planJobs(stage: PlannedStage, facts: PlanFacts): { readonly plans: readonly JobPlan[] } | { readonly refusal: string } {
  const plans: JobPlan[] = [];
  const wanted = stage.jobs.reduce((sum, { runInstanceCount }) => sum + leastJobs(instanceCountOf(runInstanceCount)), 0);
  if (wanted > MAX_JOBS)
    return { refusal: `Stage [${stage.name}] has ${wanted} jobs with all their instances. At most ${MAX_JOBS} can run.` };
  for (const job of stage.jobs) {
    const planned = plansOf(job, stage, facts);
    if (planned.length === 0) return { refusal: `Could not find matching agents to run job [${job.name}] of stage [${stage.name}].` };
    plans.push(...planned);
  }
  return { plans };
}

function leastJobs(count: InstanceCount): number {
  return typeof count === 'number' ? count : 1;
}

/** For a job that is run again, by the present configuration but on the same agent if it had one; undefined: the job is gone from it. */
export function planAgain(
  { name, pinnedTo }: { readonly name: string; readonly pinnedTo: string | null },
  stage: PlannedStage,
  facts: Pick<PlanFacts, 'pipelineVariables' | 'serverTimeoutMinutes'>,
): JobPlan | undefined {
  const job = configuredJobOf(name, stage.jobs);
  if (!job) return undefined;
  const count = instanceCountOf(job.runInstanceCount);
  const instance = typeof count === 'number' ? { index: instanceIndexOf(name), count } : null;
  return { ...commonPlan(job, stage, facts), name, instance, pinnedTo };
}

function commonPlan(job: ConfiguredJob, stage: PlannedStage, facts: Pick<PlanFacts, 'pipelineVariables' | 'serverTimeoutMinutes'>) {
  return {
    job: job.name,
    instance: null,
    pinnedTo: null,
    resources: job.resources,
    elasticProfileId: job.elasticProfileId || null,
    timeoutMinutes: timeoutOf(job, facts.serverTimeoutMinutes),
    variables: mergedVariables(facts.pipelineVariables, stage.environmentVariables, job.environmentVariables),
    tasks: job.tasks,
    artifacts: job.artifacts,
  };
}

function plansOf(job: ConfiguredJob, stage: PlannedStage, facts: PlanFacts): JobPlan[] {
  const common = commonPlan(job, stage, facts);
  const count = instanceCountOf(job.runInstanceCount);
  if (count === null) return [{ ...common, name: job.name }];
  if (count === 'all')
    return agentsFor(job, facts).map(({ uuid }, index) => ({ ...common, name: instanceName(job.name, count, index + 1), pinnedTo: uuid }));
  return Array.from({ length: count }, (_, index) => ({
    ...common,
    name: instanceName(job.name, count, index + 1),
    instance: { index: index + 1, count },
  }));
}

function agentsFor({ resources, elasticProfileId }: ConfiguredJob, { environment, agents, pluginOfProfile }: PlanFacts): AssignableAgent[] {
  const elastic = elasticProfileId ? { profile: elasticProfileId, plugin: pluginOfProfile(elasticProfileId) } : null;
  return agents.filter((agent) => mayTake({ environment, resources, pinnedTo: null, elastic }, agent) === true);
}

function timeoutOf({ timeout }: ConfiguredJob, ofServer: number): number {
  if (timeout === null || timeout === '') return ofServer;
  return String(timeout).toLowerCase() === 'never' ? 0 : Number(timeout);
}

/** Later lists win; each name stays where it came up first. */
export function mergedVariables<V extends { readonly name: string }>(...lists: readonly (readonly V[])[]): V[] {
  return [...new Map(lists.flat().map((variable) => [variable.name, variable])).values()];
}
