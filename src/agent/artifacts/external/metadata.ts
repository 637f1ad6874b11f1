// The metadata of artifacts that plugins published: one JSON file for each plugin, with the artifacts by their ids.
import { METADATA_FOLDER } from '../../../contracts/agent-protocol/messages.ts';
import { ExternalFailure, type Metadata } from './parts.ts';

const MAX_BYTES = 16 * 1024 * 1024;

/** The name of the file in its folder. */
export function metadataName(plugin: string): string {
  return `${plugin}.json`;
}

export interface MetadataFile {
  /** Below the folder of the job. */
  readonly path: string;
  readonly bytes: Buffer;
}

/** Of all artifacts that were published by one job. */
export class PublishedMetadata {
  readonly #byPlugin = new Map<string, Map<string, Metadata>>();

  add(plugin: string, artifact: string, metadata: Metadata): void {
    const known = this.#byPlugin.get(plugin) ?? new Map<string, Metadata>();
    this.#byPlugin.set(plugin, known.set(artifact, metadata));
  }

  files(): readonly MetadataFile[] {
    return [...this.#byPlugin].map(([plugin, artifacts]) => ({
      path: `${METADATA_FOLDER}/${metadataName(plugin)}`,
      bytes: Buffer.from(`${JSON.stringify(Object.fromEntries(artifacts), null, 2)}\n`),
    }));
  }
}

/** The metadata of one artifact. The file is untrusted: the plugin may not have written it. */
export function metadataOf(artifact: string, bytes: Buffer): Metadata {
  const all = bytes.length > MAX_BYTES ? undefined : objectIn(bytes.toString('utf8'));
  const own = all && Object.hasOwn(all, artifact) ? all[artifact] : undefined;
  if (!isObject(own)) throw new ExternalFailure(`The job did not publish the external artifact "${artifact}": nothing is known of it.`);
  return own;
}

export function objectIn(text: string): Metadata | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined; // no JSON is no object
  }
}

function isObject(value: unknown): value is Metadata {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
