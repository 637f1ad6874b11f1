// Writes one backup into a folder: everything is on disk when it returns.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { syncDirectory, writeFileDurably } from '../../kit/durable-file.ts';
import { type FileSeal, HashedFile } from '../../kit/hashed-file.ts';
import { DATABASE_FILE, HISTORY_FOLDER } from '../data-files.ts';
import type { ReportProgress } from '../jobs/progress.ts';
import {
  CONFIG_ZIP,
  DATABASE_ZIP,
  FORMAT,
  HISTORY_ZIP,
  MANIFEST,
  type Manifest,
  type Origin,
  VERSION_FILE,
  writeManifest,
} from '../manifest.ts';
import { type ConfigDirSource, writeConfigDir } from './config-dir.ts';
import { writeDatabase } from './database.ts';
import { writeHistory } from './history.ts';

export interface WriteOrder extends ConfigDirSource {
  readonly folder: string;
  readonly version: string;
  readonly backup: Origin;
}

export interface Written {
  readonly bytes: number;
}

const MODE = 0o600;

export async function writeBackup(order: WriteOrder, report: ReportProgress): Promise<Written> {
  const { dataDir, folder, version, backup } = order;
  const path = (name: string) => join(folder, name);
  report({ step: 'BACKUP_VERSION_FILE', total: 0 });
  const versionSeal = await writeText(path(VERSION_FILE), `${version}\n`);
  report({ step: 'BACKUP_CONFIG', total: 0 });
  const config = await writeConfigDir(order, path(CONFIG_ZIP));
  report({ step: 'BACKUP_CONFIG_REPO', total: 0 });
  const history = await writeHistory(join(dataDir, HISTORY_FOLDER), path(HISTORY_ZIP), (bytes) => report({ bytes }));
  // The database last: the history must not know of revisions that the database does not have.
  const database = join(dataDir, DATABASE_FILE);
  report({ step: 'BACKUP_DATABASE', total: sizeOf(database) + sizeOf(`${database}-wal`) });
  const { seal, facts } = await writeDatabase(database, path(DATABASE_ZIP), (bytes) => report({ bytes }));
  const files = { [VERSION_FILE]: versionSeal, [CONFIG_ZIP]: config, [HISTORY_ZIP]: history.seal, [DATABASE_ZIP]: seal };
  const manifest: Manifest = { format: FORMAT, version, backup, ...facts, commit: history.commit, files };
  const text = writeManifest(manifest);
  writeFileDurably(path(MANIFEST), text, MODE);
  syncDirectory(folder);
  return { bytes: Object.values(files).reduce((sum, { bytes }) => sum + bytes, text.length) };
}

async function writeText(path: string, text: string): Promise<FileSeal> {
  const file = await HashedFile.create(path);
  await file.write(Buffer.from(text));
  return file.finish();
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
