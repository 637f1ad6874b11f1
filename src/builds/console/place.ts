// A job, as far as its console is concerned, and where that lies.
import { folderOf, isFolderName, type JobPlace } from '../../artifacts/stage-run.ts';

/** In the folder of the console: the output of the job. */
export const LOG_NAME = 'console.log';
/** Beside it: which of its bytes are not the agent's. */
export const JOURNAL_NAME = 'console.state';

/** The parts of the folder's path below the artifacts directory; refused when a name could lead elsewhere. */
export function consoleFolderOf(place: JobPlace): readonly string[] {
  const folder = folderOf(place);
  if (!folder || !isFolderName(place.job)) throw new Error(`This is not the place of a job: ${JSON.stringify(place)}`);
  return [...folder, place.job, 'cruise-output'];
}
