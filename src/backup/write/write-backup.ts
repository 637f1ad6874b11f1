// Writes one backup into a folder: everything is on disk when it returns.
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { syncDirectory, writeFileDurably } from '../../kit/bytes/durable-file.ts';
import { hex } from '../../kit/zip/zip-file.ts';
import type { PostgresAddress } from '../../store/postgres/connection.ts';
import { DATABASE_FILE, HISTORY_FOLDER } from '../data-files.ts';
import type { ReportProgress } from '../jobs/progress.ts';
import {
  CONFIG_ZIP,
  CONSOLES_ZIP,
  DATABASE_ZIP,
  type FileSeal,
  FORMAT,
  HISTORY_ZIP,
  MANIFEST,
  type Manifest,
  type Origin,
  VERSION_FILE,
  writeManifest,
} from '../manifest.ts';
import { type ConfigDirSource, writeConfigDir } from './config-dir.ts';
import { writeConsoles } from './consoles.ts';
import { writeDatabase } from './database.ts';
import { writeHistory } from './history.ts';

export interface WriteOrder extends ConfigDirSource {
  readonly folder: string;
  readonly version: string;
  readonly backup: Origin;
  /** Where the database is; undefined: in the data directory. */
  readonly source?: PostgresAddress | undefined;
}

export interface WrittenFile {
  readonly bytes: number;
}

const MODE = 0o600;

export async function writeBackup(order: WriteOrder, report: ReportProgress): Promise<WrittenFile> {
  const { dataDir, folder, version, backup } = order;
  const source = order.source ? { postgres: order.source } : { sqlite: join(dataDir, DATABASE_FILE) };
  const path = (name: string) => join(folder, name);
  report({ step: 'BACKUP_VERSION_FILE' });
  const versionSeal = writeText(path(VERSION_FILE), `${version}\n`);
  report({ step: 'BACKUP_CONFIG' });
  const config = await writeConfigDir(order, path(CONFIG_ZIP));
  report({ step: 'BACKUP_CONFIG_REPO' });
  const history = await writeHistory(join(dataDir, HISTORY_FOLDER), path(HISTORY_ZIP), report);
  // The database last: the history must not know of revisions that the database does not have.
  report({ step: 'BACKUP_DATABASE' });
  const { seal, facts } = await writeDatabase(source, path(DATABASE_ZIP), report);
  // After the database: of each job that is completed there, the console is complete.
  const consoles = await writeConsoles(order.artifactsDir, path(CONSOLES_ZIP), report);
  const files = {
    [VERSION_FILE]: versionSeal,
    [CONFIG_ZIP]: config,
    [HISTORY_ZIP]: history.seal,
    [DATABASE_ZIP]: seal,
    ...(consoles && { [CONSOLES_ZIP]: consoles }),
  };
  const manifest: Manifest = { format: FORMAT, version, backup, ...facts, commit: history.commit, files, verified: null };
  const text = writeManifest(manifest);
  writeFileDurably(path(MANIFEST), text, MODE);
  syncDirectory(folder);
  return { bytes: Object.values(files).reduce((sum, { bytes }) => sum + bytes, text.length) };
}

function writeText(path: string, text: string): FileSeal {
  writeFileDurably(path, text, MODE);
  return { bytes: Buffer.byteLength(text), crc32: hex(crc32(text)) };
}
