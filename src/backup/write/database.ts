// Writes the database into a backup as it is at one instant, while the server goes on.
import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type ZipChecksums, ZipFile } from '../../kit/zip/zip-file.ts';
import type { DatabaseFacts } from '../../store/facts.ts';
import type { DatabaseSource } from '../../store/source.ts';
import { factsOf } from '../../store/sqlite/database-facts.ts';
import { DATABASE_FILE } from '../data-files.ts';
import type { ReportProgress } from '../jobs/progress.ts';
import { addDatabase } from './snapshot-entries.ts';

export interface WrittenDatabase {
  readonly seal: ZipChecksums;
  readonly facts: DatabaseFacts;
}

export async function writeDatabase(source: DatabaseSource, zipPath: string, report: ReportProgress): Promise<WrittenDatabase> {
  if ('sqlite' in source) return writeFile(source.sqlite, zipPath, report);
  // A backup is the same for every engine: it can be restored into either.
  const path = join(dirname(zipPath), DATABASE_FILE);
  const { copyToSqlite } = await import('../../store/copy/to-sqlite.ts');
  await copyToSqlite({ from: source.postgres, to: path });
  try {
    return await writeFile(path, zipPath, report);
  } finally {
    rmSync(path);
  }
}

async function writeFile(path: string, zipPath: string, report: ReportProgress): Promise<WrittenDatabase> {
  const zip = await ZipFile.create(zipPath, (bytes) => report({ bytes }));
  const facts = await addDatabase(zip, path, { onTotal: (total) => report({ total }), read: ({ reader }) => factsOf(reader) });
  return { facts, seal: await zip.finish() };
}
