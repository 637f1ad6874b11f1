// The jobs, in pipelines and templates, that name an elastic profile or an artifact store.
import type { User } from '../../shape/messages.ts';

interface JobSeen {
  readonly name: string;
  readonly elasticProfileId: string | null;
  readonly artifacts: readonly { readonly attributes: { readonly storeId?: string } }[];
}

/** In the form of the dialect: `JobConfigIdentifier[pipeline:stage:job]`. */
export function jobsNaming(users: readonly User[], id: string): string[] {
  return users.flatMap(({ id: owner, entity }) => {
    const stages = (entity.stages ?? []) as readonly { readonly name: string; readonly jobs: readonly JobSeen[] }[];
    const names = (job: JobSeen) => job.elasticProfileId === id || job.artifacts.some(({ attributes }) => attributes.storeId === id);
    return stages.flatMap((stage) => stage.jobs.filter(names).map((job) => `JobConfigIdentifier[${owner}:${stage.name}:${job.name}]`));
  });
}
