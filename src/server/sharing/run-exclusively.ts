// Work that one of the servers that share a database does at the first start.
import type { Database } from '../../store/database.ts';
import type { SharedFiles } from './shared-files.ts';

/** Servers that start together do it one after the other: the second finds the result of the first. */
export function runExclusively<T>({ shared }: Database, files: SharedFiles | undefined, work: () => Promise<T>): Promise<T> {
  if (!shared) return work();
  return shared.alone(async () => {
    await shared.refresh();
    const result = await work();
    await files?.publish();
    return result;
  });
}
