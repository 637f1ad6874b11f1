// Writes the history of the configuration into a backup: its git repository, and the index that says which commit is which revision.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { HistoryReader } from '../../kit/git/history.ts';
import { type ZipChecksums, ZipFile } from '../../kit/zip/zip-file.ts';
import { lastIndexed } from '../../store/sqlite/history-index.ts';
import type { ReportProgress } from '../jobs/progress.ts';
import { addDatabase } from './snapshot-entries.ts';

export const REPOSITORY = 'config.git';
const INDEX = 'index.db';
const MODE = 0o600;

export interface WrittenHistory {
  readonly seal: ZipChecksums;
  readonly commit: string | null;
}

/**
 * The index first, then the branch, then the packs: each refers only to content of the next one, for the history never loses anything.
 * Additional content of the later ones is ignored when a server goes on with the restored history.
 */
export async function writeHistory(directory: string, zipPath: string, report: ReportProgress): Promise<WrittenHistory> {
  const zip = await ZipFile.create(zipPath, (bytes) => report({ bytes }));
  const repository = new HistoryReader(join(directory, REPOSITORY));
  const add = async () => {
    const commit = repository.lastCommit;
    if (commit !== undefined) await zip.addText(`${REPOSITORY}/${HistoryReader.branchFile}`, `${commit}\n`, MODE);
    for (const name of repository.settingsAndRefs()) await addSmall(zip, repository, name);
    await addPacks(zip, repository);
    for (const name of repository.looseObjects()) await addSmall(zip, repository, name);
    return commit ?? null;
  };
  const commit =
    existsSync(join(directory, INDEX)) && repository.exists ? await addDatabase(zip, join(directory, INDEX), { read: add }) : null;
  return { seal: await zip.finish(), commit };
}

/** The configuration document as the history has it last; it can be made from the database, so nothing is lost without it. */
export async function lastDocument(directory: string): Promise<readonly Uint8Array[] | undefined> {
  if (!existsSync(join(directory, INDEX))) return undefined;
  const last = lastIndexed(join(directory, INDEX));
  return last && (await new HistoryReader(join(directory, REPOSITORY)).readBlob(last.blob));
}

async function addSmall(zip: ZipFile, { directory }: HistoryReader, name: string): Promise<void> {
  const path = join(directory, name);
  if (existsSync(path)) await zip.addText(`${REPOSITORY}/${name}`, readFileSync(path), MODE);
}

async function addPacks(zip: ZipFile, repository: HistoryReader): Promise<void> {
  const files = await repository.openPacks();
  try {
    for (const { name, handle } of files) {
      const { size } = await handle.stat();
      await zip.addFile(`${REPOSITORY}/${name}`, handle, size, MODE);
    }
  } finally {
    await Promise.all(files.map(({ handle }) => handle.close()));
  }
}
