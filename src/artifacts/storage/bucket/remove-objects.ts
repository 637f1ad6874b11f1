// Deletes the objects of a stage run, or of one of its jobs. The objects that the server itself writes there stay.
import type { S3Client } from '../../../kit/s3/client.ts';
import { type JobIdentifier, KEPT_FOLDERS, type StageIdentifier } from '../../stage-run.ts';
import type { Keys } from './keys.ts';

/** Returns the problems of objects that could not be deleted, in words. */
export async function removeObjects(client: S3Client, keys: Keys, identifier: StageIdentifier | JobIdentifier): Promise<readonly string[]> {
  const stage = keys.ofStage(identifier);
  const problems: string[] = [];
  for await (const objects of client.list('job' in identifier ? keys.ofJob(identifier) : stage)) {
    const going = objects.map(({ key }) => key).filter((key) => !isKept(key.slice(stage.length)));
    problems.push(...(await client.remove(going)).map(({ key, reason }) => `${key}: ${reason}`));
  }
  return problems;
}

/** `path`: below the stage run. */
function isKept(path: string): boolean {
  const [, folder, ...rest] = path.split('/');
  return rest.length > 0 && KEPT_FOLDERS.includes(folder!);
}
