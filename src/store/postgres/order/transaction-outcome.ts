// Asks what became of a transaction whose answer was lost, until it is known.
import { setTimeout as delay } from 'node:timers/promises';
import type { Connection } from '../connection.ts';
import { isLostConnection } from '../refusals.ts';

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
  /** Of its row in the log of commits: whether it is there decides. */
  readonly number: number;
  readonly mark: string;
  /** By its number it is known when it has ended. After a crash another transaction may have that number, so it tells no more. */
  readonly transaction: string;
  /** The process of the server that served it, and the name of its connection. */
  readonly processId: number;
  readonly name: string;
}

const STATUS = 'select pg_xact_status($1::xid8) as status';
const IS_LOGGED = 'select exists (select from commits where number = $1 and mark = $2) as is_logged';
/** The session may wait for the rest of what was sent: nobody will ever send it. */
const END_SESSION = 'select pg_terminate_backend(pid) from pg_stat_activity where pid = $1 and application_name = $2';

export async function askForOutcome(lost: LostTransaction, connect: () => Promise<Connection>): Promise<CommitOutcome> {
  const deadline = performance.now() + LONGEST_MS;
  let last: unknown;
  while (performance.now() < deadline) {
    try {
      const outcome = await askOnce(lost, await connect());
      if (outcome) return outcome;
    } catch (failure) {
      if (!isLostConnection(failure)) throw failure;
      last = failure;
    }
    await delay(EVERY_MS);
  }
  throw new CommitInDoubt(last);
}

/** Undefined: it is under way. */
async function askOnce(
  { number, mark, transaction, processId, name }: LostTransaction,
  connection: Connection,
): Promise<CommitOutcome | undefined> {
  const timer = setTimeout(() => connection.destroy(new Error('The database did not answer in time.')), LONGEST_ANSWER_MS);
  try {
    await connection.run({ sql: END_SESSION, parameters: [processId, name] });
    const { rows } = await connection.run({ sql: STATUS, parameters: [transaction] });
    if ((rows[0] as { status: string | null }).status === 'in progress') return undefined;
    const logged = await connection.run({ sql: IS_LOGGED, parameters: [number, mark] });
    return (logged.rows[0] as { is_logged: boolean }).is_logged ? 'committed' : 'aborted';
  } catch (failure) {
    if ((failure as { code?: unknown }).code === OF_THE_FUTURE) return 'aborted';
    throw failure;
  } finally {
    clearTimeout(timer);
    if (!connection.failure) await connection.close();
  }
}
