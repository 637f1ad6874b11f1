// Files of the data directory that servers on PostgreSQL share, for a command that changes one of them.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Cipher, cipherOf } from '../../kit/bytes/cipher.ts';
import { SharedFiles } from '../../server/sharing/shared-files.ts';
import { CachedTables } from '../../store/cached-tables.ts';
import type { Database } from '../../store/database.ts';
import { DirectoryInUse, type TakenDirectory, takeDataDirectory } from '../../store/files/data-directory.ts';
import { describeAddress } from '../../store/postgres/address.ts';
import type { PostgresAddress } from '../../store/postgres/connection.ts';
import { explainingFailures } from '../terminal/database.ts';
import { CommandFailed } from '../terminal/failures.ts';
import type { Installation } from '../terminal/installation.ts';

const KEY_FILE = 'cipher.key';
const WHERE = 'Call this where a server has its data, with its --data-dir and its SLIPWAY_CIPHER_KEY_FILE.';

/** Before the work the shared files are brought here, and after it the changed ones are brought to all servers. */
export function withSharedFiles<T>(installation: Installation, work: () => Promise<T>): Promise<T> {
  const { dataDir, source } = installation;
  if ('sqlite' in source) return work();
  // A server that runs here does both by itself.
  const directory = takenIfFree(dataDir);
  if (directory === 'in use') return work();
  return explainingFailures(source, () => shareAround(installation, source.postgres, work)).finally(() => directory.release());
}

function takenIfFree(dataDir: string): TakenDirectory | 'in use' {
  if (!existsSync(dataDir)) throw new CommandFailed(`There is no data directory ${dataDir}. ${WHERE}`);
  try {
    return takeDataDirectory(dataDir);
  } catch (failure) {
    if (failure instanceof DirectoryInUse) return 'in use';
    throw failure;
  }
}

async function shareAround<T>(installation: Installation, address: PostgresAddress, work: () => Promise<T>): Promise<T> {
  const cipher = cipherOfServers(installation);
  const { openPostgres } = await import('../../store/postgres/open.ts');
  const database = await openPostgres(address);
  try {
    await mustBeTheirKey(cipher, database, address);
    // Follows the database from here on: earlier writes do not matter.
    await database.shared!.loadFirst(async () => {});
    const files = await SharedFiles.open({
      dataDir: installation.dataDir,
      database,
      cachedTables: new CachedTables(),
      cipher,
      runner: { add: () => {} },
      onChanged: () => {},
    });
    const result = await work();
    await files.publish();
    return result;
  } finally {
    await database.close();
  }
}

function cipherOfServers({ dataDir, cipherKeyFile }: Installation): Cipher {
  const path = cipherKeyFile ?? join(dataDir, KEY_FILE);
  const cipher = existsSync(path) ? cipherOf(readFileSync(path, 'utf8')) : undefined;
  if (cipher) return cipher;
  throw new CommandFailed(`There is no key of a server in ${path}. ${WHERE}`);
}

async function mustBeTheirKey(cipher: Cipher, { query }: Database, address: PostgresAddress): Promise<void> {
  const rows = await query.selectFrom('shared_files').select('content').execute();
  if (rows.every(({ content }) => cipher.isOwn(content))) return;
  throw new CommandFailed(`The key in this data directory is not the one of the servers on ${describeAddress(address)}.`);
}
