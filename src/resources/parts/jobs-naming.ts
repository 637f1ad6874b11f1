// The jobs, in pipelines and templates, that name an elastic profile or an artifact store.
import type { EntityNamed } from '../../shape/configuration.ts';
import { isOfKind } from '../../shape/is-of-kind.ts';
import type { Dependent } from '../../shape/problems/messages.ts';
import { resolved, resolvedStages } from './resolved.ts';

type Pipeline = EntityNamed<'pipelines'>;
type Template = EntityNamed<'templates'>;
type Stages = Template['stages'];
type Job = Stages[number]['jobs'][number];

const NAMES = {
  elasticProfileId: (job: Job, id: string) => job.elasticProfileId === id,
  storeId: (job: Job, id: string) => job.artifacts.some((artifact) => artifact.type === 'external' && artifact.attributes.storeId === id),
};

/** In the form of GoCD: `JobConfigIdentifier[pipeline:stage:job]`. */
export function jobsNaming(users: readonly Dependent[], member: keyof typeof NAMES, id: string): string[] {
  return users.flatMap((user) =>
    jobsAmong(stagesOf(user), member, id).map(({ stage, job }) => `JobConfigIdentifier[${user.id}:${stage}:${job}]`),
  );
}

/** `template` is the one that the pipeline uses. */
export function jobsIn(pipeline: Pipeline, template: Template | undefined, member: keyof typeof NAMES, id: string) {
  return jobsAmong(stagesOfPipeline(pipeline, template), member, id);
}

function jobsAmong(stages: Stages, member: keyof typeof NAMES, id: string): { readonly stage: string; readonly job: string }[] {
  return stages.flatMap(({ name: stage, jobs }) => jobs.filter((job) => NAMES[member](job, id)).map(({ name: job }) => ({ stage, job })));
}

function stagesOf({ kind, entity, through }: Dependent): Stages {
  if (isOfKind('templates', kind, entity)) return entity.stages;
  if (!isOfKind('pipelines', kind, entity)) return [];
  const [template] = through.flatMap((other) => (isOfKind('templates', other.kind, other.entity) ? other.entity : []));
  return stagesOfPipeline(entity, template);
}

function stagesOfPipeline(pipeline: Pipeline, template: Template | undefined): Stages {
  return template ? resolvedStages(template.stages, pipeline) : (resolved(pipeline).stages ?? []);
}
