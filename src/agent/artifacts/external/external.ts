// Publishes and fetches external artifacts by the plugins that this agent has.
import type { CancelTask, WorkArtifact } from '../../../contracts/agent-protocol/work.ts';
import { dockerRegistry } from './docker.ts';
import { metadataName, metadataOf, PublishedMetadata } from './metadata.ts';
import { ExternalFailure, type ExternalPlugin, type FetchContext, type PublishContext } from './parts.ts';
import { s3 } from './s3.ts';

export type PublishedArtifact = Extract<WorkArtifact, { readonly type: 'external' }>;
export type FetchExternalTask = Extract<CancelTask, { readonly type: 'fetch_external' }>;

const PLUGINS: Readonly<Record<string, ExternalPlugin>> = {
  'cd.go.artifact.s3': s3,
  'cd.go.artifact.docker.registry': dockerRegistry,
};

export interface PublishParts extends PublishContext {
  /** Keeps a file on the server; the path is below the folder of the job. */
  publishMetadata(path: string, bytes: Buffer): Promise<void>;
}

/** Returns the ids of the artifacts that failed, after a line about each. The metadata of the others is kept. */
export async function publishExternal(artifacts: readonly PublishedArtifact[], parts: PublishParts): Promise<readonly string[]> {
  const published = new PublishedMetadata();
  const failed: string[] = [];
  for (const artifact of artifacts) {
    try {
      published.add(artifact.plugin, artifact.id, await pluginOf(artifact.plugin).publish(artifact, parts));
    } catch (failure) {
      parts.signal.throwIfAborted();
      if (!(failure instanceof Error)) throw failure;
      parts.err(`The external artifact "${artifact.id}" was not published: ${failure.message}`);
      failed.push(artifact.id);
    }
  }
  for (const { path, bytes } of published.files()) await parts.publishMetadata(path, bytes);
  return failed;
}

export interface FetchParts extends FetchContext {
  /** A file from the folder of metadata of the job that published the artifact; undefined: there is none. */
  readMetadata(name: string): Promise<Buffer | undefined>;
}

/** Rejects with a sentence for the console. */
export async function fetchExternal(task: FetchExternalTask, parts: FetchParts): Promise<void> {
  const plugin = pluginOf(task.plugin);
  const bytes = (await parts.readMetadata(metadataName(task.plugin))) ?? Buffer.alloc(0);
  await plugin.fetch(task, metadataOf(task.artifact, bytes), parts);
}

function pluginOf(id: string): ExternalPlugin {
  const plugin = Object.hasOwn(PLUGINS, id) ? PLUGINS[id] : undefined;
  if (!plugin) throw new ExternalFailure(`This agent has no artifact plugin "${id}".`);
  return plugin;
}
