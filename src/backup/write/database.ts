// Writes the database into a backup as it is at one instant, while the server goes on.
import { type ZipChecksums, ZipFile } from '../../kit/zip/zip-file.ts';
import type { DatabaseFacts } from '../../store/facts.ts';
import { factsOf } from '../../store/sqlite/database-facts.ts';
import type { ReportProgress } from '../jobs/progress.ts';
import { addDatabase } from './snapshot-entries.ts';

export interface WrittenDatabase {
  readonly seal: ZipChecksums;
  readonly facts: DatabaseFacts;
}

export async function writeDatabase(path: string, zipPath: string, report: ReportProgress): Promise<WrittenDatabase> {
  const zip = await ZipFile.create(zipPath, (bytes) => report({ bytes }));
  const facts = await addDatabase(zip, path, { onTotal: (total) => report({ total }), read: ({ reader }) => factsOf(reader) });
  return { facts, seal: await zip.finish() };
}
