// The log of commits does not grow without end: rows that every server has taken in are deleted.
import type { Database } from '../../store/database.ts';

/**
 * Number of the last commits that stay: a server that is a little behind takes them in, one by one. By its row in the log a server also
 * finds out about a commit whose answer was lost, for half a minute.
 */
export const KEPT_COMMITS = 10_000;
/** A server that was silent for longer has ended. If it comes back nevertheless, it notices the gap and loads everything anew. */
const COUNTED_MS = 60 * 60_000;
/** In one transaction, so that none takes long. */
const ROWS_AT_ONCE = 1000;

/** For the keeper. */
export async function deleteKnownCommits(database: Database, signal: AbortSignal): Promise<void> {
  const { query } = database;
  const oldest = await query.selectFrom('commits').select('number').orderBy('number').limit(1).executeTakeFirst();
  if (!oldest) return;
  const end = (await lastKnownByAll(database)) - KEPT_COMMITS;
  for (let start = oldest.number; start < end && !signal.aborted; start += ROWS_AT_ONCE) {
    const some = query.deleteFrom('commits').where('number', '<', Math.min(start + ROWS_AT_ONCE, end));
    await database.writeRelaxed([some.compile()]);
  }
}

async function lastKnownByAll({ query, clock }: Database): Promise<number> {
  const head = await query.selectFrom('head').select('commit').executeTakeFirstOrThrow();
  const servers = await query
    .selectFrom('replicas')
    .select('commit')
    .where((row) => row('seen_at', '>', row(clock, '-', COUNTED_MS)))
    .execute();
  return Math.min(head.commit, ...servers.map(({ commit }) => commit));
}
