// Which servers use a database at the moment, for commands that must have it for themselves.
import type { PostgresAddress } from './connection.ts';
import { Reader } from './readers/reader.ts';

/** Each says every second that it is there; by the clock of the database. */
const SILENT_MS = 5000;
const IS_THERE = "select to_regclass('replicas') is not null as is_there";
const RUNNING = `select host, url from replicas
  where seen_at > floor(extract(epoch from clock_timestamp()) * 1000)::bigint - ${SILENT_MS} order by started_at`;

export interface RunningServer {
  readonly host: string;
  readonly url: string;
}

export async function runningServers(address: PostgresAddress): Promise<readonly RunningServer[]> {
  const reader = new Reader(address, 'slipway running servers');
  try {
    const [table] = await reader.ask<{ readonly is_there: boolean }>(IS_THERE, []);
    return table!.is_there ? await reader.ask<RunningServer>(RUNNING, []) : [];
  } finally {
    await reader.close();
  }
}
