// The jobs, in pipelines and templates, that name an elastic profile or an artifact store.
import type { User } from '../../shape/problems/messages.ts';
import type { Entity } from '../../shape/resource.ts';
import { resolved, resolvedStages } from './resolved.ts';

interface JobView {
  readonly name: string;
  readonly elasticProfileId: string | null;
  readonly artifacts: readonly { readonly attributes: { readonly storeId?: string } }[];
}

interface StageView {
  readonly name: string;
  readonly jobs: readonly JobView[];
}

const NAMES = {
  elasticProfileId: (job: JobView, id: string) => job.elasticProfileId === id,
  storeId: (job: JobView, id: string) => job.artifacts.some(({ attributes }) => attributes.storeId === id),
};

/** In the form of GoCD: `JobConfigIdentifier[pipeline:stage:job]`. */
export function jobsNaming(users: readonly User[], member: keyof typeof NAMES, id: string): string[] {
  return users.flatMap(({ id: owner, entity, through: [template] }) =>
    jobsIn(entity, template, member, id).map(({ stage, job }) => `JobConfigIdentifier[${owner}:${stage}:${job}]`),
  );
}

/** In a template, or in a pipeline; `template` is the one that the pipeline uses. */
export function jobsIn(
  entity: Entity,
  template: Entity | undefined,
  member: keyof typeof NAMES,
  id: string,
): { readonly stage: string; readonly job: string }[] {
  const own = (resolved(entity).stages ?? []) as readonly StageView[];
  const stages = template ? resolvedStages(template.stages as readonly StageView[], entity) : own;
  return stages.flatMap(({ name: stage, jobs }) => jobs.filter((job) => NAMES[member](job, id)).map(({ name: job }) => ({ stage, job })));
}
