// The folder of the console of a job, and its files.
import { folderOf, isFolderName, type JobIdentifier } from '../../artifacts/stage-run.ts';

/** In the folder of the console: the output of the job. */
export const LOG_NAME = 'console.log';
/** Beside it: which of its bytes are not the agent's. */
export const JOURNAL_NAME = 'console.state';

/** The parts of the folder's path below the artifacts directory; refused when a name could lead elsewhere. */
export function consoleFolderOf(identifier: JobIdentifier): readonly string[] {
  const folder = folderOf(identifier);
  if (!folder || !isFolderName(identifier.job)) throw new Error(`This is not the place of a job: ${JSON.stringify(identifier)}`);
  return [...folder, identifier.job, 'cruise-output'];
}
