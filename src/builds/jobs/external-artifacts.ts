// External artifacts of a job, as its agent gets them: with their store as it is configured now, so that changed keys count at once.
import type { ExternalArtifact, WorkArtifact, WorkSetting } from '../../contracts/agent-protocol/work.ts';
import type { Property } from '../../shape/properties.ts';
import type { JobPlan } from './plan.ts';

type PlanTask = JobPlan['tasks'][number];
type PlanCancelTask = Exclude<PlanTask['attributes']['onCancel'], 'nothing' | null>;
export type FetchAttributes = Extract<PlanCancelTask, { type: 'fetch' }>['attributes'];

export interface ExternalTools {
  /** Settings of a plugin in clear, for a pipeline of this group. */
  clearSettings(settings: readonly Property[], group: string): Promise<readonly WorkSetting[]>;
  /** An artifact store as it is configured now; undefined: there is none any more. */
  artifactStore(id: string): ArtifactStore | undefined;
  /** The store that a job publishes an external artifact to, by the present configuration; undefined: it publishes no such artifact. */
  storeOfArtifact(artifact: PublishedArtifact): string | undefined;
}

export interface ArtifactStore {
  readonly pluginId: string;
  readonly properties: readonly Property[];
}

export interface PublishedArtifact {
  readonly pipeline: string;
  readonly stage: string;
  readonly job: string;
  readonly artifactId: string;
}

export interface ExternalFetch extends ExternalArtifact {
  readonly artifact: string;
}

/** Rejects where the store of one is gone: the job would only fail at its end. */
export function workArtifacts(artifacts: JobPlan['artifacts'], group: string, tools: ExternalTools): Promise<readonly WorkArtifact[]> {
  return Promise.all(
    artifacts.map(async (artifact): Promise<WorkArtifact> => {
      if (artifact.type !== 'external')
        return { type: artifact.type, source: artifact.attributes.source, destination: artifact.attributes.destination || null };
      const { artifactId, storeId, configuration } = artifact.attributes;
      const external = await externalArtifact({ artifactId, storeId, configuration }, group, tools);
      if (typeof external === 'string') throw new Error(external);
      return { type: 'external', id: artifactId, ...external };
    }),
  );
}

/** All that the tasks of a job fetch, also on cancel; a text says why one cannot be fetched. */
export async function externalFetches(tasks: JobPlan['tasks'], pipeline: string, group: string, tools: ExternalTools) {
  const found = new Map<FetchAttributes, ExternalFetch | string>();
  for (const task of tasks.flatMap((one) => [one, one.attributes.onCancel])) {
    if (task === null || task === 'nothing' || task.type !== 'fetch' || task.attributes.artifactOrigin !== 'external') continue;
    found.set(task.attributes, await fetchOf(task.attributes, pipeline, group, tools));
  }
  return (attributes: FetchAttributes) => found.get(attributes) ?? nothing(attributes.artifactId ?? '');
}

async function fetchOf(attributes: FetchAttributes, own: string, group: string, tools: ExternalTools): Promise<ExternalFetch | string> {
  const { pipeline, stage, job, configuration } = attributes;
  const artifactId = attributes.artifactId ?? '';
  // Of a path of pipelines, the first is the one with the artifact.
  const storeId = tools.storeOfArtifact({ pipeline: pipeline ? pipeline.split('/')[0]! : own, stage, job, artifactId });
  if (storeId === undefined) return nothing(artifactId);
  const external = await externalArtifact({ artifactId, storeId, configuration }, group, tools);
  return typeof external === 'string' ? external : { artifact: artifactId, ...external };
}

interface WrittenArtifact {
  readonly artifactId: string;
  readonly storeId: string;
  readonly configuration: readonly Property[];
}

async function externalArtifact(
  { artifactId, storeId, configuration }: WrittenArtifact,
  group: string,
  tools: ExternalTools,
): Promise<ExternalArtifact | string> {
  const store = tools.artifactStore(storeId);
  if (!store) return `The artifact store '${storeId}' of the external artifact '${artifactId}' does not exist any more.`;
  return {
    plugin: store.pluginId,
    store: await tools.clearSettings(store.properties, group),
    configuration: await tools.clearSettings(configuration, group),
  };
}

function nothing(artifactId: string): string {
  return `No job publishes the external artifact '${artifactId}' any more that could be fetched.`;
}
