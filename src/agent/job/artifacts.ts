// Artifacts, to and from the server. They come later: until then a job that fetches some fails, and one that has some says that they stay.
import type { CancelTask, Work } from '../../contracts/agent-protocol/work.ts';
import type { JobConsole } from '../console/job-console.ts';
import { TAGS } from '../console/tags.ts';

export interface ArtifactContext {
  readonly pipelineFolder: string;
  readonly console: JobConsole;
  readonly signal: AbortSignal;
}

export type FetchTask = Extract<CancelTask, { readonly type: 'fetch' }>;

/** Rejects with a sentence for the console. */
export async function fetchArtifact(_task: FetchTask, _context: ArtifactContext): Promise<void> {
  throw new Error('This agent cannot fetch artifacts yet.');
}

/** Rejects with a sentence for the console; then the job has failed. */
export async function uploadArtifacts({ artifacts }: Pick<Work, 'artifacts'>, { console }: ArtifactContext): Promise<void> {
  for (const { source } of artifacts) console.notice(TAGS.artifactError, `This agent cannot upload artifacts yet: ${source} is not kept.`);
}
