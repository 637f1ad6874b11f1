// Asks for the outcome of a transaction whose answer was lost, until it is known.
import { setTimeout as delay } from 'node:timers/promises';
import { OutcomeUnknown } from '../../../kit/outcome-unknown.ts';
import type { Connection } from '../connection.ts';
import { isLostConnection } from '../refusals.ts';

export type CommitOutcome = 'committed' | 'aborted';

/** It is not known, and will not be for a while. */
class CommitInDoubt extends OutcomeUnknown {
  constructor(cause: unknown) {
    super('The database was lost during the commit. It is not known whether this was written. Look before you try again.', { cause });
  }
}

const EVERY_MS = 100;
const MAX_WAIT_MS = 30_000;
const MAX_ANSWER_MS = 1500;

export interface LostTransaction {
  /** Of its row in the log of commits: whether it is there decides. */
  readonly number: number;
  readonly mark: string;
  /** The process of the server that served it, and the name of its connection: while they are there, it may still be written. */
  readonly processId: number;
  readonly name: string;
}

/** A standby may not have come to it yet, and have it when it becomes the primary: what it does not have says nothing. */
const IS_LOGGED = `select exists (select from commits where number = $1 and mark = $2) as is_logged, pg_is_in_recovery() as is_standby`;
/** The session may be waiting for the rest of a statement, which never comes. Where it has ended, so has its transaction. */
const END_SESSION = 'select pg_terminate_backend(pid) from pg_stat_activity where pid = $1 and application_name = $2';

export async function askForOutcome(lost: LostTransaction, connect: () => Promise<Connection>): Promise<CommitOutcome> {
  const deadline = performance.now() + MAX_WAIT_MS;
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

/** Undefined: it is under way, or only a standby answers. */
async function askOnce({ number, mark, processId, name }: LostTransaction, connection: Connection): Promise<CommitOutcome | undefined> {
  const timer = setTimeout(() => connection.destroy(new Error('The database did not answer in time.')), MAX_ANSWER_MS);
  try {
    const sessions = await connection.run({ sql: END_SESSION, parameters: [processId, name] });
    if (sessions.rows.length > 0) return undefined;
    const logged = await connection.run({ sql: IS_LOGGED, parameters: [number, mark] });
    const { is_logged, is_standby } = logged.rows[0] as { is_logged: boolean; is_standby: boolean };
    if (is_standby) return undefined;
    return is_logged ? 'committed' : 'aborted';
  } finally {
    clearTimeout(timer);
    if (!connection.failure) await connection.close();
  }
}
