// What is wrong with the database that servers share, told to load balancers.
import type { SharedDatabase } from '../../store/database.ts';

export interface DatabaseProblem {
  readonly since: number;
  readonly reason: string;
}

const AWAY = { reason: 'The database does not answer.' };
const READ_ONLY = { reason: 'The database is read-only.' };

/** Undefined: it answers and takes writes. */
export function databaseProblem({
  unavailableSince,
  readOnlySince,
}: Pick<SharedDatabase, 'unavailableSince' | 'readOnlySince'>): DatabaseProblem | undefined {
  const begins = [unavailableSince, readOnlySince].filter((time) => time !== undefined);
  if (begins.length === 0) return undefined;
  return { since: Math.min(...begins), ...(unavailableSince !== undefined ? AWAY : READ_ONLY) };
}
