// Writes the database into a backup as it is at one instant, while the server goes on.
import { type ZipChecksums, ZipFile } from '../../kit/zip/zip-file.ts';
import { countRows, entityLines, lastRevision, schemaVersion, tableNames } from '../../store/sqlite/database-facts.ts';
import type { Snapshot } from '../../store/sqlite/snapshot.ts';
import type { ReportProgress } from '../jobs/progress.ts';
import { type DatabaseFacts, etagDigest } from '../manifest.ts';
import { addDatabase } from './snapshot-entries.ts';

export interface WrittenDatabase {
  readonly seal: ZipChecksums;
  readonly facts: DatabaseFacts;
}

export async function writeDatabase(path: string, zipPath: string, report: ReportProgress): Promise<WrittenDatabase> {
  const zip = await ZipFile.create(zipPath, (bytes) => report({ bytes }));
  const facts = await addDatabase(zip, path, { onTotal: (total) => report({ total }), read: factsOf });
  return { facts, seal: await zip.finish() };
}

function factsOf({ reader }: Snapshot): DatabaseFacts {
  const etags = etagDigest();
  for (const { kind, key, etag } of entityLines(reader)) etags.add(kind, key, etag);
  return {
    schema: schemaVersion(reader),
    revision: lastRevision(reader),
    tables: Object.fromEntries(tableNames(reader).map((table) => [table, countRows(reader, table)])),
    etags: etags.digest(),
  };
}
