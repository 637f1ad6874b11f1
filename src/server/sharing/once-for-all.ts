// What is done at the first start by one of the servers that share a database.
import type { Database } from '../../store/database.ts';
import type { SharedFiles } from './shared-files.ts';

/** Of servers that start together, one does it after the other: the second finds what the first has made. */
export function onceForAll<T>({ shared }: Database, files: SharedFiles | undefined, work: () => Promise<T>): Promise<T> {
  if (!shared) return work();
  return shared.alone(async () => {
    await shared.refresh();
    const result = await work();
    await files?.publish();
    return result;
  });
}
