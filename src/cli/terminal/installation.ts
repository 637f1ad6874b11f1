// Where an installation keeps its data, for commands that work beside its servers.
import { join } from 'node:path';
import { variableOf } from '../../server/settings.ts';
import { mustBeEmbedded } from '../../store/files/moved.ts';
import type { DatabaseSource } from '../../store/source.ts';
import { type Context, pathIn } from './context.ts';
import { databaseIn } from './database.ts';
import { dataDirOf } from './target.ts';

const DATABASE = 'slipway.db';

/** The values of `DATA_DIR_FLAG` and `DATABASE_URL_FLAG`. */
export interface InstallationValues {
  readonly 'data-dir': string | undefined;
  readonly 'database-url': string | undefined;
}

export interface Installation {
  readonly dataDir: string;
  readonly source: DatabaseSource;
  /** Undefined: the key is in the data directory. */
  readonly cipherKeyFile: string | undefined;
}

/** The one that a server with these settings uses. Throws `DirectoryMoved` where its data is in PostgreSQL, and no setting says where. */
export function installationIn(values: InstallationValues, context: Context): Installation {
  const dataDir = dataDirOf(values['data-dir'], context);
  const postgres = databaseIn(values['database-url'], context.environment);
  if (!postgres) mustBeEmbedded(dataDir);
  const keyFile = context.environment[variableOf('cipher-key-file')] || undefined;
  return {
    dataDir,
    source: postgres ? { postgres } : { sqlite: join(dataDir, DATABASE) },
    cipherKeyFile: keyFile === undefined ? undefined : pathIn(context, keyFile),
  };
}
