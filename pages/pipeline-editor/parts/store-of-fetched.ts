// Which artifact store a fetched artifact is in.
import type { Stage, TaskAttributes } from '../pipeline.ts';

/** The store that the job publishes the artifact to; undefined: it does not say. */
export function storeOfFetched(stages: readonly Stage[], { stage, job, artifact_id: id }: TaskAttributes): string | undefined {
  const publisher = stages.find(({ name }) => isNamed(name, stage))?.jobs.find(({ name }) => isNamed(name, job));
  return publisher?.artifacts.find(({ type, artifact_id: own }) => type === 'external' && own !== undefined && own === id)?.store_id;
}

function isNamed(name: string, wanted: string | undefined): boolean {
  return name.toLowerCase() === wanted?.toLowerCase();
}
