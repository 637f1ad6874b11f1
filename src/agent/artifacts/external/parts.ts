// The interfaces for publishing and fetching external artifacts.
import type { ExternalArtifact } from '../../../contracts/agent-protocol/work.ts';

/** The message is a sentence for the console. */
export class ExternalFailure extends Error {}

export interface ExternalContext {
  readonly pipelineFolder: string;
  /** The environment of the tasks. */
  readonly environment: Readonly<Record<string, string>>;
  /** Only the system user of the agent can read it, and files that a killed agent leaves there are removed at its next start. */
  readonly privateFolder: string;
  readonly signal: AbortSignal;
  /** Lines for the console. */
  out(line: string): void;
  err(line: string): void;
}

export interface SourceFile {
  readonly real: string;
  /** For people. */
  readonly name: string;
  /** Below the destination, with slashes. */
  readonly path: string;
}

export interface PublishContext extends ExternalContext {
  /** Whether the value of an environment variable must not be shown. */
  isSecret(variable: string): boolean;
  /** The files that a source means, as for build artifacts; rejects with a sentence where there are none. */
  files(source: string): AsyncIterable<SourceFile>;
}

export interface FetchContext extends ExternalContext {
  /** Where a file goes that is fetched to this destination: below the folder of the pipeline, in a folder that is there. */
  target(destination: string, path: string): string;
  /** For the tasks that follow. */
  setVariable(name: string, value: string): void;
}

/** The metadata that a plugin returns for an artifact it published, for the jobs that fetch it. Without secrets. */
export type Metadata = Readonly<Record<string, unknown>>;

export interface ExternalPlugin {
  publish(artifact: ExternalArtifact, context: PublishContext): Promise<Metadata>;
  fetch(artifact: ExternalArtifact, metadata: Metadata, context: FetchContext): Promise<void>;
}
