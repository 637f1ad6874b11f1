// Counts how long transactions take until they are on disk.
import { Histogram, REQUEST_BOUNDS } from '../kit/telemetry/histogram.ts';
import type { Database } from './database.ts';

export function timedCommits(write: Database['writeTransaction']): Pick<Database, 'writeTransaction' | 'commitTimes'> {
  const times = new Histogram(REQUEST_BOUNDS);
  return {
    writeTransaction: async (statements) => {
      const startedAt = performance.now();
      await write(statements);
      times.add((performance.now() - startedAt) / 1000);
    },
    commitTimes: () => times.snapshot(),
  };
}
