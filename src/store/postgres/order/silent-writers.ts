// Sessions that have begun to write and are silent since: their server hangs, or the way to it is cut.
import type { Connection } from '../connection.ts';

/** A server that decides for long sends a heartbeat each second. A session with half a statement waits for its client, too. */
const END_SILENT = `select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and application_name like 'slipway writes %' and xact_start is not null
    and wait_event = 'ClientRead' and state_change < clock_timestamp() - interval '3 seconds'`;

export async function endSilentWriters(connect: () => Promise<Connection>): Promise<void> {
  const connection = await connect();
  try {
    await connection.runOnce(END_SILENT);
  } finally {
    await connection.close();
  }
}
