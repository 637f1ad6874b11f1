// The connection of a copy: one transaction, from its beginning to its end.
import { describeAddress } from '../postgres/address.ts';
import { Connection, type PostgresAddress } from '../postgres/connection.ts';
import { explainConnectFailure } from '../postgres/connection-errors.ts';
import { CopyRefused } from './refused.ts';

const APPLICATION = 'slipway copy';

type Mode = 'read write' | 'read only';
type Work<T> = (connection: Connection) => Promise<T>;

async function connect(address: PostgresAddress): Promise<Connection> {
  try {
    return await Connection.open(address, { name: APPLICATION });
  } catch (failure) {
    throw new CopyRefused(explainConnectFailure(failure, address), { cause: failure });
  }
}

/** Runs work in one transaction, which sees the database as it is at its beginning. A failure of the database is `CopyRefused`. */
export async function inTransaction<T>(address: PostgresAddress, mode: Mode, work: Work<T>): Promise<T> {
  const connection = await connect(address);
  try {
    const result = await worked(connection, address, mode, work);
    await commit(connection, address);
    return result;
  } finally {
    await connection.close();
  }
}

async function worked<T>(connection: Connection, address: PostgresAddress, mode: Mode, work: Work<T>): Promise<T> {
  try {
    await connection.runOnce(`begin isolation level repeatable read, ${mode}`);
    return await work(connection);
  } catch (failure) {
    if (!isOfServer(failure, connection)) throw failure;
    throw new CopyRefused(`${explainConnectFailure(failure, address)} Nothing was changed.`, { cause: failure });
  }
}

/** A transaction that has failed is answered with a rollback, and without an error. */
async function commit(connection: Connection, address: PostgresAddress): Promise<void> {
  const { command } = await connection.runOnce('commit').catch((failure: unknown) => {
    throw new CopyRefused(
      `${explainConnectFailure(failure, address)} It is not known whether the data was committed: run the command again to find out.`,
      { cause: failure },
    );
  });
  if (command !== 'COMMIT') throw new CopyRefused(`The database ${describeAddress(address)} did not commit. Nothing was changed.`);
}

/** The database says no, or has gone; anything else is a fault of ours. */
function isOfServer(failure: unknown, connection: Connection): boolean {
  return !(failure instanceof CopyRefused) && (connection.failure !== undefined || (failure instanceof Error && 'severity' in failure));
}
