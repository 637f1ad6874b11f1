// Asks what became of a transaction whose answer was lost, until it is known.
import { setTimeout as delay } from 'node:timers/promises';
import type { Connection } from './connection.ts';
import { isLostConnection } from './refusals.ts';

export type CommitOutcome = 'committed' | 'aborted';

/** It is not known, and will not be for a while. */
export class CommitInDoubt extends Error {
  constructor(cause: unknown) {
    super('The database was lost during the commit. It is not known whether this was written. Look before you try again.', { cause });
  }
}

const EVERY_MS = 100;
const LONGEST_MS = 30_000;
const LONGEST_ANSWER_MS = 1500;
/** Of a database that has gone back to before the transaction: it says that the number is of the future. */
const OF_THE_FUTURE = '22023';

export interface LostTransaction {
  readonly transaction: string;
  /** The process of the server that served it, and the name of its connection. */
  readonly processId: number;
  readonly name: string;
}

/** The session may wait for the rest of what was sent: nobody will ever send it. */
const END_SESSION = 'select pg_terminate_backend(pid) from pg_stat_activity where pid = $1 and application_name = $2';

export async function askForOutcome(lost: LostTransaction, connect: () => Promise<Connection>): Promise<CommitOutcome> {
  const deadline = performance.now() + LONGEST_MS;
  let last: unknown;
  while (performance.now() < deadline) {
    try {
      const status = await askOnce(lost, await connect());
      if (status === 'committed' || status === 'aborted') return status;
    } catch (failure) {
      if (!isLostConnection(failure)) throw failure;
      last = failure;
    }
    await delay(EVERY_MS);
  }
  throw new CommitInDoubt(last);
}

async function askOnce({ transaction, processId, name }: LostTransaction, connection: Connection): Promise<string | null> {
  const timer = setTimeout(() => connection.destroy(new Error('The database did not answer in time.')), LONGEST_ANSWER_MS);
  try {
    await connection.run({ sql: END_SESSION, parameters: [processId, name] });
    const { rows } = await connection.run({ sql: 'select pg_xact_status($1::xid8) as status', parameters: [transaction] });
    return (rows[0] as { status: string | null }).status;
  } catch (failure) {
    if ((failure as { code?: unknown }).code === OF_THE_FUTURE) return 'aborted';
    throw failure;
  } finally {
    clearTimeout(timer);
    if (!connection.failure) await connection.close();
  }
}
