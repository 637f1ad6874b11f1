// What is wrong with the database that servers share, reported to load balancers and to those who ask for background work.
import type { SharedDatabase } from '../../store/database.ts';

export interface DatabaseProblem {
  readonly since: number;
  readonly reason: string;
  /** Why it is not known which server does the background work. */
  readonly withoutKeeper: string;
}

const AWAY = {
  reason: 'The database does not answer.',
  withoutKeeper:
    'This server cannot reach the database, so it neither does background work nor knows which server does. Try again in a moment.',
};
const READ_ONLY = {
  reason: 'The database is read-only.',
  withoutKeeper: 'The database is read-only, so no server can do background work. Try again in a moment.',
};

/** Undefined: it answers and takes writes. */
export function databaseProblem({
  unavailableSince,
  readOnlySince,
}: Pick<SharedDatabase, 'unavailableSince' | 'readOnlySince'>): DatabaseProblem | undefined {
  const begins = [unavailableSince, readOnlySince].filter((time) => time !== undefined);
  if (begins.length === 0) return undefined;
  return { since: Math.min(...begins), ...(unavailableSince !== undefined ? AWAY : READ_ONLY) };
}
