// The jobs, in pipelines and templates, that name an elastic profile or an artifact store.
import type { User } from '../../shape/messages.ts';
import { resolved, resolvedStages } from './resolved.ts';

interface JobSeen {
  readonly name: string;
  readonly elasticProfileId: string | null;
  readonly artifacts: readonly { readonly attributes: { readonly storeId?: string } }[];
}

interface StageSeen {
  readonly name: string;
  readonly jobs: readonly JobSeen[];
}

const NAMES = {
  elasticProfileId: (job: JobSeen, id: string) => job.elasticProfileId === id,
  storeId: (job: JobSeen, id: string) => job.artifacts.some(({ attributes }) => attributes.storeId === id),
};

/** In the form of the dialect: `JobConfigIdentifier[pipeline:stage:job]`. */
export function jobsNaming(users: readonly User[], member: keyof typeof NAMES, id: string): string[] {
  return users.flatMap(({ id: owner, entity, through: [template] }) => {
    const own = (resolved(entity).stages ?? []) as readonly StageSeen[];
    const stages = template ? resolvedStages(template.stages as readonly StageSeen[], entity) : own;
    return stages.flatMap((stage) =>
      stage.jobs.filter((job) => NAMES[member](job, id)).map((job) => `JobConfigIdentifier[${owner}:${stage.name}:${job.name}]`),
    );
  });
}
