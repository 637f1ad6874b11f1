// Which database the servers of tests use: the embedded one, or with TEST_DATABASE=postgres one of a PostgreSQL that the run has started.
import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { Connection } from '../../src/store/postgres/connection.ts';

/** Set by the run. */
const SERVER = process.env.TEST_DATABASE_URL;
/** For tests of what only the embedded database has. */
export const isEmbedded = SERVER === undefined;

const ALREADY_THERE = '42P04';

/** The address of the database that belongs to a data directory; undefined: the embedded one. */
export async function databaseUrlOf(dataDir: string): Promise<string | undefined> {
  if (SERVER === undefined) return undefined;
  const name = `of_${createHash('sha256').update(resolve(dataDir)).digest('hex').slice(0, 24)}`;
  const connection = await Connection.open({ url: SERVER, password: undefined }, { name: 'test' });
  try {
    await connection.runOnce(`create database ${name}`);
  } catch (failure) {
    if ((failure as { code?: unknown }).code !== ALREADY_THERE) throw failure;
  } finally {
    await connection.close();
  }
  return Object.assign(new URL(SERVER), { pathname: `/${name}` }).href;
}
